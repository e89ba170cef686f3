// SPDX-License-Identifier: Apache-2.0
#include "index/segments/score_table.h"

#include <algorithm>
#include <cmath>

namespace crivello::index {

void ScoreTableBuilder::Add(float score) {
  if (values_.size() <= 256) values_.insert(score);
  least_ = std::min(least_, score);
  greatest_ = std::max(greatest_, score);
  if (score > 0) positive_ = std::min(positive_, score);
}

ScoreTable ScoreTableBuilder::Finish() const {
  ScoreTable table = {};
  if (values_.size() <= 256) {
    if (!values_.empty()) table.fill(*values_.rbegin());
    std::copy(values_.begin(), values_.end(), table.begin());
    return table;
  }
  if (least_ < 0) {
    for (size_t i = 0; i < 256; i++) table[i] = least_ + (greatest_ - least_) * (static_cast<float>(i) / 255);
    return table;
  }
  const double step = std::log(static_cast<double>(greatest_) / positive_) / 254;
  for (size_t i = 1; i < 255; i++)
    table[i] = static_cast<float>(positive_ * std::exp(step * static_cast<double>(i - 1)));
  table[255] = greatest_;
  return table;
}

uint8_t ScoreCode(float score, const ScoreTable& table) {
  const auto above = std::lower_bound(table.begin(), table.end(), score);
  if (above == table.end()) return 255;
  if (above == table.begin() || *above == score) return static_cast<uint8_t>(above - table.begin());
  const auto below = above - 1;
  return static_cast<uint8_t>((score - *below < *above - score ? below : above) - table.begin());
}

}  // namespace crivello::index
