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

// A rank is a static score, such as PageRank, that is computed from all pages together and replaced as a
// whole. All its columns share this scale: the same codes for the same values, so scores do not depend on how
// a collection is divided into segments and tablets.
struct RankScale {
  std::string name = {};
  uint64_t digest = 0;    // of the values from which it was made
  uint64_t pages = 0;     // the number of these values, over all tablets
  float median = 0;       // of all values; also used for pages without a value, such as newer ones
  float pivot = 1;        // the median of the values above zero; 1 if there are none
  ScoreTable table = {};  // finite, not negative, not decreasing; contains the median

  uint8_t median_code() const { return ScoreCode(median, table); }

  void AppendTo(ImageWriter& image) const;
  static Result<RankScale> ReadFrom(ImageReader& reader);
  Description Describe() const;
  friend bool operator==(const RankScale&, const RankScale&) = default;
};

// Takes the values of all pages; those that are not finite or negative count as zero.  Linear; copies them.
RankScale MakeRankScale(std::string_view name, uint64_t digest, std::span<const float> values);

// Lower-case letters, digits and hyphens, beginning with a letter; at most 40 characters.
bool IsRankName(std::string_view name);

}  // namespace crivello::index
