// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/image.h"
#include "succinct/peeling.h"

namespace crivello::succinct {

// The first words of a static function's image: docs/formats/static-function.md.
struct StaticFunctionHeader {
  static constexpr size_t kWords = 6;

  uint64_t keys = 0;
  unsigned bits = 1;
  GraphKind graph = GraphKind::kFuse4;
  bool compacted = false;
  uint64_t seed = 0;    // of the signatures
  uint64_t shards = 1;  // a power of two
  uint64_t slots = 0;
  uint64_t values = 0;  // stored values: the slots, or if compacted the nonzero ones

  std::array<uint64_t, kWords> ToWords() const;
  // Rejects impossible values, and lengths whose number of words would overflow.
  static Result<StaticFunctionHeader> ReadFrom(ImageReader& reader);
};

// "graph-2", "hypergraph-3", "fuse-4".
std::string_view GraphName(GraphKind kind);

}  // namespace crivello::succinct
