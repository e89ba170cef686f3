// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace crivello::kv {

// One level of a family's log-structured merge tree, as in a textbook drawing.
struct LevelStats {
  static constexpr int kMemory = -1;

  std::string family;
  int level =
      kMemory;  // kMemory: the sorted table in memory, rebuilt from the log; then 0, 1, ... on the disk
  uint64_t files = 0;
  uint64_t bytes = 0;         // of its files, or of the table in memory
  uint64_t entries = 0;       // including tombstones
  uint64_t tombstones = 0;    // markers of deleted keys
  uint64_t filter_bytes = 0;  // of Bloom filters
  uint64_t index_bytes = 0;   // of sparse indexes
};

// Whether a folder looks like a database.
bool IsDatabase(const std::string& path);

// The non-empty levels, family by family in order, each from memory downwards. Reads a database without
// writing to it, and without knowing its options. Nobody may write to it meanwhile
// (DatabaseOptions::read_only). NotFound if there is no database.
Result<std::vector<LevelStats>> DescribeLevels(const std::string& path);

}  // namespace crivello::kv
