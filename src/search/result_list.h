// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "search/query/query_plan.h"
#include "search/topk/topk.h"

namespace crivello::search {

struct ResultListOptions {
  bool fold_duplicates = true;
  size_t per_site = 0;  // 0: as many as there are
};

// Hits, the best first, as a person wants to see them: a page that is a copy of a better one is folded under
// that (the same text, the same cluster of near-duplicates, or a SimHash within kNearBits), and of a site no
// more than a few are shown.  What stands at a place depends on the hits before it alone.  One thread at a
// time; segments outlive it.
class ResultList {
 public:
  static constexpr int kNearBits = 3;

  struct Entry {
    Hit hit;
    uint64_t digest = 0;
    uint64_t simhash = 0;
    uint64_t cluster = 0;
    std::vector<Hit> duplicates;
    uint64_t more_from_site = 0;  // counted under the last that is shown
  };

  ResultList(std::span<const SearchedSegment> segments, const ResultListOptions& options)
      : segments_(segments), options_(options) {}
  void Add(const Hit& hit);
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  Entry* CopyOf(const Entry& entry);
  struct Site {
    size_t shown = 0;
    size_t last = 0;  // entry
  };

  std::span<const SearchedSegment> segments_;
  ResultListOptions options_;
  std::vector<Entry> entries_;
  std::map<std::string, Site> sites_;
};

}  // namespace crivello::search
