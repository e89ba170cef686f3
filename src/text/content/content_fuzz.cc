// SPDX-License-Identifier: Apache-2.0
// For any page: its blocks, parts and links are consistent, every method judges every block, and a page that
// shows text keeps some.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "charset/utf8.h"
#include "text/content/main_content.h"
#include "text/content/text_report.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::text;
  if (size > 1 << 14) return 0;
  const std::string_view html(reinterpret_cast<const char*>(data), size);
  HtmlDocument page = ReadHtmlDocument(crivello::html::ParseHtml(html), {.url = html.substr(0, 100)});
  const size_t blocks = page.document.blocks.size();
  Require(page.blocks.size() == blocks);
  bool shown = false;
  for (size_t i = 0; i < blocks; ++i) {
    const Block& block = page.document.blocks[i];
    Require(!block.text.empty() && block.linked <= block.text.size());
    Require(page.blocks[i].part < page.parts.size());
    const HtmlPart& part = page.parts[page.blocks[i].part];
    Require(part.first_block <= i && i < part.last_block);
    Require(page.blocks[i].first_token <= page.blocks[i].last_token);
    Require(page.blocks[i].last_token <= page.tags.size());
    shown |= !page.blocks[i].hidden;
  }
  for (size_t i = 0; i < page.parts.size(); ++i) {
    const HtmlPart& part = page.parts[i];
    Require(part.end > i && part.end <= page.parts.size());
    Require(part.first_block <= part.last_block && part.last_block <= blocks);
    Require(i == 0 ? part.parent == kNoPart : part.parent < i && part.end <= page.parts[part.parent].end);
  }
  for (const DocumentLink& link : page.document.links) Require(link.block == ~0u || link.block < blocks);
  SiteTemplate site;
  for (int i = 0; i < 3; ++i) site.Learn(page.document);
  for (const ContentMethod method : kContentMethods) {
    Require(FindMainContent(page, method).size() == blocks);
    Require(FindMainContent(page, method, &site).size() == blocks);
  }
  MarkMainContent(&page);
  Require(shown == !page.document.MainText().empty());
  Require(!CompareReport(page).empty() && !SlopeDrawing(page).empty());
  return 0;
}
