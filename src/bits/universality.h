// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/random.h"
#include "bits/code_registry.h"

namespace crivello::bits {

// A code of the integers is universal (Elias, 1975) if constants c and d exist such that, for every
// non-increasing distribution p over the integers, the mean length of a word is at most c H(p) + d. It is
// asymptotically optimal if the ratio of the bound to H(p) tends to 1. Both are measured here.

// Shannon's entropy, in bits. REQUIRES: probabilities are non-negative and sum to one.
double EntropyOfDistribution(std::span<const double> probabilities);
// The mean word length if i has probability probabilities[i]. REQUIRES: no i exceeds code.max().
double MeanLength(const Code& code, std::span<const double> probabilities);

// Non-increasing distributions over 0, 1, ..., n - 1. REQUIRES: n > 0.
std::vector<double> UniformDistribution(size_t n);
std::vector<double> ZipfDistribution(size_t n, double exponent);
// Any: a randomly weighted sum of uniform distributions over the first k integers, for random k.
std::vector<double> RandomMonotoneDistribution(size_t n, Random& random);

// The bounds that follow from p(i) <= 1 / (i + 1): 2 H + 1 for gamma, H + 2 log(H + 1) + 1 for delta.
double GammaBound(double entropy);
double DeltaBound(double entropy);

}  // namespace crivello::bits
