// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crivello::dedup {

// The prime used by the hash functions of MinHash: 2^61 - 1.
constexpr uint64_t kMinHashPrime = (uint64_t{1} << 61) - 1;

// The factors a and addends b of a family of hash functions.
struct MinHashConstants {
  std::vector<uint64_t> a;  // 1 to kMinHashPrime - 1
  std::vector<uint64_t> b;  // 0 to kMinHashPrime - 1
};

// Drawn like numpy's RandomState(seed): randint(1, prime, size=count), then randint(0, prime, size=count), of
// 64 bits. A number takes two words of the Mersenne twister, the first one high; 61 bits are used, and drawn
// again until below the bound. Other counts give other addends: all factors are drawn first.
MinHashConstants DrawMinHashConstants(uint64_t count, uint32_t seed = 1);

// The constants for seed 1 and 112 functions, FineWeb's, as printed by numpy 1.24.2.
std::span<const uint64_t> FineWebFactors();
std::span<const uint64_t> FineWebSummands();

}  // namespace crivello::dedup
