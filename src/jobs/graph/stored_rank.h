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

// A rank of a collection (`ranks/NAME`) with the names of its nodes.  Owns the files that it maps: it stays
// as it is when they are replaced.  Immutable; any number of threads may read.
class StoredRank {
 public:
  // NotFound if there is none, or if its names are those of another graph.  The list of names is checked as a
  // whole only by CheckGraphs(); damage in it gives other names, never a read outside.
  static Result<StoredRank> Open(const std::string& collection, const std::string& name);

  std::span<const float> values() const { return values_->values(); }
  const graph::NameList& names() const { return *names_; }
  const graph::RankVector& vector() const { return *values_; }
  // Of a row key, or of a host reversed.
  std::optional<float> Find(std::string_view name) const;
  // How many nodes have a greater value, plus one.  One pass over the values.
  uint64_t PlaceOf(float value) const;
  // Another one if a value or a name is another, or if a name was removed.  Reads all values.
  uint64_t Digest() const;

 private:
  StoredRank(Mapped<graph::RankVector> values, Mapped<graph::NameList> names)
      : values_(std::move(values)), names_(std::move(names)) {}
  Mapped<graph::RankVector> values_;
  Mapped<graph::NameList> names_;
};

// The names of the files in `ranks`, in order; none if there is no such folder.  Files that are no ranks are
// among them.
Result<std::vector<std::string>> ListRanks(const std::string& collection);

// Where a page stands in a rank: by itself, or by its host or domain.
struct PageStanding {
  std::string rank;
  GraphLevel level = GraphLevel::kPage;
  std::string how;  // it was computed
  float value = 0;
  uint64_t place = 0;  // 1 is best; equal values share a place
  uint64_t nodes = 0;  // that are ranked
};
// In each rank that has the page (canonical URL), its host or its domain, by name.  Ranks that cannot be read
// are left out.
Result<std::vector<PageStanding>> StandingsOf(const std::string& collection, std::string_view url);

// After a graph was replaced: has the ranks that were computed on the graph before follow it, by names.  A
// node that is new has the median.  `before` is the list of names of that graph.
Status CarryRanks(const std::string& collection, GraphLevel level, const graph::NameList& before);

}  // namespace crivello::jobs
