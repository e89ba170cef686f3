// SPDX-License-Identifier: Apache-2.0
#include "text/content/site_template.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "base/random.h"

namespace crivello::text {
namespace {

Block BlockOf(std::string text, bool linked = false) {
  Block block;
  block.text = std::move(text);
  if (linked) block.linked = static_cast<uint32_t>(block.text.size());
  return block;
}

Document Page(int n, int own = 20) {
  Document page;
  page.blocks.push_back(BlockOf("Home | News | Imprint", true));
  for (int i = 0; i < own; ++i) {
    if (i == own / 2) page.blocks.push_back(BlockOf("Parameters"));
    page.blocks.push_back(BlockOf("Page " + std::to_string(n) + " says thing " + std::to_string(i)));
  }
  page.blocks.push_back(BlockOf("Next page", true));
  page.blocks.push_back(BlockOf("Copyright of the site"));
  return page;
}

TEST(SiteTemplateTest, CutsWhatRepeatsAndKeepsTheRest) {
  SiteTemplate site;
  for (int n = 0; n < 10; ++n) site.Learn(Page(n));
  const Document page = Page(77);
  const auto cut = FilterByTemplate(page, site);
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    const bool own = page.blocks[i].text.starts_with("Page ") || page.blocks[i].text == "Parameters";
    EXPECT_EQ(cut[i], own ? CutReason::kNone : CutReason::kTemplate) << page.blocks[i].text;
  }
}

TEST(SiteTemplateTest, KnowsThePagesBeforeAndAfterByTheirPlaceAndByTheirRow) {
  const auto page = [](int n) {
    Document document = Page(n);
    Block row = BlockOf("Prev\tChapter " + std::to_string(n) + "\tNext");
    row.kind = BlockKind::kTable;
    row.linked = 8;
    document.blocks.insert(document.blocks.begin(), row);
    Block next = BlockOf("On to chapter " + std::to_string(n + 1), true);
    next.path = "ul/li";
    document.blocks.push_back(next);
    return document;
  };
  SiteTemplate site;
  for (int n = 0; n < 10; ++n) site.Learn(page(n));
  const Document fresh = page(50);
  const auto cut = FilterByTemplate(fresh, site);
  EXPECT_EQ(cut.front(), CutReason::kTemplate);
  EXPECT_EQ(cut.back(), CutReason::kTemplate);
  EXPECT_EQ(cut[fresh.blocks.size() / 2], CutReason::kNone);
}

TEST(SiteTemplateTest, KnowsNothingBeforeTheThirdPage) {
  SiteTemplate site;
  for (int n = 0; n < 2; ++n) site.Learn(Page(n));
  for (const CutReason reason : FilterByTemplate(Page(2), site)) EXPECT_EQ(reason, CutReason::kNone);
}

TEST(SiteTemplateTest, LeavesAPageThatIsAllTemplateAlone) {
  SiteTemplate site;
  for (int n = 0; n < 10; ++n) site.Learn(Page(1));
  for (const CutReason reason : FilterByTemplate(Page(1), site)) EXPECT_EQ(reason, CutReason::kNone);
}

TEST(SiteTemplateTest, NeverCountsTooManyInBoundedMemory) {
  SiteTemplate site;
  SeededRandom random(7);
  std::map<std::string, uint32_t> truth;
  for (int n = 0; n < 400; ++n) {
    Document page;
    std::set<std::string> distinct;
    // One block is on every page, a few are on most pages, most are on one.
    distinct.insert("always");
    for (int i = 0; i < 300; ++i) {
      const uint64_t kind = random.Below(4);
      distinct.insert(kind == 0 ? "common " + std::to_string(random.Below(40))
                                : "rare " + std::to_string(random.Next()));
    }
    for (const std::string& text : distinct) {
      page.blocks.push_back(BlockOf(text));
      ++truth[text];
    }
    site.Learn(page);
    EXPECT_LE(site.memory_bytes(), 4096u);
  }
  EXPECT_EQ(site.pages(), 400u);
  EXPECT_EQ(site.Count(BlockOf("always")), 400u);
  for (const auto& [text, count] : truth) {
    const uint32_t found = site.Count(BlockOf(text));
    EXPECT_LE(found, count);
    if (text.starts_with("common")) {
      EXPECT_GE(found, site.pages() / 4) << text;
    }
  }
}

TEST(SiteTemplateTest, KnowsABlockOfEveryThirdPage) {
  SiteTemplate site;
  for (int n = 0; n < 60; ++n) {
    Document page = Page(n);
    if (n % 3 == 0) page.blocks.push_back(BlockOf("Subscribe to our letter"));
    site.Learn(page);
  }
  EXPECT_GE(site.Count(BlockOf("Subscribe to our letter")), 15u);
}

TEST(SiteTemplateTest, KeepsWhatIsOnMostPagesOfALargeSite) {
  SiteTemplate site;
  // More repeated blocks than ever fit.
  for (int n = 0; n < 400; ++n) {
    Document page;
    page.blocks.push_back(BlockOf("always"));
    for (int i = 0; i < 500; ++i) page.blocks.push_back(BlockOf("part " + std::to_string(n / 2 * 500 + i)));
    site.Learn(page);
  }
  EXPECT_GE(site.Count(BlockOf("always")), 3u);
  EXPECT_LE(site.memory_bytes(), 4 * SiteTemplate::kMaxOfPage + 16 * SiteTemplate::kMaxRepeated);
}

TEST(SiteTemplateTest, ForgetsAnOldDesign) {
  SiteTemplate site;
  for (int n = 0; n < 300; ++n) site.Learn(Page(n, 5));
  Document fresh;
  fresh.blocks.push_back(BlockOf("The new menu", true));
  for (int n = 0; n < 4 * static_cast<int>(SiteTemplate::kMaxPages); ++n) site.Learn(fresh);
  EXPECT_TRUE(site.Repeats(fresh, 0));
  EXPECT_LT(site.Count(Page(0).blocks[0]), 3u);
}

TEST(SiteTemplateTest, KnowsTheLanguageThatTwoPagesAgreeOn) {
  SiteTemplate site;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(site.language(), std::nullopt);
    site.LearnLanguage("it");
  }
  EXPECT_EQ(site.language(), "it");
  site.LearnLanguage("");
  EXPECT_EQ(site.language(), std::nullopt);
  site.LearnLanguage("");
  EXPECT_EQ(site.language(), "");
}

TEST(SiteTemplateTest, ComesBackFromItsBytes) {
  SiteTemplate site;
  for (int n = 0; n < 3; ++n) site.LearnLanguage("it");
  for (int n = 0; n < 40; ++n) site.Learn(Page(n));
  const std::string bytes = site.Encode();
  EXPECT_LE(bytes.size(), 2u << 10);
  const auto read = SiteTemplate::Decode(bytes);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->Encode(), bytes);
  EXPECT_EQ(read->pages(), 40u);
  EXPECT_EQ(read->language(), "it");
  EXPECT_TRUE(read->Repeats(Page(0), 0));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(SiteTemplate::Decode(std::string_view(bytes).substr(0, size)).ok()) << size;
  EXPECT_FALSE(SiteTemplate::Decode(bytes + "x").ok());
}

}  // namespace
}  // namespace crivello::text
