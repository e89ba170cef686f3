// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "dedup/shingles/words.h"

namespace crivello::dedup {

// How much two sets have in common (Broder, 1997). REQUIRES: sorted, distinct. Linear.
struct Overlap {
  uint64_t shared = 0;
  uint64_t either = 0;
  uint64_t smaller = 0;  // the size of the smaller set

  // |A ∩ B| / |A ∪ B|, Jaccard's; 1 for two empty sets.
  double Resemblance() const;
  // The share of the smaller set that is also in the other: 1 for an excerpt.
  double Containment() const;
};
Overlap OverlapOf(std::span<const uint64_t> a, std::span<const uint64_t> b);

// The words of a text with their numbers of occurrences, unordered.
class WordBag {
 public:
  WordBag() = default;
  explicit WordBag(const Words& words);

  // The total number of occurrences.
  uint64_t size() const { return size_; }
  struct Entry {
    uint64_t word;  // its hash
    uint64_t count;
  };
  std::span<const Entry> entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;  // sorted by word
  uint64_t size_ = 0;
};

// The cosine of the angle between the count vectors. 0 if exactly one is empty.
double Cosine(const WordBag& a, const WordBag& b);
// The share of the longer text's words that the other has too, counting repetitions that both have.
double WordShare(const WordBag& a, const WordBag& b);

// The criterion for near-duplicates.
//   words    WordShare; in the lecture notes, "more than 90% of the words are the same"
//   cosine   Cosine
//   jaccard  the resemblance of all shingles
enum class Measure : uint8_t { kWords, kCosine, kJaccard };
Result<Measure> ParseMeasure(std::string_view name);
std::string_view MeasureName(Measure measure);

// This share of words best separates the pairs of pages judged by people: docs/duplicates.md.
constexpr double kDefaultWordShare = 0.7;

}  // namespace crivello::dedup
