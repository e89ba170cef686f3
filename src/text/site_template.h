// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "text/document.h"

namespace crivello::text {

// What the pages of one site have in common, learnt as the crawl goes: which blocks came on how many pages.
// A block that repeats over them is the site's template.
//
// A summary of frequent items in bounded memory (Misra and Gries, 1982, a page at a time as in Agarwal et
// al., Mergeable summaries, PODS 2012): at most kMaxBlocks counters, each at most `missed()` below the truth,
// which is at most pages() * kMaxBlocksOfPage / kMaxBlocks; what is on nearly every page always stays.
// Counts are halved every kMaxPages pages, so that a site may change its clothes.
//
// One thread at a time while it learns; reading is const.
class SiteTemplate {
 public:
  static constexpr size_t kMaxBlocks = 1024;
  static constexpr size_t kMaxBlocksOfPage = 512;  // the first and the last ones: a template is at the edges
  static constexpr uint32_t kMaxPages = 512;

  // A page of the site, as converted: what is main and what is cut plays no part.  Linear in it.
  void Learn(const Document& document);

  // On how many of pages() the block was seen, at least.
  uint32_t Count(const Block& block) const;
  // Whether block `i` of a page is on enough pages: at least 3, and a quarter of them all; or, as links to
  // the pages before and after are, in a place where most pages have a link, or in a row with cells that
  // repeat.
  bool Repeats(const Document& document, size_t i) const;

  uint32_t pages() const { return pages_; }
  uint32_t missed() const { return missed_; }
  size_t size() const { return counts_.size(); }

  // The sketch as bytes, the same for the same counts: at most some 10 KiB.  docs/formats/site-template.md
  std::string Encode() const;
  static Result<SiteTemplate> Decode(std::string_view bytes);

 private:
  uint32_t CountOf(uint64_t signature) const;
  void Shrink();

  std::unordered_map<uint64_t, uint32_t> counts_;  // by signature of a block, cell or place
  uint32_t pages_ = 0;
  uint32_t missed_ = 0;
};

// Main content by the template alone: a block that repeats is cut, but for single lines between blocks that
// do not ("Parameters" heads a section on every page of a reference, and is no less content for that), and so
// are single lines among links that repeat (the titles of the page before and the page after).
// A page that has nothing of its own keeps all.
std::vector<CutReason> FilterByTemplate(const Document& document, const SiteTemplate& site);

}  // namespace crivello::text
