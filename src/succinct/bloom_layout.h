// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/file_format.h"
#include "base/hash.h"

namespace crivello::succinct {

// How many bits a Bloom filter has, and how many of them each key sets.
struct BloomShape {
  uint64_t bits = 0;    // a multiple of kLineBits, not zero
  unsigned probes = 1;  // 1 to kMaxProbes

  static constexpr uint64_t kLineBits = 512;
  static constexpr unsigned kMaxProbes = 60;
  static constexpr double kMostError = 0.5;
};

// Two ways to choose the bits of a key. Each has
//   For(keys, error)      the shape for which so many keys give that error, which is between kLeastError
//                         and kMostError
//   ErrorFor(shape, keys) the error that theory gives after so many keys
//   ErrorOf(shape, words) the actual error of a filter: the probability that a random key finds only ones
//   AllProbes(shape, signature, test) whether test(bit) is true for all bits of a key; calls it for each bit
//                         until it is false (BloomLayout) or for all (BlockedBloomLayout)
//   Prefetch(shape, signature, words) prefetches the cache lines of a key

// Bits anywhere: d probes in m = d n / ln 2 = 1.44 d n bits for an error of 2^-d.
//
// One 128-bit hash gives two words, b and a, which determine all probes: b + a i suffices, as Kirsch and
// Mitzenmacher proved (Less hashing, same performance, 2006), but has three traps. First, modulo m, an `a`
// that shares a factor with m (even a and m, or worse, a multiple of m) gives few distinct probes. Here the
// sum is a fraction of the circle of 2^64, scaled to m by its high bits, so m has no influence. Second, two
// keys whose progressions overlap share almost all probes, more often than by chance. So the step grows with
// i, as in enhanced double hashing (Dillinger, Manolios: Bloom filters in probabilistic verification, 2004).
// Third, growing by 1, 2, 3 ... would not affect the high bits, so it grows by multiples of an odd constant
// near 2^64 / 1.618.
struct BloomLayout {
  static constexpr FileKind kFileKind = {.name = "bloom-filter", .version = 1};
  static constexpr double kLeastError = 0x1p-60;

  static BloomShape For(uint64_t keys, double error);
  static double ErrorFor(const BloomShape& shape, double keys);
  static double ErrorOf(const BloomShape& shape, std::span<const uint64_t> words);

  template <typename Test>
  static bool AllProbes(const BloomShape& shape, Signature128 signature, const Test& test) {
    uint64_t at = signature.high;
    uint64_t step = signature.low;
    for (uint64_t i = 0; i < shape.probes; i++) {
      if (!test(ScaleTo(at, shape.bits))) return false;
      at += step;
      step += (i + 1) * 0x9e3779b97f4a7c15u;
    }
    return true;
  }
  static void Prefetch(const BloomShape& shape, Signature128 signature, const uint64_t* words) {
    AllProbes(shape, signature, [words](uint64_t bit) {
      __builtin_prefetch(words + bit / 64);
      return true;
    });
  }
};

// All bits of a key are in one block of 512, a cache line: one miss per key instead of up to d. The number of
// keys in a block is a Poisson variable, and full blocks err more than empty ones compensate, so the same
// error takes more bits: 1.01 times as many at 2^-4, 1.04 at 2^-7, 1.08 at 2^-10, 1.34 at 2^-20. (Putze,
// Sanders, Singler: Cache-, hash- and space-efficient Bloom filters, 2009.)
//
// The probes within a block are 9-bit fields of a hash. In a range as small as 512, the few different
// progressions b + a i would repeat from key to key, and double hashing would increase the error.
struct BlockedBloomLayout {
  static constexpr FileKind kFileKind = {.name = "blocked-bloom", .version = 1};
  static constexpr double kLeastError = 0x1p-24;

  static BloomShape For(uint64_t keys, double error);
  static double ErrorFor(const BloomShape& shape, double keys);
  static double ErrorOf(const BloomShape& shape, std::span<const uint64_t> words);

  template <typename Test>
  static bool AllProbes(const BloomShape& shape, Signature128 signature, const Test& test) {
    constexpr unsigned kFieldBits = 9;
    constexpr unsigned kFields = 64 / kFieldBits;
    const uint64_t first =
        ScaleTo(signature.high, shape.bits / BloomShape::kLineBits) * BloomShape::kLineBits;
    uint64_t fields = signature.low;
    bool all = true;  // the line is cached by now: stopping early would cost a misprediction
    for (unsigned i = 0; i < shape.probes; i++) {
      if (i % kFields == 0 && i != 0) fields = Mix64(signature.low + i);
      all &= test(first + fields % BloomShape::kLineBits);
      fields >>= kFieldBits;
    }
    return all;
  }
  static void Prefetch(const BloomShape& shape, Signature128 signature, const uint64_t* words) {
    constexpr uint64_t kLineWords = BloomShape::kLineBits / 64;
    __builtin_prefetch(words + ScaleTo(signature.high, shape.bits / BloomShape::kLineBits) * kLineWords);
  }
};

}  // namespace crivello::succinct
