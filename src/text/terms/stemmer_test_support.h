// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

namespace crivello::text {

// What WordReducer::keeps_beginnings() guarantees for a word and its stem.
inline bool BeginsAs(std::string_view stem, std::string_view word) {
  const auto same = [](char a, char b) { return (a == 'y' ? 'i' : a) == (b == 'y' ? 'i' : b); };
  const size_t kept = std::min<size_t>(stem.size(), stem.size() < 4 ? 2 : 3);
  return word.size() >= kept && std::equal(stem.begin(), stem.begin() + kept, word.begin(), same);
}

}  // namespace crivello::text
