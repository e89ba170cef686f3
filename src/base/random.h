// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace crivello {

// A source of uniform 64-bit words. All code that needs randomness takes one, so that tests can replay it.
class Random {
 public:
  virtual ~Random() = default;
  virtual uint64_t Next() = 0;
  // Uniform in [0, n).  REQUIRES: n > 0.  The bias is below n / 2^64.
  uint64_t Below(uint64_t n) { return ScaleTo(Next(), n); }
  // Uniform in [0, 1), with 53 bits.
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }
};

// SplitMix64: the same seed gives the same sequence everywhere.  One thread at a time.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(uint64_t seed) : state_(seed) {}
  uint64_t Next() override { return Mix64(state_ += 0x9e3779b97f4a7c15u); }

 private:
  uint64_t state_;
};

// A seed from the operating system, for results that must differ from run to run.
uint64_t RandomSeed();

}  // namespace crivello
