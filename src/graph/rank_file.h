// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/description.h"
#include "base/file_format.h"
#include "base/image.h"
#include "base/status.h"

namespace crivello::graph {

// A rank, one number for each node of a graph, as stored for its users (the files `ranks/NAME` of a
// collection): 32-bit floats in the order of the nodes, and the list of names (names/name_list.h) of these
// nodes.  Format: docs/formats/rank-vector.md.

struct RankOrigin {
  // The list of names: its file name without the ending ("pages"), and its NameList::identity().
  std::string names;
  uint64_t names_identity = 0;
  std::string how;  // how it was computed, for people: "pagerank alpha=0.85"

  friend bool operator==(const RankOrigin&, const RankOrigin&) = default;
};

// A view of its image (Mapped<RankVector> opens a file), which must outlive it; immutable.
class RankVector {
 public:
  static constexpr FileKind kFileKind = {.name = "rank-vector", .version = 1};

  // Corruption if lengths are wrong, or if a value is infinite or NaN.  One pass over the values.
  static Result<RankVector> FromImage(Bytes image);

  uint64_t nodes() const { return values_.size(); }
  // By node.
  std::span<const float> values() const { return values_; }
  const RankOrigin& origin() const { return origin_; }
  Description Describe() const;

 private:
  RankOrigin origin_;
  std::span<const float> values_;
};

// Writes such a file, which replaces the previous one.  Values outside the range of a float become the
// nearest one inside.  InvalidArgument if a value is infinite or NaN.
Status WriteRankVector(const std::string& path, const RankOrigin& origin, std::span<const double> values,
                       FileSystem& fs = PosixFileSystem());

}  // namespace crivello::graph
