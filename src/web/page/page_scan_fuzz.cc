// SPDX-License-Identifier: Apache-2.0
// The page scan gives the same result for the whole input and for pieces of it, and respects its limits.
#include <cstdint>
#include <cstdlib>

#include "html/html_test_support.h"
#include "web/page/page_scan.h"

namespace crivello::web {
namespace {

std::string Summary(const Page& page) {
  std::string all = page.text + "\n" + std::string(page.title) + "\n" + std::string(page.base) + "\n" +
                    std::string(page.canonical) + "\n" + std::to_string(page.dropped_links);
  if (page.refresh) all += "\n" + std::to_string(page.refresh->seconds) + std::string(page.refresh->url);
  for (const Link& link : page.links) {
    all += "\n" + std::string(LinkKindName(link.kind));
    for (const std::string_view part : {link.href, link.text, link.rel, link.type, link.hreflang}) {
      all += "|" + std::string(part);
    }
    if (link.IsFeed()) all += "feed";
  }
  return all;
}

}  // namespace
}  // namespace crivello::web

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  using namespace crivello::web;
  if (size > 1 << 16) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  PageOptions small = {.max_links = 3, .max_href_bytes = 20, .max_anchor_bytes = 10, .max_text_bytes = 64};
  small.tokenizer = {.max_attributes = 4, .max_name_bytes = 16, .max_tag_bytes = 64, .max_comment_bytes = 16};
  for (const PageOptions& options : {PageOptions{}, small}) {
    const Page whole = ScanPage(text, options);
    if (whole.links.size() > options.max_links || whole.text.size() > options.max_text_bytes) std::abort();
    SeededRandom random(size);
    PageScanner scanner(options);
    html::InPieces(text, random, 1 + random.Below(32), [&](std::string_view piece) { scanner.Feed(piece); });
    if (Summary(scanner.Finish()) != Summary(whole)) std::abort();
  }
  return 0;
}
