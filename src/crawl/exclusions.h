// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "crawl/crawl_store.h"
#include "crawl/filter.h"

namespace crivello::crawl {

// What the owner of a collection wants no more of.  It is about what will be fetched: what was, stays.
//
// The file `exclusions.txt` of a collection has a line each, "host a.example", "prefix https://a.example/b/"
// or "filter path_ends_with(.zip)", and every crawl of it obeys: URLs of that kind are not queued, and those
// that are queued are passed over when their turn comes, unless DropExcluded() took them out before.
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

// What an exclusion is about, now.
struct ExclusionPreview {
  static constexpr size_t kMaxExamples = 20;
  uint64_t queued = 0;  // URLs that would be dropped
  uint64_t queued_hosts = 0;
  std::vector<std::string> queued_examples = {};
  uint64_t unsifted = 0;  // URLs, meant or not, that are in no queue yet: they are judged when they come
  uint64_t rows = 0;      // pages that were fetched, and stay
  std::vector<std::string> row_examples = {};
  std::vector<std::string> seeds = {};  // that would not be fetched again
};
// Reads the queues of all hosts, or of that one, and the keys of the rows that may be meant.  A crawl may go
// on meanwhile: then it is off by what that fetches.  (A row does not know its depth: to it, depth is 0.)
Result<ExclusionPreview> PreviewExclusion(CrawlStore& store, const std::vector<std::string>& seeds,
                                          const Exclusion& exclusion);

// Takes what is meant out of the queues, host by host, each at once with a line of the ledger for every URL;
// returns how many.  Reads the queue of a host into memory, and writes it anew if something of it goes.
// REQUIRES: no crawl is open.
Result<uint64_t> DropExcluded(CrawlStore& store, const Exclusion& exclusion);

}  // namespace crivello::crawl
