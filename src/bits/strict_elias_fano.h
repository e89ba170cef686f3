// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/file_system.h"
#include "bits/bit_stream.h"

namespace crivello::bits {

// The code of Elias (1974) and Fano (1971) for n strictly increasing numbers x_0 < x_1 < ... below u, in a
// bit stream, without header or directory: n and u are not written and must be known. For short sets, of
// which an index has millions (the positions of a term in a document, the documents of a block), and for long
// ones whose reader knows where to start. succinct/elias_fano.h is the structure with a directory.
//
// The numbers are distinct, so v_i = x_i - i is written, at most m = u - n: the l lower bits of each, then
// the upper ones, v_i >> l, as a sequence in which the one of v_i is at position i + (v_i >> l). The length n
// l + n + (m >> l) depends only on n and u, so a reader can skip a set without reading it; l minimises it. If
// the v_i at fixed width are not longer, they are written that way. So a set that fills its interval takes no
// bits, a dense one (l = 0) is its bitmap, and a single number takes ceil(log u).
//
// Reading takes one to two nanoseconds per number, and can start anywhere if the previous number is known. A
// value type; immutable. Limits: u <= 2^56. Format: docs/formats/bit-streams.md.
class StrictEliasFano {
 public:
  // The code of no numbers.
  constexpr StrictEliasFano() = default;
  // REQUIRES: n <= u <= 2^56.
  constexpr StrictEliasFano(uint64_t n, uint64_t u) : n_(n), most_(u - n) {
    assert(n <= u && u <= uint64_t{1} << 56);
    // Each additional bit in l adds n bits and removes half of the m >> l zeros, rounded up. So l is the
    // least value for which m >> l is at most 2 n.
    const auto width = static_cast<unsigned>(std::bit_width(most_));
    const auto enough = static_cast<unsigned>(std::bit_width(2 * n));
    lower_ = width > enough ? width - enough : 0;
    lower_ += most_ >> lower_ > 2 * n ? 1 : 0;
    upper_bits_ = n + (most_ >> lower_);
    if (n * width <= n * lower_ + upper_bits_) {
      lower_ = width;
      upper_bits_ = 0;
    }
  }

  uint64_t size() const { return n_; }
  // The length of the code in bits.
  uint64_t bits() const { return n_ * lower_ + upper_bits_; }

  // REQUIRES: n numbers, strictly increasing below u.
  template <typename Value>
  void Write(BitWriter& writer, std::span<const Value> values) const {
    assert(values.size() == n_);
    // Fields are collected in a register, because the writer's own buffer is in memory.
    uint64_t word = 0;
    unsigned filled = 0;
    if (lower_ > 0) {
      for (uint64_t i = 0; i < n_; i++) {
        assert(values[i] >= i && values[i] - i <= most_);
        if (filled + lower_ > 64) {
          writer.WriteBits(word, filled);
          word = 0;
          filled = 0;
        }
        word = word << lower_ | ((values[i] - i) & LowBits());
        filled += lower_;
      }
    }
    if (upper_bits_ > 0) {
      uint64_t upper = 0;
      for (uint64_t i = 0; i < n_; i++) {
        const uint64_t next = (values[i] - i) >> lower_;
        const uint64_t zeros = next - upper;
        upper = next;
        if (filled + zeros >= 64) {
          writer.WriteBits(word, filled);
          writer.WriteZeros(zeros);
          word = 1;
          filled = 1;
        } else {
          word = word << zeros << 1 | 1;
          filled += static_cast<unsigned>(zeros) + 1;
        }
      }
      writer.WriteBits(word, filled);
      writer.WriteZeros((most_ >> lower_) - upper);
    } else {
      writer.WriteBits(word, filled);
    }
  }

  // Which numbers to read.
  struct Range {
    uint64_t first = 0;     // index of the first one
    uint64_t count = 0;     // how many; first + count <= n
    uint64_t previous = 0;  // the number before the first one; unused if first is 0
  };
  // Reads them from the code that starts at a bit of `bytes` into `out`, which has room for `count`. False,
  // with unspecified content of `out`, if the bytes end before the code, the numbers do not increase from
  // `previous` on, or exceed u - 1. Never reads outside `bytes`, whatever they are.
  template <typename Value>
  bool Read(Bytes bytes, uint64_t start, const Range& range, Value* out) const {
    const uint64_t size_bits = 8 * uint64_t{bytes.size()};
    if (start > size_bits || bits() > size_bits - start) return false;
    // Windows have 8 bytes, starting at the byte of any bit of the code.
    const bool slack = (start + bits()) / 8 + 8 <= bytes.size();
    return slack ? ReadFrom(FastWindow{bytes.data()}, start, range, out)
                 : ReadFrom(SafeWindow{bytes}, start, range, out);
  }

 private:
  static constexpr unsigned kWindow = 56;

  // The bits from `bit` on, the first on top; at least kWindow are valid.
  struct FastWindow {
    const std::byte* bytes;
    uint64_t operator()(uint64_t bit) const { return internal::LoadBigEndian(bytes + bit / 8) << bit % 8; }
  };
  struct SafeWindow {
    Bytes bytes;
    uint64_t operator()(uint64_t bit) const {
      std::byte last[8] = {};
      const uint64_t at = bit / 8;
      if (at < bytes.size()) std::memcpy(last, bytes.data() + at, std::min<uint64_t>(8, bytes.size() - at));
      return internal::LoadBigEndian(last) << bit % 8;
    }
  };

  uint64_t LowBits() const { return (uint64_t{1} << lower_) - 1; }

  template <typename Window, typename Value>
  bool ReadFrom(Window window, uint64_t start, const Range& range, Value* out) const {
    const uint64_t before = range.first == 0 ? 0 : range.previous - (range.first - 1);  // as v
    if (before > most_) return false;
    if (range.count == 0) return true;
    if (upper_bits_ == 0) return ReadFixed(window, start, range, before, out);
    return lower_ == 0 ? ReadUpper<false>(window, start, range, before, out)
                       : ReadUpper<true>(window, start, range, before, out);
  }

  template <typename Window, typename Value>
  bool ReadFixed(Window window, uint64_t start, const Range& range, uint64_t before, Value* out) const {
    const unsigned width = lower_;
    const uint64_t most = most_;
    bool good = true;  // the x increase if the v do not decrease
    uint64_t bit = start + range.first * width;
    for (uint64_t i = range.first; i < range.first + range.count; i++, bit += width) {
      const uint64_t v = window(bit) >> 1 >> (63 - width);
      good &= v >= before;
      before = v;
      *out++ = static_cast<Value>(v + i);
    }
    return good && before <= most;
  }

  template <bool kLower, typename Window, typename Value>
  bool ReadUpper(Window window, uint64_t start, const Range& range, uint64_t before, Value* out) const {
    // Kept in registers, whatever `out` points to.
    const unsigned width = lower_;
    const uint64_t most = most_;
    const uint64_t upper_bits = upper_bits_;
    const uint64_t upper = start + n_ * width;
    const uint64_t end = range.first + range.count;
    bool good = true;
    uint64_t bit = start + range.first * width;
    uint64_t i = range.first;
    for (uint64_t position = (before >> width) + i; position < upper_bits; position += kWindow) {
      uint64_t ones = window(upper + position) >> (64 - kWindow) << (64 - kWindow);
      while (ones != 0) {
        const auto zeros = static_cast<unsigned>(std::countl_zero(ones));
        ones ^= uint64_t{1} << 63 >> zeros;
        uint64_t v = (position + zeros - i) << width;
        if constexpr (kLower) {
          v |= window(bit) >> (64 - width);
          bit += width;
          good &= v >= before;
        }
        before = v;
        *out++ = static_cast<Value>(v + i);
        if (++i == end) return good && v <= most;
      }
    }
    return false;
  }

  uint64_t n_ = 0;
  uint64_t most_ = 0;        // m
  uint64_t upper_bits_ = 0;  // 0 at fixed width
  unsigned lower_ = 0;       // l
};

}  // namespace crivello::bits
