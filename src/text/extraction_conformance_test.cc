// SPDX-License-Identifier: Apache-2.0
// Main content against the public sets.  The pages are read in two halves by their names, so that a rule made
// with one half in view can be judged by the other.
#include <gtest/gtest.h>

#include <cstdio>

#include "base/conformance.h"
#include "text/dom_filter.h"
#include "text/extraction_score.h"
#include "text/html_document.h"

namespace crivello::text {
namespace {

std::string Joined(const HtmlDocument& page, const std::vector<CutReason>& cut) {
  std::string text;
  for (size_t i = 0; i < cut.size(); ++i) {
    if (cut[i] == CutReason::kNone) text += page.document.blocks[i].text + "\n\n";
  }
  return text;
}

TEST(ExtractionConformanceTest, X) {
  const char* dump = std::getenv("DUMP");
  for (const std::string set : {"scrapinghub", "trafilatura"}) {
    const std::string folder = SharedPath("conformance/extraction/" + set);
    if (folder.empty()) GTEST_SKIP() << "skipped: no ../shared";
    const auto pages = ReadJsonSet(folder, set == "scrapinghub" ? "ground-truth.json" : "segments.json");
    ExtractionScore half[2], all;
    for (const auto& p : pages) {
      const HtmlDocument page = ReadHtmlDocument(web::ParseHtml(p.html), {.url = p.url});
      const auto cut = FilterByDom(page);
      const std::string text = Joined(page, cut);
      const int h = Hash64(p.name) & 1;
      half[h].Add(p, text);
      const Overlap o = all.Add(p, text);
      if (dump) {
        const std::string base = std::string(dump) + "/" + set + "." + std::to_string(h) + "." + p.name;
        std::ofstream out(base + ".txt");
        for (size_t i = 0; i < cut.size(); ++i) {
          const Block& b = page.document.blocks[i];
          std::string names;
          for (uint32_t q = page.blocks[i].part, n = 0; q != kNoPart && n < 6; q = page.parts[q].parent, ++n) {
            const auto* node = &page.parts[q];
            names += " <" + std::string(web::TagName(node->tag)) + ":" + std::to_string(node->hints) + ">";
          }
          out << (cut[i] == CutReason::kNone ? "+ " : "- ") << CutReasonName(cut[i]) << " [" << BlockKindName(b.kind)
              << " " << b.linked << "/" << b.text.size() << "] " << b.text << "      " << names << "\n";
        }
        std::printf("page %s %d %s P %.3f R %.3f tp %.3g fp %.3g fn %.3g\n", set.c_str(), h, p.name.c_str(),
                    PrecisionOf(o), RecallOf(o), o.tp, o.fp, o.fn);
      }
    }
    for (const auto* s : {&half[0], &half[1], &all})
      std::printf("extraction %s F1 %.4f P %.4f R %.4f\n", set.c_str(), s->Figures().f1(), s->Figures().precision,
                  s->Figures().recall);
  }
}

}  // namespace
}  // namespace crivello::text
