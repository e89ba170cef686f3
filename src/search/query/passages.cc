// SPDX-License-Identifier: Apache-2.0
#include "search/query/passages.h"

#include <algorithm>
#include <array>
#include <vector>

namespace crivello::search {
namespace {

struct Place {
  uint32_t position = 0;
  uint32_t list = 0;
};

// All places, in order.
std::vector<Place> MergedPlaces(std::span<const PlacedWord> words) {
  std::vector<Place> places;
  for (uint32_t i = 0; i < words.size(); i++) {
    const size_t merged = places.size();
    const size_t count = std::min(words[i].positions.size(), kMaxPassagePlaces);
    for (const uint32_t position : words[i].positions.first(count)) places.push_back({position, i});
    std::inplace_merge(places.begin(), places.begin() + static_cast<ptrdiff_t>(merged), places.end(),
                       [](const Place& a, const Place& b) { return a.position < b.position; });
  }
  return places;
}

}  // namespace

float BestPassage(std::span<const PlacedWord> words, uint32_t width) {
  const std::vector<Place> places = MergedPlaces(words);
  std::array<uint32_t, kMaxPassageWords> counts = {};
  uint32_t distinct = 0;  // words, a bit each
  uint32_t best_words = 0;
  float best = 0;
  size_t first = 0;
  for (const Place& last : places) {
    const size_t word = words[last.list].word;
    if (word >= kMaxPassageWords) continue;
    if (counts[word]++ == 0) distinct |= uint32_t{1} << word;
    for (; last.position - places[first].position >= width; first++) {
      const size_t gone = words[places[first].list].word;
      if (gone < kMaxPassageWords && --counts[gone] == 0) distinct &= ~(uint32_t{1} << gone);
    }
    if (distinct == best_words) continue;
    // Added up afresh, in the order of the words: so the sum does not depend on what was there before.
    float sum = 0;
    uint32_t added = 0;
    for (const PlacedWord& one : words) {
      const uint32_t bit = one.word < kMaxPassageWords ? uint32_t{1} << one.word : 0;
      if ((distinct & bit & ~added) != 0) sum += one.worth;
      added |= bit;
    }
    if (sum <= best) continue;
    best = sum;
    best_words = distinct;
  }
  return best;
}

}  // namespace crivello::search
