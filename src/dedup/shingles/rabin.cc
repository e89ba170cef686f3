// SPDX-License-Identifier: Apache-2.0
#include "dedup/shingles/rabin.h"

#include <cstring>

namespace crivello::dedup {
namespace {

using ByteTable = std::array<std::array<uint64_t, 256>, 8>;

// The product of each byte of a word, at its position, with a polynomial.
ByteTable ProductsWith(uint64_t factor) {
  ByteTable table = {};
  for (size_t byte = 0; byte < 8; byte++) {
    std::array<uint64_t, 8> bits = {};
    for (size_t bit = 0; bit < 8; bit++) bits[bit] = RabinMultiply(uint64_t{1} << (8 * byte + bit), factor);
    for (size_t value = 0; value < 256; value++) {
      for (size_t bit = 0; bit < 8; bit++) {
        if ((value >> bit & 1) != 0) table[byte][value] ^= bits[bit];
      }
    }
  }
  return table;
}

uint64_t Product(const ByteTable& table, uint64_t word) {
  uint64_t product = 0;
  for (size_t byte = 0; byte < 8; byte++) product ^= table[byte][word >> (8 * byte) & 0xff];
  return product;
}

// x^64 mod P is P without its term x^64.
const ByteTable& TimesX64() {
  static const ByteTable table = ProductsWith(kRabinPolynomial);
  return table;
}

}  // namespace

uint64_t RabinFingerprint(std::string_view bytes) {
  const ByteTable& times = TimesX64();
  uint64_t value = 1;
  while (bytes.size() >= 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof word);
    value = Product(times, value) ^ __builtin_bswap64(word);
    bytes.remove_prefix(8);
  }
  // Multiplying by x^8 shifts the highest byte out of the word; its product with x^64 is added.
  for (const char byte : bytes) {
    value = (value << 8 | static_cast<uint8_t>(byte)) ^ times[0][value >> 56];
  }
  return value;
}

RabinWindow::RabinWindow(size_t n) : symbols_(n) {
  uint64_t power = 1;
  for (size_t i = 1; i < n; i++) power = RabinMultiply(power, kRabinPolynomial);
  drop_ = ProductsWith(power);
}

void RabinWindow::Clear() {
  symbols_.assign(symbols_.size(), 0);
  next_ = 0;
  value_ = 0;
}

uint64_t RabinWindow::Push(uint64_t symbol) {
  value_ ^= Product(drop_, symbols_[next_]);
  symbols_[next_] = symbol;
  next_ = next_ + 1 == symbols_.size() ? 0 : next_ + 1;
  value_ = Product(TimesX64(), value_) ^ symbol;
  return value_;
}

}  // namespace crivello::dedup
