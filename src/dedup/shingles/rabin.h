// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace crivello::dedup {

// Rabin's 64-bit fingerprints (Fingerprinting by random polynomials, 1981; Broder: Some applications of
// Rabin's fingerprinting method, 1993). A bit string is a polynomial over GF(2), and its fingerprint is its
// remainder modulo an irreducible polynomial P of degree 64. Two different strings of m bits have the same
// fingerprint for at most m / 64 of the about 2^58 such polynomials.
//
// P is x^64 + kRabinPolynomial, chosen at random once. Fingerprints are written to files: it never changes.
constexpr uint64_t kRabinPolynomial = 0xbae6b83b59bdd461;

// a · b mod P, bit by bit: 64 steps.
constexpr uint64_t RabinMultiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  for (int bit = 63; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 63) != 0 ? kRabinPolynomial : 0);
    if ((b >> bit & 1) != 0) product ^= a;
  }
  return product;
}

// The fingerprint of bytes, the first one highest, after a leading 1, so that leading zeros count. Eight
// bytes take eight table lookups.
uint64_t RabinFingerprint(std::string_view bytes);

// The fingerprint of the last n of a sequence of 64-bit symbols, as one string of 64 n bits. Adding a symbol
// and dropping the oldest takes 16 table lookups for any n. One thread at a time.
class RabinWindow {
 public:
  // REQUIRES: n > 0.
  explicit RabinWindow(size_t n);

  void Clear();
  // Adds a symbol, drops the one n before it, and returns the fingerprint of the remaining ones.
  uint64_t Push(uint64_t symbol);

 private:
  using Table = std::array<std::array<uint64_t, 256>, 8>;  // for the bytes of a word, the lowest first

  std::vector<uint64_t> symbols_;  // the last n, as a ring
  size_t next_ = 0;
  uint64_t value_ = 0;
  Table drop_;  // multiplies by x^(64 (n - 1))
};

}  // namespace crivello::dedup
