// SPDX-License-Identifier: Apache-2.0
// Sitemaps (sitemaps.org): what a site says it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::web {

enum class SitemapKind : uint8_t {
  kUrlSet,
  kIndex,  // its entries are sitemaps
  kText,   // an address a line
  kFeed,   // RSS, Atom, JSON Feed
};

// "urlset", "index", "text", "feed".
std::string_view SitemapKindName(SitemapKind kind);

enum class ChangeFrequency : uint8_t {
  kUnknown,
  kAlways,
  kHourly,
  kDaily,
  kWeekly,
  kMonthly,
  kYearly,
  kNever
};

// Another language's version of a page (xhtml:link rel="alternate").
struct SitemapAlternate {
  std::string hreflang = {};
  std::string href = {};
};

struct SitemapEntry {
  // As written, trimmed and with references resolved; not parsed as a URL.  In an index, a sitemap's address.
  std::string loc;
  std::optional<int64_t> lastmod_seconds;  // since 1970
  ChangeFrequency change_frequency = ChangeFrequency::kUnknown;
  std::optional<float> priority;  // 0 to 1
  std::vector<SitemapAlternate> alternates;
};

struct SitemapOptions {
  // The protocol's limits.  Entries beyond the number are counted, not reported; bytes beyond the size are
  // not read.
  uint64_t max_entries = 50'000;
  size_t max_bytes = size_t{50} << 20;
  // An address that is longer is no address.
  size_t max_loc_bytes = 8192;
  size_t max_alternates = 512;
};

struct SitemapSummary {
  SitemapKind kind = SitemapKind::kUrlSet;
  uint64_t entries = 0;     // reported
  uint64_t over_limit = 0;  // beyond max_entries
  uint64_t without_address =
      0;  // <url> without a <loc>, with an empty or too long one; lines that are no address
  uint64_t bytes_unread = 0;  // beyond max_bytes
};

// Reads a sitemap from UTF-8 and reports each entry to `take` as soon as it is complete; the entry is reused
// for the next.  A gzipped one (.xml.gz) is unpacked by the caller, who also bounds that.  Namespaces may be
// wrong or absent, the XML malformed or cut off: an entry counts once its <loc> has ended.  <image:loc> and
// the like are not taken for it.  Corruption if this is no sitemap at all: another root element, a text
// without a single address.  Linear in the input; memory is that of one entry (for a feed, of the feed).
// Thread-safe.
Result<SitemapSummary> ReadSitemap(std::string_view utf8, const SitemapOptions& options,
                                   const std::function<void(const SitemapEntry&)>& take);

}  // namespace crivello::web
