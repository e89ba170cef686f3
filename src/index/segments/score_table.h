// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <set>

namespace crivello::index {

// Static scores are kept as one-byte codes: indices into a table of 256 non-decreasing values, so codes are
// in the order of the scores.
using ScoreTable = std::array<float, 256>;

// Builds the table for some scores.  Up to 256 distinct values are kept exactly.  Otherwise it has zero and a
// geometric progression from the least value above zero to the greatest, so scores move by at most half a
// step; with negative scores the steps are equal.  The table does not depend on the order of the scores.
class ScoreTableBuilder {
 public:
  void Add(float score);
  // Unused codes repeat the greatest.
  ScoreTable Finish() const;

 private:
  std::set<float> values_;  // at most 257
  float least_ = std::numeric_limits<float>::max();
  float greatest_ = std::numeric_limits<float>::lowest();
  float positive_ = std::numeric_limits<float>::max();
};

// The index of the nearest value.
uint8_t ScoreCode(float score, const ScoreTable& table);

}  // namespace crivello::index
