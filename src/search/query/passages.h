// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace crivello::search {

// Where a word of a query occurs in a text, increasing, and what the word is worth.
struct PlacedWord {
  std::span<const uint32_t> positions;
  size_t word = 0;  // lists of one word have the same number, below kMaxPassageWords
  float worth = 0;
};
// More words of a query, and more places of a word, are not looked at.
constexpr size_t kMaxPassageWords = 16;
constexpr size_t kMaxPassagePlaces = 256;

// The most that the words within `width` positions of one another are worth together, each counted once.
// Costs some ns for each place and word.
float BestPassage(std::span<const PlacedWord> words, uint32_t width);

}  // namespace crivello::search
