// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace crivello::text {

// What the words that a line opens with say of it.
enum class StockPhrase : uint8_t {
  kNone,
  kNotice,  // of a picture, a date, a right: "Photo:", "Published:", "(c) 2020"
  kOther,   // of what is not this text: "Read also", "Advertisement", "Leave a comment"
};

// Words that sites put between and after texts, in the larger languages of Europe.  Longer lines are
// sentences and never stock, but for copyrights.  A few comparisons.
StockPhrase FindStockPhrase(std::string_view line);

}  // namespace crivello::text
