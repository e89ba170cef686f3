// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "dedup/minhash/minhash_constants.h"
#include "dedup/shingles/words.h"

namespace crivello::dedup {

// How many minima of what a text has, and how they are put into bands.
struct MinHashShape {
  size_t gram = 5;  // words in a shingle
  size_t bands = 14;
  size_t rows = 8;  // minima in a band
  uint32_t seed = 1;

  size_t functions() const { return bands * rows; }
  // The chance that two texts whose sets of shingles have this resemblance share a band: 1 - (1 -
  // r^rows)^bands (Indyk, Motwani: Approximate nearest neighbors, 1998).
  double ChanceOfSharedBand(double resemblance) const;
  // Where that curve is steepest, roughly: (1 / bands)^(1 / rows).
  double Knee() const;
};

// FineWeb's: 14 bands of 8 minima of 64 bits over 5-grams, whose knee is at a resemblance of 0.72.
constexpr MinHashShape kFineWebShape = {};

// Minima of hashed shingles (Broder: On the resemblance and containment of documents, 1997), by the formula
// of datatrove with sha1 hashes of 64 bits: h is the first eight bytes, little-endian, of the SHA-1 of the
// words of a shingle joined by spaces, and minimum i is that of ((h a_i + b_i) mod 2^64) mod (2^61 - 1), with
// a_i and b_i as numpy's RandomState(seed) draws them.  Given the same words, the minima are those of
// datatrove, bit by bit.  A text of fewer words than a shingle has none.
//
// Costs a SHA-1 and `functions` products for each word, both by SIMD.  One thread at a time.
class MinHasher {
 public:
  static constexpr size_t kMostFunctions = 1 << 16;

  // InvalidArgument if a number is zero, or there are more than kMostFunctions functions.
  static Result<MinHasher> Create(MinHashShape shape);

  const MinHashShape& shape() const { return shape_; }
  const MinHashConstants& constants() const { return constants_; }

  // The minima, empty if the text is too short; they stay until the next call.
  std::span<const uint64_t> Minima(const Words& words);
  // The hashes of the shingles that the minima were taken of.
  std::span<const uint64_t> shingles() const { return hashes_; }

 private:
  explicit MinHasher(MinHashShape shape)
      : shape_(shape), constants_(DrawMinHashConstants(shape.functions(), shape.seed)) {}

  MinHashShape shape_;
  MinHashConstants constants_;
  std::vector<std::string_view> grams_;
  std::vector<uint64_t> hashes_;
  std::vector<uint64_t> minima_;
};

// One number for each band, equal if all minima of the band are: a hash of 64 bits of them and of the band's
// number.  REQUIRES: minima of that shape.
std::vector<uint64_t> BandKeys(std::span<const uint64_t> minima, const MinHashShape& shape);

// The part of minima that are equal: an estimate of the resemblance, off by sqrt(r (1 - r) / minima).
// REQUIRES: the same size, not zero.
double EstimatedResemblance(std::span<const uint64_t> a, std::span<const uint64_t> b);

}  // namespace crivello::dedup
