// SPDX-License-Identifier: Apache-2.0
// Main content on the public sets. The pages are split into two halves by name, so that a rule designed on
// one half can be evaluated on the other.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "base/conformance.h"
#include "text/content/extraction_score.h"
#include "text/content/html_document.h"
#include "text/content/main_content.h"
#include "web/url/url.h"

namespace crivello::text {
namespace {

size_t HalfOf(const ExtractionPage& page) { return Hash64(page.name) & 1; }

// Each page without a URL counts as a separate site.
std::string SiteOf(const ExtractionPage& page) {
  web::Url url;
  return url.Parse(page.url) ? std::string(url.host()) : page.name;
}

std::string Joined(const HtmlDocument& page, const std::vector<CutReason>& cut) {
  std::string text;
  for (size_t i = 0; i < cut.size(); ++i) {
    if (cut[i] == CutReason::kNone) text += page.document.blocks[i].text + "\n\n";
  }
  return text;
}

// For debugging: if $CRIVELLO_EXTRACTION_DUMP is a folder, every page's blocks are written there, each with
// the default's decision, and one line per page to standard output.
void Dump(const std::string& set, const ExtractionPage& judged, const HtmlDocument& page,
          const std::vector<CutReason>& cut, const Overlap& overlap) {
  const char* folder = std::getenv("CRIVELLO_EXTRACTION_DUMP");
  if (folder == nullptr) return;
  std::printf("page %s %d %s tp %.3g fp %.3g fn %.3g\n", set.c_str(), static_cast<int>(HalfOf(judged)),
              judged.name.c_str(), overlap.tp, overlap.fp, overlap.fn);
  std::ofstream out(std::string(folder) + "/" + set + "." + judged.name + ".txt");
  for (size_t i = 0; i < cut.size(); ++i) {
    const Block& block = page.document.blocks[i];
    out << (cut[i] == CutReason::kNone ? "+ " : "- ") << CutReasonName(cut[i]) << " ["
        << BlockKindName(block.kind) << " " << block.linked << "/" << block.text.size() << " " << block.path
        << "] " << block.text << "\n";
  }
}

// Scores by method and half of the set; the third entry is the whole set.
using Scores = std::map<ContentMethod, std::array<ExtractionScore, 3>>;

Scores ScoreSet(const std::string& set, const std::vector<ExtractionPage>& pages) {
  std::map<std::string, SiteTemplate> sites;
  std::vector<HtmlDocument> read;
  for (const ExtractionPage& judged : pages) {
    read.push_back(ReadHtmlDocument(html::ParseHtml(judged.html), {.url = judged.url}));
    sites[SiteOf(judged)].Learn(read.back().document);
  }
  Scores scores;
  for (size_t i = 0; i < pages.size(); ++i) {
    for (const ContentMethod method : kContentMethods) {
      const auto cut = FindMainContent(read[i], method, &sites[SiteOf(pages[i])]);
      const std::string text = Joined(read[i], cut);
      scores[method][HalfOf(pages[i])].Add(pages[i], text);
      const Overlap overlap = scores[method][2].Add(pages[i], text);
      if (method == ContentMethod::kDefault) Dump(set, pages[i], read[i], cut, overlap);
    }
  }
  for (const auto& [method, parts] : scores) {
    const ExtractionStats all = parts[2].Figures();
    std::printf("extraction %s %s F1 %.4f P %.4f R %.4f halves %.4f %.4f\n", set.c_str(),
                std::string(ContentMethodName(method)).c_str(), all.f1(), all.precision, all.recall,
                parts[0].Figures().f1(), parts[1].Figures().f1());
  }
  return scores;
}

double DefaultF1(const Scores& scores) { return scores.at(ContentMethod::kDefault)[2].Figures().f1(); }

TEST(ExtractionConformanceTest, FindsTheArticlesOfScrapinghub) {
  const std::string folder = SharedPath("conformance/extraction/scrapinghub");
  if (folder.empty()) GTEST_SKIP() << "skipped: no ../shared";
  const auto pages = ReadJsonSet(folder, "ground-truth.json");
  ASSERT_EQ(pages.size(), 91u);
  EXPECT_GE(DefaultF1(ScoreSet("scrapinghub", pages)), 0.96);
}

TEST(ExtractionConformanceTest, FindsTheSegmentsOfTrafilatura) {
  const std::string folder = SharedPath("conformance/extraction/trafilatura");
  if (folder.empty()) GTEST_SKIP() << "skipped: no ../shared";
  const auto pages = ReadJsonSet(folder, "segments.json");
  ASSERT_EQ(pages.size(), 287u);
  EXPECT_GE(DefaultF1(ScoreSet("trafilatura", pages)), 0.92);
}

// The slides' sum for every i <= j, computed on the bits themselves.
uint64_t QuadraticPlateauValue(const TagRuns& tags) {
  std::vector<uint64_t> ones{0};
  for (const TagRuns::Run& run : tags.runs()) {
    for (uint32_t k = 0; k < run.length; ++k) ones.push_back(ones.back() + (run.tag ? 1 : 0));
  }
  const size_t n = ones.size() - 1;
  uint64_t best = 0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i; j < n; ++j) {
      best = std::max(best, ones[i] + (j + 1 - i) - (ones[j + 1] - ones[i]) + ones[n] - ones[j + 1]);
    }
  }
  return best;
}

TEST(ExtractionConformanceTest, SolvesTheSlidesProblemOnRealPages) {
  const std::string folder = SharedPath("conformance/extraction/scrapinghub");
  if (folder.empty()) GTEST_SKIP() << "skipped: no ../shared";
  size_t judged = 0;
  for (const ExtractionPage& page : ReadJsonSet(folder, "ground-truth.json")) {
    const HtmlDocument document = ReadHtmlDocument(html::ParseHtml(page.html));
    if (document.tags.size() > 3000) continue;
    EXPECT_EQ(FindPlateau(document.tags).value, QuadraticPlateauValue(document.tags)) << page.name;
    ++judged;
  }
  EXPECT_GE(judged, 10u);
}

TEST(ExtractionConformanceTest, AgreesWithReadability) {
  const std::string folder = SharedPath("conformance/extraction/readability");
  if (folder.empty()) GTEST_SKIP() << "skipped: no ../shared";
  std::vector<ExtractionPage> pages;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_directory()) continue;
    ExtractionPage page;
    page.name = entry.path().filename();
    page.html = ReadGzipPage(entry.path() / "source.html.gz");
    const HtmlDocument expected =
        ReadHtmlDocument(html::ParseHtml(ReadGzipPage(entry.path() / "expected.html.gz")));
    page.truth = Joined(expected, std::vector<CutReason>(expected.document.blocks.size()));
    pages.push_back(std::move(page));
  }
  ASSERT_EQ(pages.size(), 68u);
  EXPECT_GE(DefaultF1(ScoreSet("readability", pages)), 0.85);
}

}  // namespace
}  // namespace crivello::text
