// SPDX-License-Identifier: Apache-2.0
// The codes of the lecture notes, implemented literally on strings of '0' and '1': the reference for testing
// the fast ones. Included only by _test.cc and _fuzz.cc files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/hash.h"

namespace crivello::bits::reference {

inline std::string Binary(Uint128 x, unsigned digits) {
  std::string text(digits, '0');
  for (unsigned i = 0; i < digits; i++) text[digits - 1 - i] = (x >> i & 1) != 0 ? '1' : '0';
  return text;
}

// The binary form of x+1 without its first digit.
inline std::string ReducedBinary(uint64_t x) {
  const Uint128 successor = static_cast<Uint128>(x) + 1;
  unsigned log = 0;
  while (successor >> (log + 1) != 0) log++;
  return Binary(successor, log);
}

// x among the first n integers; n = 0 means 2^128.
inline std::string MinimalBinary(Uint128 x, Uint128 n) {
  unsigned s = 0;
  while (s < 128 && (n == 0 || static_cast<Uint128>(1) << s < n)) s++;
  const Uint128 short_words = (s == 128 ? 0 : static_cast<Uint128>(1) << s) - n;
  return x < short_words ? Binary(x, s - 1) : Binary(x + short_words, s);
}

inline std::string Unary(uint64_t x) { return std::string(x, '0') + "1"; }
inline std::string Gamma(uint64_t x) { return Unary(ReducedBinary(x).size()) + ReducedBinary(x); }
inline std::string Delta(uint64_t x) { return Gamma(ReducedBinary(x).size()) + ReducedBinary(x); }
inline std::string Golomb(uint64_t b, uint64_t x) { return Unary(x / b) + MinimalBinary(x % b, b); }

inline std::string Zeta(unsigned k, uint64_t x) {
  const unsigned h = static_cast<unsigned>(ReducedBinary(x).size()) / k;
  const Uint128 first = static_cast<Uint128>(1) << (h * k);
  const Uint128 end = (h + 1) * k == 128 ? 0 : static_cast<Uint128>(1) << ((h + 1) * k);
  return Unary(h) + MinimalBinary(static_cast<Uint128>(x) + 1 - first, end - first);
}

inline std::string Block(unsigned bits, uint64_t x) {
  unsigned groups = 1;
  while (static_cast<Uint128>(x) >> (groups * (bits - 1)) != 0) groups++;
  const std::string data = Binary(x, groups * (bits - 1));
  std::string word;
  for (unsigned i = 0; i < groups; i++) {
    word += (i + 1 < groups ? "1" : "0") + data.substr(i * (bits - 1), bits - 1);
  }
  return word;
}

inline std::string PrefixByte(uint64_t x) {
  unsigned bytes = 1;
  while (bytes < 9 && x >> (7 * bytes) != 0) bytes++;
  return std::string(bytes - 1, '1') + (bytes < 9 ? "0" : "") + Binary(x, bytes < 9 ? 7 * bytes : 64);
}

// The bits of a string in the format of a stream.
inline std::vector<std::byte> Packed(const std::string& bits) {
  std::vector<std::byte> bytes((bits.size() + 7) / 8);
  for (size_t i = 0; i < bits.size(); i++) {
    if (bits[i] == '1') bytes[i / 8] |= std::byte{0x80} >> (i % 8);
  }
  return bytes;
}
inline std::string Unpacked(Bytes bytes, size_t bits) {
  std::string text(bits, '0');
  for (size_t i = 0; i < bits; i++) {
    if ((bytes[i / 8] & std::byte{0x80} >> (i % 8)) != std::byte{0}) text[i] = '1';
  }
  return text;
}

}  // namespace crivello::bits::reference
