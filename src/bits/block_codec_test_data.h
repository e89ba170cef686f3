// SPDX-License-Identifier: Apache-2.0
// Sequences of integers for testing block codecs; included only by _test.cc, _bench.cc and _fuzz.cc files.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"

namespace crivello::bits {

using Integers = std::vector<uint32_t>;

// Uniform among integers of at most `bits` bits.
inline Integers UniformIntegers(size_t count, int bits, uint64_t seed) {
  SeededRandom random(seed);
  Integers values(count);
  for (uint32_t& value : values) value = bits == 0 ? 0 : static_cast<uint32_t>(random.Next() >> (64 - bits));
  return values;
}

// The gaps, minus one, of a Bernoulli process: value k has probability p (1 - p)^k.
inline Integers GeometricIntegers(size_t count, double p, uint64_t seed) {
  SeededRandom random(seed);
  Integers values(count);
  for (uint32_t& value : values) {
    const double k = std::floor(std::log(1 - random.Unit()) / std::log1p(-p));
    value = static_cast<uint32_t>(std::min(k, 4294967295.0));
  }
  return values;
}

// A power law with exponent 1 + 1/shape, cut at 2^32: many small values, few enormous ones.
inline Integers ZipfIntegers(size_t count, double shape, uint64_t seed) {
  SeededRandom random(seed);
  Integers values(count);
  for (uint32_t& value : values) {
    const double x = std::pow(1 - random.Unit(), -shape) - 1;
    value = static_cast<uint32_t>(std::min(x, 4294967295.0));
  }
  return values;
}

// Every kind of sequence that is difficult for some codec, each with a name.
inline std::vector<std::pair<std::string, Integers>> TryingIntegers(uint64_t seed) {
  std::vector<std::pair<std::string, Integers>> all;
  for (const size_t count : {0u, 1u, 2u, 3u, 4u, 5u, 31u, 127u, 128u, 129u, 255u, 256u, 257u, 1000u, 4099u}) {
    const std::string n = " x " + std::to_string(count);
    for (const int bits : {0, 1, 2, 7, 8, 9, 15, 16, 17, 24, 25, 31, 32}) {
      all.emplace_back("uniform " + std::to_string(bits) + n, UniformIntegers(count, bits, seed++));
    }
    for (const double p : {0.9, 0.5, 0.1, 0.01, 0.0001}) {
      all.emplace_back("geometric " + std::to_string(p) + n, GeometricIntegers(count, p, seed++));
    }
    for (const double shape : {0.5, 1.0, 2.0}) {
      all.emplace_back("zipf " + std::to_string(shape) + n, ZipfIntegers(count, shape, seed++));
    }
    all.emplace_back("all max" + n, Integers(count, ~0u));
    if (count == 0) continue;
    for (const size_t at : {size_t{0}, count / 2, count - 1}) {
      Integers outlier(count, 3);
      outlier[at] = ~0u;
      all.emplace_back("outlier at " + std::to_string(at) + n, outlier);
    }
    Integers runs(count);  // of zeros, with powers of two in between
    for (size_t i = 0; i < count; i += 17) runs[i] = 1u << i % 32;
    all.emplace_back("runs of zeros" + n, runs);
    Integers halves(count);  // half small, half large
    for (size_t i = 0; i < count; i++) halves[i] = i % 2 == 0 ? 1 : 1u << 30;
    all.emplace_back("two magnitudes" + n, halves);
  }
  return all;
}

}  // namespace crivello::bits
