// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/description.h"
#include "base/image.h"
#include "base/status.h"
#include "index/segments/score_table.h"

namespace crivello::index {

// A rank is a static score that is computed of all pages together, such as PageRank, and replaced as a whole.
// This is what all its columns share: they have the same codes for the same values, so scores do not depend
// on how a collection is cut into segments and tablets.
struct RankScale {
  std::string name = {};
  uint64_t digest = 0;    // of the values that it was made of
  uint64_t pages = 0;     // how many these are, of all tablets
  float median = 0;       // of all values; and what pages without a value have, such as newer ones
  float pivot = 1;        // the median of the values above zero; 1 if there are none
  ScoreTable table = {};  // finite, not below zero, does not decrease; has the median

  uint8_t median_code() const { return ScoreCode(median, table); }

  void AppendTo(ImageWriter& image) const;
  static Result<RankScale> ReadFrom(ImageReader& reader);
  Description Describe() const;
  friend bool operator==(const RankScale&, const RankScale&) = default;
};

// Of the values of all pages; those that are not finite or below zero count as zero.  Linear; copies them.
RankScale MakeRankScale(std::string_view name, uint64_t digest, std::span<const float> values);

// Lower-case letters, digits and hyphens, a letter first; at most 40.
bool IsRankName(std::string_view name);

}  // namespace crivello::index
