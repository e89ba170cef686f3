// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "policy/filter.h"

namespace crivello::policy {

// URLs that the owner of a collection does not want to be fetched.  Pages that were fetched before are kept.
//
// The file `exclusions.txt` of a collection has one per line, "host a.example", "prefix https://a.example/b/"
// or "filter path_ends_with(.zip)", and every crawl of it obeys: it does not queue such URLs, and skips those
// already queued when their turn comes, unless a running crawl has dropped them before.
struct Exclusion {
  enum class Kind : uint8_t { kHost, kPrefix, kFilter };
  Kind kind = Kind::kHost;
  // Canonical: a host name, a URL, or a filter (filter.h, for the point "fetch") that matches exclusions.
  std::string text = {};

  // `kind` is "host", "prefix" or "filter", `text` as users write it.  InvalidArgument says what is wrong.
  static Result<Exclusion> Parse(std::string_view kind, std::string_view text);
  static Result<Exclusion> ParseLine(std::string_view line);
  std::string_view kind_name() const;
  std::string Line() const;
  // A filter that accepts the excluded URLs.
  Result<Filter> ToFilter() const;

  friend bool operator==(const Exclusion&, const Exclusion&) = default;
};

// The exclusions of a collection, in order; empty if there is no file.
Result<std::vector<Exclusion>> ReadExclusions(const std::string& collection);
// Durably.
Status WriteExclusions(const std::string& collection, const std::vector<Exclusion>& exclusions);
// Adds the exclusions to the filters of a crawl.
Status AddExclusions(const std::vector<Exclusion>& exclusions, Filters* filters);

}  // namespace crivello::policy
