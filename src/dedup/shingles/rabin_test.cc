// SPDX-License-Identifier: Apache-2.0
#include "dedup/shingles/rabin.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/random.h"

namespace crivello::dedup {
namespace {

// The remainder of a polynomial, bit by bit, the first one highest.
uint64_t RestOfBits(const std::vector<bool>& bits) {
  uint64_t rest = 0;
  for (const bool bit : bits) rest = (rest << 1 | (bit ? 1 : 0)) ^ ((rest >> 63) != 0 ? kRabinPolynomial : 0);
  return rest;
}

void AppendBits(uint64_t word, int count, std::vector<bool>* bits) {
  for (int bit = count - 1; bit >= 0; bit--) bits->push_back((word >> bit & 1) != 0);
}

// Euclid's algorithm on polynomials; P itself has 65 bits.
uint64_t GcdWithPolynomial(uint64_t other) {
  const auto degree = [](Uint128 x) {
    int bits = -1;
    for (; x != 0; x >>= 1) bits++;
    return bits;
  };
  Uint128 a = Uint128{1} << 64 | kRabinPolynomial;
  Uint128 b = other;
  while (b != 0) {
    while (degree(a) >= degree(b)) a ^= b << (degree(a) - degree(b));
    std::swap(a, b);
  }
  return static_cast<uint64_t>(a);
}

TEST(RabinTest, PolynomialIsIrreducible) {
  // Rabin's test: x^(2^64) = x mod P, and x^(2^32) - x has no common factor with P (32 is 64 divided by its
  // only prime factor).
  uint64_t power = 2;
  uint64_t half = 0;
  for (int i = 1; i <= 64; i++) {
    power = RabinMultiply(power, power);
    if (i == 32) half = power;
  }
  EXPECT_EQ(power, 2u);
  EXPECT_EQ(GcdWithPolynomial(half ^ 2), 1u);
}

TEST(RabinTest, FingerprintIsTheRestOfADivision) {
  SeededRandom random(1);
  for (size_t length = 0; length < 60; length++) {
    std::string bytes;
    for (size_t i = 0; i < length; i++) bytes += static_cast<char>(random.Below(256));
    std::vector<bool> bits = {true};
    for (const char byte : bytes) AppendBits(static_cast<uint8_t>(byte), 8, &bits);
    EXPECT_EQ(RabinFingerprint(bytes), RestOfBits(bits)) << length;
  }
  EXPECT_NE(RabinFingerprint(""), RabinFingerprint(std::string(1, '\0')));
}

TEST(RabinTest, WindowRollsOverSymbols) {
  SeededRandom random(2);
  for (const size_t n : {1u, 2u, 3u, 5u, 10u, 31u}) {
    RabinWindow window(n);
    std::vector<uint64_t> symbols(n);  // zeros before the first symbol
    for (int i = 0; i < 100; i++) {
      symbols.push_back(random.Next());
      std::vector<bool> bits;
      for (size_t k = symbols.size() - n; k < symbols.size(); k++) AppendBits(symbols[k], 64, &bits);
      EXPECT_EQ(window.Push(symbols.back()), RestOfBits(bits));
    }
    window.Clear();
    EXPECT_EQ(window.Push(7), 7u);
  }
}

}  // namespace
}  // namespace crivello::dedup
