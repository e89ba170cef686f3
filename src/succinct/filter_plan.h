// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/status.h"
#include "succinct/bloom_layout.h"

namespace crivello::succinct {

// How large a set with false positives becomes, before it is built: Bloom's analysis for a number of keys and
// an error, the least that any such set takes, and what the other ways take.  Pure functions.
struct FilterPlan {
  uint64_t keys = 0;
  double error = 0;
  // d probes in m = 1.44 d n bits.
  BloomShape bloom = {};
  // Bits looked at on average for a key that is not in the set: 2 where half of the bits are set.
  double probes_negative = 0;
  // One cache line a key; bits = 0 if the error is below what blocks can have.
  BloomShape blocked = {};
  // n log2(1 / error), which no set goes below.
  double least_bits = 0;
  // An approximate dictionary (static functions, approximate_dictionary.h); 0 if the error is below 2^-40.
  double dictionary_bits = 0;
};

// InvalidArgument if there are no keys or more than 2^50, or the error is not from BloomLayout::kLeastError
// to BloomShape::kMostError.
Result<FilterPlan> PlanFilter(uint64_t keys, double error);

// The probes of a Bloom filter that a random key sees before it meets a zero, with `keys` keys in it.
double NegativeProbes(const BloomShape& shape, double keys);

// Among k keys with hashes of n bits, how many pairs collide on average: k (k - 1) / 2 / 2^n.  The notes give
// its order, k^2 / 2^n.
double ExpectedCollisions(double keys, unsigned bits);
// And the probability that any do: 1 - e^-(that), the birthday bound.
double CollisionProbability(double keys, unsigned bits);

}  // namespace crivello::succinct
