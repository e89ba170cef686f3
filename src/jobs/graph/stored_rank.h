// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/image.h"
#include "base/status.h"
#include "graph/names/name_list.h"
#include "graph/rank_file.h"
#include "jobs/graph/graph_names.h"

namespace crivello::jobs {

// A rank of a collection (`ranks/NAME`) with the names of its nodes.  Owns its mapped files, so replacing
// them does not affect it.  Immutable; any number of threads may read.
class StoredRank {
 public:
  // NotFound if there is none, or if the current names belong to another graph.  Only CheckGraphs() checks
  // the whole list of names; damage in it gives wrong names, but never a read outside.
  static Result<StoredRank> Open(const std::string& collection, const std::string& name);

  std::span<const float> values() const { return values_->values(); }
  const graph::NameList& names() const { return *names_; }
  const graph::RankVector& vector() const { return *values_; }
  // By row key, or by reversed host.
  std::optional<float> Find(std::string_view name) const;
  // The number of nodes with a greater value, plus one.  One pass over the values.
  uint64_t PlaceOf(float value) const;
  // Changes if any value or name changes, or a name is removed.  Reads all values.
  uint64_t Digest() const;

 private:
  StoredRank(Mapped<graph::RankVector> values, Mapped<graph::NameList> names)
      : values_(std::move(values)), names_(std::move(names)) {}
  Mapped<graph::RankVector> values_;
  Mapped<graph::NameList> names_;
};

// The names of the files in `ranks`, sorted; empty if there is no such folder.  Includes files that are not
// ranks.
Result<std::vector<std::string>> ListRanks(const std::string& collection);

// The position of a page in a rank: its own, or that of its host or domain.
struct PageStanding {
  std::string rank;
  GraphLevel level = GraphLevel::kPage;
  std::string how;  // how it was computed
  float value = 0;
  uint64_t place = 0;  // 1 is best; equal values share a place
  uint64_t nodes = 0;  // number of ranked nodes
};
// For each rank, by name, that has the page (canonical URL), its host or its domain.  Skips ranks that cannot
// be read.
Result<std::vector<PageStanding>> StandingsOf(const std::string& collection, std::string_view url);

// Call after a graph was replaced: transfers ranks computed on the old graph to the new one, by names.  A new
// node gets the median.  `before` is the list of names of the old graph.
Status CarryRanks(const std::string& collection, GraphLevel level, const graph::NameList& before);

}  // namespace crivello::jobs
