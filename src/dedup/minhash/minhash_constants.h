// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crivello::dedup {

// The prime of the hash functions of MinHash: 2^61 - 1.
constexpr uint64_t kMinHashPrime = (uint64_t{1} << 61) - 1;

// The factors a and summands b of a family of hash functions.
struct MinHashConstants {
  std::vector<uint64_t> a;  // 1 to kMinHashPrime - 1
  std::vector<uint64_t> b;  // 0 to kMinHashPrime - 1
};

// As numpy's RandomState(seed) draws them: randint(1, prime, size=count), then randint(0, prime, size=count),
// of 64 bits.  Words of the Mersenne twister, two to a number, the first one high; 61 bits of each, and again
// until it is below the bound.  Other counts have other summands: all factors are drawn first.
MinHashConstants DrawMinHashConstants(uint64_t count, uint32_t seed = 1);

// Those of seed 1 for 112 functions, FineWeb's, as numpy 1.24.2 printed them.
std::span<const uint64_t> FineWebFactors();
std::span<const uint64_t> FineWebSummands();

}  // namespace crivello::dedup
