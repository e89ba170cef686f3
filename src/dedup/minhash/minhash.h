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

// How many minima are computed of which shingles, and how they are divided into bands.
struct MinHashShape {
  size_t gram = 5;  // words in a shingle
  size_t bands = 14;
  size_t rows = 8;  // minima in a band
  uint32_t seed = 1;

  size_t functions() const { return bands * rows; }
  // The probability that two texts whose sets of shingles have this resemblance share a band: 1 - (1 -
  // r^rows)^bands (Indyk, Motwani: Approximate nearest neighbors, 1998).
  double ChanceOfSharedBand(double resemblance) const;
  // Roughly where that curve is steepest: (1 / bands)^(1 / rows).
  double Knee() const;
};

// FineWeb's: 14 bands of 8 minima of 64 bits over 5-grams; the knee is at a resemblance of 0.72.
constexpr MinHashShape kFineWebShape = {};

// Minima of hashed shingles (Broder: On the resemblance and containment of documents, 1997), by datatrove's
// formula with sha1 hashes of 64 bits. h is the first eight bytes, little-endian, of the SHA-1 of the words
// of a shingle joined by spaces. Minimum i is the least ((h a_i + b_i) mod 2^64) mod (2^61 - 1), with a_i and
// b_i drawn by numpy's RandomState(seed). For the same words the minima are identical to datatrove's. A text
// with fewer words than a shingle has none.
//
// Costs one SHA-1 and `functions` products per word, both by SIMD. One thread at a time.
class MinHasher {
 public:
  static constexpr size_t kMostFunctions = 1 << 16;

  // InvalidArgument if a number is zero, or if there are more than kMostFunctions functions.
  static Result<MinHasher> Create(MinHashShape shape);

  const MinHashShape& shape() const { return shape_; }
  const MinHashConstants& constants() const { return constants_; }

  // The minima, empty if the text is too short; valid until the next call.
  std::span<const uint64_t> Minima(const Words& words);
  // The hashes of the shingles that the minima were computed from.
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

// One number per band, equal for equal minima of the band: a 64-bit hash of them and of the band's number.
// REQUIRES: minima of that shape.
std::vector<uint64_t> BandKeys(std::span<const uint64_t> minima, const MinHashShape& shape);

// The share of equal minima: an estimate of the resemblance, with standard error sqrt(r (1 - r) / minima).
// REQUIRES: equal, nonzero sizes.
double EstimatedResemblance(std::span<const uint64_t> a, std::span<const uint64_t> b);

}  // namespace crivello::dedup
