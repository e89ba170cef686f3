// SPDX-License-Identifier: Apache-2.0
// Sitemaps (sitemaps.org): the pages that a site lists itself.
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
  kText,   // one address per line
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

// The version of a page in another language (xhtml:link rel="alternate").
struct SitemapAlternate {
  std::string hreflang = {};
  std::string href = {};
};

struct SitemapEntry {
  // As written, trimmed, references resolved; not parsed as a URL. In an index: the address of a sitemap.
  std::string loc;
  std::optional<int64_t> lastmod_seconds;  // since 1970
  ChangeFrequency change_frequency = ChangeFrequency::kUnknown;
  std::optional<float> priority;  // 0 to 1
  std::vector<SitemapAlternate> alternates;
};

struct SitemapOptions {
  // The protocol's limits. Entries beyond max_entries are counted but not reported; bytes beyond max_bytes
  // are not read.
  uint64_t max_entries = 50'000;
  size_t max_bytes = size_t{50} << 20;
  // A longer address is ignored.
  size_t max_loc_bytes = 8192;
  size_t max_alternates = 512;
};

struct SitemapSummary {
  SitemapKind kind = SitemapKind::kUrlSet;
  uint64_t entries = 0;     // reported
  uint64_t over_limit = 0;  // beyond max_entries
  uint64_t without_address =
      0;  // <url> without a <loc>, or with an empty or too long one; lines that are not an address
  uint64_t bytes_unread = 0;  // beyond max_bytes
};

// Reads a sitemap from UTF-8 and passes each entry to `take` as soon as it is complete; the entry object is
// reused for the next one. The caller decompresses gzipped sitemaps (.xml.gz) and limits the size. Namespaces
// may be wrong or missing, and the XML malformed or truncated: an entry counts once its <loc> has ended.
// <image:loc> and the like are not mistaken for it. Corruption if this is not a sitemap at all: a different
// root element, or a text without any address. Linear in the input; memory for one entry (for a feed, for the
// whole feed). Thread-safe.
Result<SitemapSummary> ReadSitemap(std::string_view utf8, const SitemapOptions& options,
                                   const std::function<void(const SitemapEntry&)>& take);

}  // namespace crivello::web
