// SPDX-License-Identifier: Apache-2.0
#include "dedup/minhash/minhash_constants.h"

#include <random>

namespace crivello::dedup {
namespace {

uint64_t DrawBelow(std::mt19937* random, uint64_t bound) {
  for (;;) {
    const uint64_t high = (*random)();
    const uint64_t value = (high << 32 | (*random)()) & kMinHashPrime;
    if (value < bound) return value;
  }
}

}  // namespace

MinHashConstants DrawMinHashConstants(uint64_t count, uint32_t seed) {
  std::mt19937 random(seed);
  MinHashConstants constants;
  for (uint64_t i = 0; i < count; i++) constants.a.push_back(1 + DrawBelow(&random, kMinHashPrime - 1));
  for (uint64_t i = 0; i < count; i++) constants.b.push_back(DrawBelow(&random, kMinHashPrime));
  return constants;
}

}  // namespace crivello::dedup
