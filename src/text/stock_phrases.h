// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace crivello::text {

// Whether a line opens with words that sites put between and after texts, in any of the larger languages of
// Europe: "Read also", "Advertisement", "(c) 2020", "Leave a comment".  Longer lines are sentences and never
// stock.  A few comparisons.
bool IsStockPhrase(std::string_view line);

}  // namespace crivello::text
