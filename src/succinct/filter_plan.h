// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/status.h"
#include "succinct/bloom_layout.h"

namespace crivello::succinct {

// Predicts the size of a set with false positives, before it is built: Bloom's analysis for a number of keys
// and an error, the lower bound for any such set, and the size of the alternatives. Pure functions.
struct FilterPlan {
  uint64_t keys = 0;
  double error = 0;
  // d probes in m = 1.44 d n bits.
  BloomShape bloom = {};
  // Average number of bits examined for a key that is not in the set: 2 if half of the bits are set.
  double probes_negative = 0;
  // One cache line per key; bits = 0 if the error is too small for blocks.
  BloomShape blocked = {};
  // n log2(1 / error), the lower bound for any such set.
  double least_bits = 0;
  // An approximate dictionary (static functions, approximate_dictionary.h); 0 if the error is below 2^-40.
  double dictionary_bits = 0;
};

// InvalidArgument if there are no keys or more than 2^50, or if the error is not between
// BloomLayout::kLeastError and BloomShape::kMostError.
Result<FilterPlan> PlanFilter(uint64_t keys, double error);

// How many probes of a Bloom filter with `keys` keys a random key needs until it meets a zero.
double NegativeProbes(const BloomShape& shape, double keys);

// The expected number of colliding pairs among k keys with hashes of n bits: k (k - 1) / 2 / 2^n. The lecture
// notes give its order, k^2 / 2^n.
double ExpectedCollisions(double keys, unsigned bits);
// The probability that any pair collides: 1 - e^-(that), the birthday bound.
double CollisionProbability(double keys, unsigned bits);

}  // namespace crivello::succinct
