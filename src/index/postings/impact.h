// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace crivello::index {

// What a posting contributes to a score: how often the term occurs in the document, and how long that is.
struct Impact {
  uint32_t count = 0;
  uint32_t length = 0;
  friend bool operator==(const Impact&, const Impact&) = default;
};

// The maxima of a set of postings (a block, a list), for dynamic pruning: a few impacts such that one of them
// dominates each posting of the set, with a count at least as large and a length at least as small.  So any
// score that grows with the count and falls with the length (BM25 for any k1, b and mean length, TF/IDF, the
// count itself) is nowhere above the largest of the impacts' scores.
//
// A quantised score would take one byte instead of six, but would be wrong as soon as a segment is searched
// together with others, because the mean length is that of the whole collection, and changes.  (Lucene keeps
// such pairs for the same reason; Ding, Suel: Faster top-k document retrieval using block-max indexes, 2011,
// store scores.)
//
// At most kMaxImpacts are kept, two bytes each: 48 bits per 128 postings.  Values up to 32 have an exact
// code, and each octave above has 16 codes; counts are rounded up and lengths down, so dominance holds.
constexpr size_t kMaxImpacts = 3;
using ImpactBlock = std::array<Impact, kMaxImpacts>;  // unused ones repeat the last
constexpr size_t kImpactBytes = 2 * kMaxImpacts;

// The code of the largest length not above x, and of the smallest count not below x.  Larger lengths than
// 507,904 count as 507,904, and larger counts as the largest number.
uint8_t CodeOfLength(uint32_t x);
uint8_t CodeOfLargeCount(uint32_t x);
inline uint8_t CodeOfCount(uint32_t x) { return x <= 32 ? static_cast<uint8_t>(x) : CodeOfLargeCount(x); }
uint32_t LengthOfCode(uint8_t code);
uint32_t CountOfCode(uint8_t code);

void AppendImpacts(const ImpactBlock& block, std::vector<uint8_t>* out);
// REQUIRES: kImpactBytes readable at `from`.
ImpactBlock ReadImpacts(const std::byte* from);

// Collects the postings of a set, in a few instructions each.  One thread at a time.
class ImpactCollector {
 public:
  // If there are too many impacts, those are merged that raise BM25's bound least, given `mean_length`.
  explicit ImpactCollector(uint32_t mean_length);

  void Add(uint32_t count, uint32_t length) {
    const uint8_t code = CodeOfCount(count);
    uint32_t& least = least_length_[code];
    least = length < least ? length : least;
    used_[code / 64] |= uint64_t{1} << code % 64;
  }
  void Add(const ImpactBlock& block) {
    for (const Impact& impact : block) Add(impact.count, impact.length);
  }
  // Returns the maxima of what was added, and resets.  All zero if nothing was added.
  ImpactBlock Finish();

 private:
  uint64_t Bound(const Impact& impact) const;
  size_t MergeDownTo(size_t most, std::span<Impact> front) const;

  uint64_t mean_length_;
  std::array<uint32_t, 256> least_length_;  // by the code of the count
  std::array<uint64_t, 4> used_ = {};       // which codes have one, as bits
};

}  // namespace crivello::index
