// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "web/url/url.h"

namespace crivello::frontier {

// What a queued URL is fetched for.  The numbers are stored on disk, in URL records and queue blocks
// (docs/formats/url-record.md, host-queues.md): never renumber or reuse one.  3 is taken: see host-queues.md.
enum class UrlKind : uint8_t { kPage = 0, kRobots = 1, kSitemap = 2 };

constexpr int kPriorityClasses = 8;

// The page where a URL was found, relative to the URL: most links stay on their host.
struct Via {
  static constexpr size_t kMaxBytes = 2048;

  uint32_t shared = 0;         // number of first bytes that the page's URL shares with the URL
  std::string_view rest = {};  // the rest of the page's URL; owned by the caller

  // Empty for a page whose URL is longer than kMaxBytes.
  static Via Of(std::string_view url, std::string_view page);
  bool empty() const { return shared == 0 && rest.empty(); }
  // The page's URL.  REQUIRES: `url` is the URL that was found.
  std::string Page(std::string_view url) const;

  friend bool operator==(const Via&, const Via&) = default;
};

// A URL on its way to the tablet of its host.  It passes the exchange and the sieve, and becomes an item of a
// queue if it is new.  The sieve identifies it only by the signature of the URL, so the first of several
// records of a URL counts.
struct UrlRecord {
  std::string_view url = {};  // canonical; owned by the caller
  UrlKind kind = UrlKind::kPage;
  uint8_t priority = 0;  // class, 0 is served first; below kPriorityClasses
  uint32_t depth = 0;    // links from a seed
  WallTime found{};      // precise to the second
  Via via = {};          // empty: a seed, or unknown

  friend bool operator==(const UrlRecord&, const UrlRecord&) = default;
};

// Appends the record's bytes (docs/formats/url-record.md) to `out`.
void AppendUrlRecord(const UrlRecord& record, std::string* out);
// Parses the record in `bytes`, which its URL points into; nullopt if they are not a record.
std::optional<UrlRecord> ParseUrlRecord(std::string_view bytes);

// The parts of a canonical URL that the frontier needs, without a full parse.
struct UrlParts {
  std::string_view origin = {};  // "https://example.com:8080"
  std::string_view host = {};    // "example.com"
  std::string_view path = {};    // path and query, beginning with "/"
  // The path up to and including its last "/", without the query.
  std::string_view directory() const;
};
// Nullopt if `url` has no such parts, and so is not canonical.  The parts point into `url`.
std::optional<UrlParts> SplitUrl(std::string_view url);
// The host of an origin ("example.com" from "https://example.com:8080"); points into it.  Empty if there is
// none.
std::string_view HostOfOrigin(std::string_view origin);

}  // namespace crivello::frontier
