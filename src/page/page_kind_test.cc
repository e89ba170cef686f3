// SPDX-License-Identifier: Apache-2.0
#include "page/page_kind.h"

#include <gtest/gtest.h>

namespace crivello::page {
namespace {

using store::PageKind;

text::Block BlockOf(std::string text, size_t linked = 0) {
  text::Block block;
  block.text = std::move(text);
  block.linked = static_cast<uint32_t>(linked);
  return block;
}

PageKind KindOf(std::string_view url, std::string title, std::vector<text::Block> blocks) {
  text::Document document;
  document.title = std::move(title);
  document.blocks = std::move(blocks);
  return KindOfPage(web::ParseUrl(url).value(), document);
}

TEST(PageKindTest, ByUrlAndContent) {
  const std::string text(300, 'a');
  EXPECT_EQ(KindOf("https://a.test/", "A", {BlockOf("Welcome")}), PageKind::kHome);
  EXPECT_EQ(KindOf("https://a.test/b", "B", {BlockOf(text)}), PageKind::kArticle);
  EXPECT_EQ(KindOf("https://a.test/b", "B", {BlockOf("A line")}), PageKind::kOther);
  EXPECT_EQ(KindOf("https://a.test/b", "B", {BlockOf(text, 300)}), PageKind::kListing);
  EXPECT_EQ(KindOf("https://a.test/b", "B", {BlockOf(text, 300), BlockOf(text)}), PageKind::kArticle);
  // A home page may be a list of links, but a listing of a folder is not a home page.
  EXPECT_EQ(KindOf("https://a.test/", "A", {BlockOf(text, 300)}), PageKind::kHome);
  EXPECT_EQ(KindOf("https://a.test/", "Index of /", {BlockOf(text, 300)}), PageKind::kListing);
}

TEST(PageKindTest, MenusAreNoContent) {
  text::Block menu = BlockOf(std::string(2000, 'a'), 2000);
  menu.main = false;
  menu.cut = text::CutReason::kNavigation;
  EXPECT_EQ(KindOf("https://a.test/b", "B", {menu, BlockOf(std::string(300, 'b'))}), PageKind::kArticle);
  menu.cut = text::CutReason::kLinks;
  EXPECT_EQ(KindOf("https://a.test/b", "B", {menu, BlockOf(std::string(300, 'b'))}), PageKind::kListing);
}

TEST(PageKindTest, ErrorsThatAreAnsweredAsPages) {
  EXPECT_EQ(KindOf("https://a.test/b", "Not found", {BlockOf("Sorry, there is no such page.")}),
            PageKind::kError);
  EXPECT_EQ(KindOf("https://a.test/", "404", {}), PageKind::kError);
  text::Block heading = BlockOf("Seite nicht gefunden");
  heading.kind = text::BlockKind::kHeading;
  EXPECT_EQ(KindOf("https://a.test/b", "Example", {heading}), PageKind::kError);
  // A page about errors has more text.
  EXPECT_EQ(KindOf("https://a.test/b", "Error 404: what to do", {BlockOf(std::string(900, 'a'))}),
            PageKind::kArticle);
  EXPECT_EQ(KindOf("https://a.test/b", "Room 4040", {BlockOf("Short")}), PageKind::kOther);
}

}  // namespace
}  // namespace crivello::page
