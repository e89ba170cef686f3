// SPDX-License-Identifier: Apache-2.0
// Bit vectors of every kind that the directories must handle, and damage; included only by _test.cc files.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/test_support.h"
#include "succinct/bit_vector.h"

namespace crivello::succinct {

struct NamedBits {
  std::string name;
  BitVectorBuilder bits;
};

// Each bit is one with the given probability.
inline BitVectorBuilder RandomBits(uint64_t size, double density, Random& random) {
  BitVectorBuilder bits(size);
  for (uint64_t i = 0; i < size; i++)
    if (random.Unit() < density) bits.Set(i);
  return bits;
}

// Runs of ones and runs of zeros with lengths up to 2^max_log; short and long ones are equally frequent.
inline BitVectorBuilder ClusteredBits(uint64_t size, unsigned max_log, Random& random) {
  BitVectorBuilder bits(size);
  bool bit = false;
  for (uint64_t i = 0; i < size; bit = !bit) {
    uint64_t run = 1 + random.Below(uint64_t{1} << random.Below(max_log + 1));
    for (; run > 0 && i < size; run--, i++)
      if (bit) bits.Set(i);
  }
  return bits;
}

// All kinds: zeros, ones, dense, sparse, clustered, half empty.
inline std::vector<NamedBits> KindsOfBits(uint64_t size, Random& random) {
  std::vector<NamedBits> kinds;
  kinds.push_back({"zeros", BitVectorBuilder(size)});
  for (const double density : {0.0001, 0.01, 0.1, 0.5, 0.9, 0.999, 1.0})
    kinds.push_back({"density " + std::to_string(density), RandomBits(size, density, random)});
  kinds.push_back({"short runs", ClusteredBits(size, 10, random)});
  kinds.push_back({"long runs", ClusteredBits(size, 16, random)});
  BitVectorBuilder half(size);
  for (uint64_t i = size / 2; i < size; i++) half.Set(i);
  kinds.push_back({"half", std::move(half)});
  // Many ones together, then a few as far apart as possible: neither hints nor counts help to jump there.
  BitVectorBuilder crowd(size);
  for (uint64_t i = 0; i < size / 64; i++) crowd.Set(i);
  for (uint64_t i = 0; i < size; i += size / 7 + 1) crowd.Set(size - 1 - i);
  kinds.push_back({"crowd", std::move(crowd)});
  return kinds;
}

// Opening the file of a structure must fail after each single-byte change, and after truncation at each byte.
template <typename X>
void ExpectEveryDamageIsFound(const std::string& path) {
  const std::string good = *ReadFile(path);
  const auto expect_corruption = [&](const std::string& bytes, size_t at) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    EXPECT_EQ(Mapped<X>::Open(path).status().code(), StatusCode::kCorruption) << at;
  };
  for (size_t at = 0; at < good.size(); at++) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
    expect_corruption(bad, at);
    expect_corruption(good.substr(0, at), at);
  }
}

}  // namespace crivello::succinct
