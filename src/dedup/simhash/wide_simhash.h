// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/hash.h"

namespace crivello::dedup {

// Charikar's SimHash of any width up to 128 bits, for weighted features: the slides' vector, with a counter
// for each bit. A feature adds its weight where its hash has a one, and subtracts it elsewhere. Bit i of the
// result is set if and only if counter i is positive.
//
// For 64 bits and weight 1, SimHash (page_digest.h) gives the same value several times faster. A feature
// costs one addition per bit. One thread at a time.
class WideSimHash {
 public:
  static constexpr unsigned kMostBits = 128;

  // REQUIRES: 0 < width <= kMostBits.
  explicit WideSimHash(unsigned width) : width_(width) {}

  void Clear() { votes_ = {}; }
  // REQUIRES: the sum of the weights of all features fits into an int64_t.
  void Add(Signature128 hash, int64_t weight = 1);

  unsigned width() const { return width_; }
  // Counter i belongs to bit i.
  std::span<const int64_t> votes() const { return std::span(votes_).first(width_); }
  Signature128 Value() const;

 private:
  unsigned width_;
  std::array<int64_t, kMostBits> votes_ = {};
};

inline int HammingDistance(Signature128 a, Signature128 b) {
  return __builtin_popcountll(a.low ^ b.low) + __builtin_popcountll(a.high ^ b.high);
}

// The probability that a bit of two SimHashes is equal if the angle between the feature vectors has this
// cosine: 1 - angle / pi (Charikar, 2002).
double EqualBitChance(double cosine);
// The probability that at most `distance` of `bits` bits differ.
double WithinDistanceChance(double cosine, unsigned bits, unsigned distance);

}  // namespace crivello::dedup
