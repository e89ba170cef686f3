// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace crivello::text {

// What the opening words of a line say about it.
enum class StockPhrase : uint8_t {
  kNone,
  kNotice,  // a caption, date or copyright: "Photo:", "Published:", "(c) 2020"
  kOther,   // not part of the text: "Read also", "Advertisement", "Leave a comment"
};

// Phrases that sites put between and after texts, in the larger languages of Europe. Longer lines are
// sentences and never stock phrases, except copyrights. Costs a few comparisons.
StockPhrase FindStockPhrase(std::string_view line);

}  // namespace crivello::text
