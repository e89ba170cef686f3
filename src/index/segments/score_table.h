// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <set>

namespace crivello::index {

// Static scores are kept as codes of a byte: places in a table of 256 values that does not decrease, so codes
// are in the order of the scores.
using ScoreTable = std::array<float, 256>;

// Makes the table of some scores.  Up to 256 values are kept as they are; else those from the least above
// zero to the greatest are in geometric progression, zero apart, and each differs from its own by half a step
// at most; with scores below zero the steps are equal.  The table does not depend on the order of the scores.
class ScoreTableBuilder {
 public:
  void Add(float score);
  // Codes that are not used repeat the greatest.
  ScoreTable Finish() const;

 private:
  std::set<float> values_;  // 257 at most
  float least_ = std::numeric_limits<float>::max();
  float greatest_ = std::numeric_limits<float>::lowest();
  float positive_ = std::numeric_limits<float>::max();
};

// The place of the nearest value.
uint8_t ScoreCode(float score, const ScoreTable& table);

}  // namespace crivello::index
