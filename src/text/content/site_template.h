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

// What the pages of one site have in common, learnt during the crawl: which blocks occurred on how many
// pages. A block that repeats on many pages belongs to the site's template.
//
// Small, because a crawl handles tens of thousands of sites at a time. Most blocks are on only one page; of
// those, it remembers all of the last page, and a sample of older ones while there is room. Blocks that recur
// are counted, in a summary of frequent items (Misra and Gries, 1982) of at most kMaxRepeated. So a count is
// never too high. A block on every page is counted from its second page on; a rare block may occur several
// times until two occurrences fall into what is remembered. Counts are halved every kMaxPages pages, so that
// a site may change its design. Blocks are identified by 32 bits: one in a million is mistaken for another
// block of its site.
//
// One thread at a time while it learns; const methods only read.
class SiteTemplate {
 public:
  static constexpr size_t kMaxSingle = 256;  // kept from pages before the last
  static constexpr size_t kMaxRepeated = 1024;
  static constexpr size_t kMaxBlocksOfPage = 512;  // the first and last: templates are at the edges
  static constexpr size_t kMaxOfPage = 1024;       // blocks, cells and places
  static constexpr uint32_t kMaxPages = 512;

  // Learns from a page of the site, as converted, regardless of what is main or cut. Linear in it.
  void Learn(const Document& document);

  // A lower bound on how many of pages() had the block; known if it is at least two.
  uint32_t Count(const Block& block) const;
  // Whether block `i` of a page is on enough pages: at least 3, and a quarter of them all. Links to the
  // next and previous page count if most pages have a link in that place, or if cells in their row
  // repeat.
  bool Repeats(const Document& document, size_t i) const;

  // Records the language detected in a page's text; empty if undetermined.
  void LearnLanguage(std::string_view code);
  // The language, if the last two pages agree on one.
  std::optional<std::string_view> language() const;

  uint32_t pages() const { return pages_; }
  // Whether it has learnt anything usable.
  bool knows() const { return !repeated_.empty(); }
  size_t memory_bytes() const {
    return single_.capacity() * sizeof(single_[0]) + repeated_.capacity() * sizeof(repeated_[0]);
  }

  // Deterministic: the same pages give the same bytes. 1 KiB, and 5 bytes for each block that repeats.
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

  // Sorted by the signature of a block, cell or place.
  std::vector<uint32_t> single_;   // seen on one page
  std::vector<Counted> repeated_;  // seen on more
  uint32_t pages_ = 0;
  std::string language_;  // of the last pages
  uint32_t in_language_ = 0;
};

// Main content by the template alone: a block that repeats is cut, except for single lines between blocks
// that do not repeat ("Parameters" is a heading on every page of a reference, but still content). Single
// lines among links that repeat are cut too (the titles of the previous and next page). A page without any
// content of its own keeps all blocks.
std::vector<CutReason> FilterByTemplate(const Document& document, const SiteTemplate& site);

}  // namespace crivello::text
