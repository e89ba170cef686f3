// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/random.h"
#include "bits/code_registry.h"

namespace crivello::bits {

// What makes a code of the integers universal (Elias, 1975): constants c and d exist such that, for every
// distribution p over the integers that does not increase, the mean length of a word is at most c H(p) + d.
// It is asymptotically optimal if the bound grows as H(p) itself.  Here both are measured.

// Shannon's entropy, in bits.  REQUIRES: probabilities are not negative; their sum is one.
double EntropyOfDistribution(std::span<const double> probabilities);
// The mean length of the word of i, with probability probabilities[i].  REQUIRES: no i exceeds code.max().
double MeanLength(const Code& code, std::span<const double> probabilities);

// Distributions that do not increase, over 0, 1, ..., n - 1.  REQUIRES: n > 0.
std::vector<double> UniformDistribution(size_t n);
std::vector<double> ZipfDistribution(size_t n, double exponent);
// Any: the sum of uniform distributions over the first k integers for random k, with random weights.
std::vector<double> RandomMonotoneDistribution(size_t n, Random& random);

// The bounds that follow from p(i) <= 1 / (i + 1): 2 H + 1 for gamma, H + 2 log(H + 1) + 1 for delta.
double GammaBound(double entropy);
double DeltaBound(double entropy);

}  // namespace crivello::bits
