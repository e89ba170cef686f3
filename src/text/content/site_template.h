// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "text/formats/document.h"

namespace crivello::text {

// What the pages of one site have in common, learnt as the crawl goes: which blocks came on how many pages.
// A block that repeats over them is the site's template.
//
// Small, since a crawl has tens of thousands of sites at hand: most blocks are on one page only, and of those
// only the ones of the last page are remembered, and a sample of older ones while there is room for it.  What
// was met again is counted, in a summary of frequent items (Misra and Gries, 1982) of at most kMaxRepeated.
// So a count is never above the truth; what is on every page is counted from its second page on, what is on
// few may be met several times until two of them fall within what is remembered.  Counts are halved every
// kMaxPages pages, so that a site may change its clothes.  Blocks are told apart by 32 bits: one in a million
// is taken for another of its site.
//
// One thread at a time while it learns; reading is const.
class SiteTemplate {
 public:
  static constexpr size_t kMaxSingle = 256;  // kept of pages before the last
  static constexpr size_t kMaxRepeated = 1024;
  static constexpr size_t kMaxBlocksOfPage = 512;  // the first and the last ones: a template is at the edges
  static constexpr size_t kMaxOfPage = 1024;       // blocks, cells and places
  static constexpr uint32_t kMaxPages = 512;

  // A page of the site, as converted: what is main and what is cut plays no part.  Linear in it.
  void Learn(const Document& document);

  // On how many of pages() the block was seen, at least; told from two on.
  uint32_t Count(const Block& block) const;
  // Whether block `i` of a page is on enough pages: at least 3, and a quarter of them all; or, as links to
  // the pages before and after are, in a place where most pages have a link, or in a row with cells that
  // repeat.
  bool Repeats(const Document& document, size_t i) const;

  // What the text of a page was found to be; empty: it does not tell.
  void LearnLanguage(std::string_view code);
  // What the last two pages agree on.
  std::optional<std::string_view> language() const;

  uint32_t pages() const { return pages_; }
  // Whether it can tell anything.
  bool knows() const { return !repeated_.empty(); }
  size_t memory_bytes() const {
    return single_.capacity() * sizeof(single_[0]) + repeated_.capacity() * sizeof(repeated_[0]);
  }

  // The same bytes for the same pages: 1 KiB and 5 bytes for each block that repeats.
  // docs/formats/site-template.md
  std::string Encode() const;
  static Result<SiteTemplate> Decode(std::string_view bytes);

 private:
  struct Counted {
    uint32_t signature;
    uint32_t count;
  };

  uint32_t CountOf(uint32_t signature) const;
  void Shrink();
  void Halve();

  // By signature of a block, cell or place, in its order.
  std::vector<uint32_t> single_;   // on one page
  std::vector<Counted> repeated_;  // on more
  uint32_t pages_ = 0;
  std::string language_;  // of the last pages
  uint32_t in_language_ = 0;
};

// Main content by the template alone: a block that repeats is cut, but for single lines between blocks that
// do not ("Parameters" heads a section on every page of a reference, and is no less content for that), and so
// are single lines among links that repeat (the titles of the page before and the page after).
// A page that has nothing of its own keeps all.
std::vector<CutReason> FilterByTemplate(const Document& document, const SiteTemplate& site);

}  // namespace crivello::text
