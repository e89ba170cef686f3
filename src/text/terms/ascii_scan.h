// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace crivello::text {

// A window of text, lower-cased, with bit sets that classify each byte. Used to find the words of ASCII text
// many bytes at a time. Bytes from 0x80 on are copied unchanged. After the end of the text a window has zero
// bytes and zero bits, so that a reader may look at the 64 bytes after any byte.
class AsciiWindow {
 public:
  static constexpr size_t kBytes = 4096;

  // REQUIRES: text.size() <= kBytes.
  void Assign(std::string_view text);

  const char* lower() const { return lower_.data(); }
  size_t size() const { return size_; }

  // The first byte from `at` on that is an ASCII letter or digit, an underscore, or not ASCII; else size().
  size_t NextStart(size_t at) const {
    return Next(at, [this](size_t i) { return word_[i] | high_[i]; });
  }
  // The same without underscores and non-ASCII bytes.
  size_t NextAlnum(size_t at) const {
    return Next(at, [this](size_t i) { return word_[i] & ~underscore_[i]; });
  }
  // The first byte at or after `at` that is not a letter, digit or underscore (or not a letter or digit).
  size_t NextEnd(size_t at) const {
    return Next(at, [this](size_t i) { return ~word_[i]; });
  }
  size_t NextNoAlnum(size_t at) const {
    return Next(at, [this](size_t i) { return ~word_[i] | underscore_[i]; });
  }

  bool IsHigh(size_t at) const { return ((high_[at / 64] >> (at % 64)) & 1) != 0; }
  // Bit i describes byte at + i, for 64 bytes.
  uint64_t Upper(size_t at) const { return At(upper_, at); }
  uint64_t Underscore(size_t at) const { return At(underscore_, at); }

 private:
  static constexpr size_t kWords = kBytes / 64;
  using Bits = std::array<uint64_t, kWords + 2>;

  template <typename Mask>
  size_t Next(size_t at, Mask&& mask) const {
    size_t i = at / 64;
    uint64_t bits = mask(i) >> (at % 64) << (at % 64);
    while (bits == 0 && ++i <= kWords) bits = mask(i);
    if (bits == 0) return size_;
    const size_t found = 64 * i + static_cast<size_t>(std::countr_zero(bits));
    return found < size_ ? found : size_;
  }
  static uint64_t At(const Bits& bits, size_t at) {
    const size_t i = at / 64;
    const size_t shift = at % 64;
    return shift == 0 ? bits[i] : (bits[i] >> shift) | (bits[i + 1] << (64 - shift));
  }

  size_t size_ = 0;
  std::array<char, kBytes + 128> lower_ = {};
  Bits word_ = {};
  Bits upper_ = {};
  Bits underscore_ = {};
  Bits high_ = {};
};

}  // namespace crivello::text
