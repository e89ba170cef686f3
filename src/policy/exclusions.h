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

// What the owner of a collection wants no more of.  It is about what will be fetched: what was, stays.
//
// The file `exclusions.txt` of a collection has a line each, "host a.example", "prefix https://a.example/b/"
// or "filter path_ends_with(.zip)", and every crawl of it obeys: URLs of that kind are not queued, and those
// that are queued are passed over when their turn comes, unless a running crawl has dropped them before.
struct Exclusion {
  enum class Kind : uint8_t { kHost, kPrefix, kFilter };
  Kind kind = Kind::kHost;
  // Canonical: a host's name, a URL, or a filter (filter.h, at the point "fetch") of what is left out.
  std::string text = {};

  // "host", "prefix" or "filter", and what people write for it.  InvalidArgument says what is wrong.
  static Result<Exclusion> Parse(std::string_view kind, std::string_view text);
  static Result<Exclusion> ParseLine(std::string_view line);
  std::string_view kind_name() const;
  std::string Line() const;
  // What it leaves out is what this accepts.
  Result<Filter> ToFilter() const;

  friend bool operator==(const Exclusion&, const Exclusion&) = default;
};

// Those of a collection, in order; none if there is no file.
Result<std::vector<Exclusion>> ReadExclusions(const std::string& collection);
// Durably.
Status WriteExclusions(const std::string& collection, const std::vector<Exclusion>& exclusions);
// Makes the filters of a crawl leave them out too.
Status AddExclusions(const std::vector<Exclusion>& exclusions, Filters* filters);

}  // namespace crivello::policy
