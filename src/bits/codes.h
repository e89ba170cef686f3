// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "bits/bit_stream.h"

namespace crivello::bits {

// Instantaneous codes for the natural numbers.  Each is a small immutable value with
//   Write(writer, x)   appends the codeword of x
//   Read(reader)       the number of the next codeword, which is consumed; on damage 0, and the reader fails
//   Skip(reader)       the same without the number
//   Length(x)          |codeword of x| in bits; saturates at 2^64 - 1
// for any x from 0 to 2^64 - 1 unless stated otherwise. λ(x) is the floor of log2 x. Definitions, layouts and
// limits: docs/formats/bit-streams.md. (Elias 1975; Golomb 1966; Gallager, van Voorhis 1975; Boldi, Vigna:
// Codes for the World Wide Web, 2005.)
//
// The length of unary and Golomb words is proportional to x: code that writes untrusted numbers must check
// Length() first, or use code_registry.h, which rejects words longer than kMaxWordBits.
//
// A word of up to 56 bits is read without branching on its bits: Shape() computes its length from the window,
// which is all that the next read waits for, and Value() computes the number. Longer words, the end of the
// stream and damage are handled by ReadSlow(), which is the plain definition.

namespace internal {

constexpr uint64_t kAllOnes = ~uint64_t{0};

// λ(x + 1), also if x + 1 is 2^64.
constexpr unsigned Log2OfSuccessor(uint64_t x) {
  return x == kAllOnes ? 64 : static_cast<unsigned>(std::bit_width(x + 1)) - 1;
}
constexpr uint64_t LowBits(unsigned n) { return n == 0 ? 0 : kAllOnes >> (64 - n); }
constexpr uint64_t SaturatingAdd(uint64_t a, uint64_t b) { return a + b < a ? kAllOnes : a + b; }
constexpr unsigned Zeros(uint64_t window) { return static_cast<unsigned>(std::countl_zero(window)); }
// Shift by n mod 64, like the machine's instructions: for an empty window any result is fine.
constexpr uint64_t ShiftLeft(uint64_t word, unsigned n) { return word << (n & 63); }
constexpr uint64_t ShiftRight(uint64_t word, unsigned n) { return word >> (n & 63); }

template <typename Code>
[[gnu::always_inline]] inline uint64_t ReadWord(const Code& code, BitReader& reader) {
  auto shape = code.Shape(reader.window());
  if (shape.length > reader.available()) [[unlikely]] {
    reader.Refill();
    shape = code.Shape(reader.window());
    if (shape.length > reader.available()) [[unlikely]] {
      return reader.Detour([code](BitReader& r) { return code.ReadSlow(r); });
    }
  }
  const uint64_t x = code.Value(reader.window(), shape);
  reader.Consume(static_cast<unsigned>(shape.length));
  return x;
}

}  // namespace internal

// x zeros and a one.  Complete; intended for 2^-(x+1).
struct UnaryCode {
  static constexpr size_t kWordsPerRefill = 16;
  static void Write(BitWriter& writer, uint64_t x) {
    if (x < 64) [[likely]] {
      writer.WriteBits(1, static_cast<unsigned>(x) + 1);
    } else {
      writer.WriteZeros(x);
      writer.WriteBits(1, 1);
    }
  }
  [[gnu::always_inline]] static uint64_t Read(BitReader& reader) {
    return internal::ReadWord(UnaryCode(), reader);
  }
  static void Skip(BitReader& reader) { Read(reader); }
  static uint64_t Length(uint64_t x) { return internal::SaturatingAdd(x, 1); }

  struct WordShape {
    unsigned length;
  };
  static WordShape Shape(uint64_t window) { return {internal::Zeros(window) + 1}; }
  static uint64_t Value(uint64_t, WordShape shape) { return shape.length - 1; }
  static uint64_t ReadSlow(BitReader& reader);
};

// λ(x+1) in unary, then x+1 without its highest bit.  Complete; intended for about 1 / 2(x+1)^2.
struct GammaCode {
  static constexpr size_t kWordsPerRefill = 8;
  static void Write(BitWriter& writer, uint64_t x) {
    const unsigned log = internal::Log2OfSuccessor(x);
    if (log < 32) [[likely]] {
      writer.WriteBits(x + 1, 2 * log + 1);
    } else {
      UnaryCode::Write(writer, log);
      writer.WriteBits((x + 1) & internal::LowBits(log), log);
    }
  }
  [[gnu::always_inline]] static uint64_t Read(BitReader& reader) {
    return internal::ReadWord(GammaCode(), reader);
  }
  static void Skip(BitReader& reader) { Read(reader); }
  static uint64_t Length(uint64_t x) { return 2 * internal::Log2OfSuccessor(x) + 1; }

  struct WordShape {
    unsigned length;
  };
  static WordShape Shape(uint64_t window) { return {2 * internal::Zeros(window) + 1}; }
  static uint64_t Value(uint64_t window, WordShape shape) { return (window >> (64 - shape.length)) - 1; }
  static uint64_t ReadSlow(BitReader& reader);
};

// λ(x+1) in γ, then x+1 without its highest bit.  Complete; intended for about 1 / 2(x+1)(log(x+1)+1)^2.
struct DeltaCode {
  static constexpr size_t kWordsPerRefill = 6;
  static void Write(BitWriter& writer, uint64_t x) {
    const unsigned log = internal::Log2OfSuccessor(x);
    GammaCode::Write(writer, log);
    writer.WriteBits((x + 1) & internal::LowBits(log), log);
  }
  [[gnu::always_inline]] static uint64_t Read(BitReader& reader) {
    return internal::ReadWord(DeltaCode(), reader);
  }
  static void Skip(BitReader& reader) { Read(reader); }
  static uint64_t Length(uint64_t x) {
    const unsigned log = internal::Log2OfSuccessor(x);
    return GammaCode::Length(log) + log;
  }

  struct WordShape {
    unsigned zeros;
    uint64_t width;  // λ(x+1) + 1
    uint64_t length;
  };
  static WordShape Shape(uint64_t window) {
    const unsigned zeros = internal::Zeros(window);
    const uint64_t width = internal::ShiftRight(internal::ShiftLeft(window, zeros), 63 - zeros);
    return {zeros, width, 2 * zeros + width};
  }
  // The bit before the last λ(x+1) ends the γ part; it becomes the highest bit of x+1.
  static uint64_t Value(uint64_t window, WordShape shape) {
    return ((window << (2 * shape.zeros) | uint64_t{1} << 63) >> (64 - shape.width)) - 1;
  }
  static uint64_t ReadSlow(BitReader& reader);
};

// ζ_k: h = λ(x+1) / k in unary, then x+1 - 2^hk in the minimal binary code of the first 2^(h+1)k - 2^hk
// integers.  ζ_1 is γ.  Complete; intended for a power law of exponent about 1 + 1/k.
class ZetaCode {
 public:
  static constexpr size_t kWordsPerRefill = 4;
  // REQUIRES: 1 <= k <= 64.
  constexpr explicit ZetaCode(unsigned k)
      : k_(k), longest_short_((uint64_t{1} << 63) - 1 + (uint64_t{1} << (64 - k))) {
    assert(1 <= k && k <= 64);
  }
  constexpr unsigned k() const { return k_; }

  void Write(BitWriter& writer, uint64_t x) const;
  [[gnu::always_inline]] uint64_t Read(BitReader& reader) const { return internal::ReadWord(*this, reader); }
  void Skip(BitReader& reader) const { Read(reader); }
  uint64_t Length(uint64_t x) const;

  struct WordShape {
    unsigned h;
    unsigned is_long;
    unsigned length;
  };
  // A word is short when the k-1 bits after the unary part are zero.
  WordShape Shape(uint64_t window) const {
    const unsigned h = internal::Zeros(window);
    const unsigned is_long = internal::ShiftLeft(window, h) > longest_short_;
    return {h, is_long, h * (k_ + 1) + k_ + is_long};
  }
  uint64_t Value(uint64_t window, WordShape shape) const {
    const unsigned bits = shape.length - shape.h - 1;
    const uint64_t left = uint64_t{shape.is_long ^ 1} << (shape.h * k_);
    return (window << shape.h << 1 >> 1 >> (63 - bits)) + left - 1;
  }
  uint64_t ReadSlow(BitReader& reader) const;

 private:
  unsigned k_;
  uint64_t longest_short_;  // a one, k-1 zeros, and ones
};

// The minimal binary code of the first n integers. Its parameter is the largest of them, n - 1, so that n may
// be 2^64. With s = ceil(log n), x < 2^s - n takes s-1 bits; the others are written as x - n + 2^s in s bits.
// Complete; intended for the uniform distribution. REQUIRES: x <= max.
class MinimalBinaryCode {
 public:
  static constexpr size_t kWordsPerRefill = 4;
  constexpr explicit MinimalBinaryCode(uint64_t max)
      : bits_(static_cast<unsigned>(std::bit_width(max))),
        short_words_(internal::LowBits(bits_) - max),
        first_long_(bits_ == 0 ? 0 : short_words_ << 1 << (64 - bits_)) {}
  constexpr uint64_t max() const { return internal::LowBits(bits_) - short_words_; }

  void Write(BitWriter& writer, uint64_t x) const {
    assert(x <= max());
    if (x < short_words_) {
      writer.WriteBits(x, bits_ - 1);
    } else {
      writer.WriteBits(x + short_words_, bits_);
    }
  }
  [[gnu::always_inline]] uint64_t Read(BitReader& reader) const { return internal::ReadWord(*this, reader); }
  void Skip(BitReader& reader) const { Read(reader); }
  uint64_t Length(uint64_t x) const { return bits_ - (x < short_words_ ? 1 : 0); }

  struct WordShape {
    bool is_short;
    unsigned length;
  };
  WordShape Shape(uint64_t window) const {
    const bool is_short = window < first_long_;
    return {is_short, bits_ - is_short};
  }
  uint64_t Value(uint64_t window, WordShape shape) const {
    return (window >> 1 >> (63 - shape.length)) - (short_words_ & (uint64_t{shape.is_short} - 1));
  }
  uint64_t ReadSlow(BitReader& reader) const;

 private:
  unsigned bits_;         // s
  uint64_t short_words_;  // 2^s - n
  uint64_t first_long_;   // the first word of s bits, at the top of a window
};

// x / b in unary, then x mod b in the minimal binary code of the first b integers.  Complete; intended for
// a geometric distribution.
class GolombCode {
 public:
  static constexpr size_t kWordsPerRefill = 4;
  // REQUIRES: modulus >= 1.
  explicit GolombCode(uint64_t modulus) : modulus_(modulus), remainder_(modulus - 1) { assert(modulus >= 1); }
  uint64_t modulus() const { return modulus_; }

  // The optimal modulus for gaps between f random points among N, which are geometric with ratio p = f / N:
  // the least b with (1-p)^b + (1-p)^(b+1) <= 1. (Gaps are at least 1: write them minus 1.) REQUIRES: 1 <= f
  // <= N.
  static uint64_t OptimalModulus(uint64_t f, uint64_t n);

  void Write(BitWriter& writer, uint64_t x) const {
    UnaryCode::Write(writer, x / modulus_);
    remainder_.Write(writer, x % modulus_);
  }
  [[gnu::always_inline]] uint64_t Read(BitReader& reader) const { return internal::ReadWord(*this, reader); }
  void Skip(BitReader& reader) const { Read(reader); }
  uint64_t Length(uint64_t x) const {
    return internal::SaturatingAdd(x / modulus_, 1 + remainder_.Length(x % modulus_));
  }

  struct WordShape {
    unsigned quotient;
    MinimalBinaryCode::WordShape remainder;
    unsigned length;
  };
  WordShape Shape(uint64_t window) const {
    const unsigned quotient = internal::Zeros(window);
    const auto remainder = remainder_.Shape(internal::ShiftLeft(window, quotient) << 1);
    return {quotient, remainder, quotient + 1 + remainder.length};
  }
  // Quotient and remainder have at most 63 bits together, so there is no overflow.
  uint64_t Value(uint64_t window, WordShape shape) const {
    return shape.quotient * modulus_ + remainder_.Value(window << shape.quotient << 1, shape.remainder);
  }
  uint64_t ReadSlow(BitReader& reader) const;

 private:
  uint64_t modulus_;
  MinimalBinaryCode remainder_;
};

// Blocks of kBits bits: x in binary, in as few groups of kBits - 1 bits as possible (one for 0), each after a
// continuation bit: 1 except in the last. Instantaneous, not complete: words of several blocks never start
// with an empty group, which is rejected. Intended for a power law of exponent 1 + 1/(kBits-1).
template <unsigned kBits>
class BlockCode {
 public:
  static constexpr size_t kWordsPerRefill = 4;
  static void Write(BitWriter& writer, uint64_t x) {
    for (unsigned group = Blocks(x) - 1; group > 0; group--) {
      writer.WriteBits((x >> (group * kData) & internal::LowBits(kData)) | kContinue, kBits);
    }
    writer.WriteBits(x & internal::LowBits(kData), kBits);
  }
  [[gnu::always_inline]] static uint64_t Read(BitReader& reader) {
    return internal::ReadWord(BlockCode(), reader);
  }
  static void Skip(BitReader& reader) { Read(reader); }
  static uint64_t Length(uint64_t x) { return kBits * Blocks(x); }

  struct WordShape {
    unsigned length;
  };
  // An empty first group gives a length that exceeds any window.
  static WordShape Shape(uint64_t window) {
    const unsigned length = static_cast<unsigned>(std::countl_zero(~window & kContinuations)) + kBits;
    return {window >> (64 - kBits) == kContinue ? 128 : length};
  }
  static uint64_t Value(uint64_t window, WordShape shape) {
    const uint64_t blocks = window >> (64 - shape.length);
#ifdef __BMI2__
    return __builtin_ia32_pext_di(blocks, ~kContinuations);
#else
    uint64_t x = 0;
    for (unsigned at = 0; at < 64; at += kBits) {
      x |= (blocks >> at & internal::LowBits(kData)) << (at / kBits * kData);
    }
    return x;
#endif
  }
  static uint64_t ReadSlow(BitReader& reader);

 private:
  static constexpr unsigned kData = kBits - 1;
  static constexpr uint64_t kContinue = uint64_t{1} << kData;
  static constexpr uint64_t kContinuations = internal::kAllOnes / internal::LowBits(kBits) * kContinue;

  static unsigned Blocks(uint64_t x) {
    return (static_cast<unsigned>(std::bit_width(x | 1)) + kData - 1) / kData;
  }
};
using NibbleCode = BlockCode<4>;
using ByteCode = BlockCode<8>;

// As many ones as bytes follow the first, a zero, then x in binary in the 7 bits per byte that are left. With
// 8 more bytes there is no zero, and x has 64 bits. The fewest bytes are used, and longer words are rejected.
// The first byte gives the length, as in UTF-8. Instantaneous, not complete.
struct PrefixByteCode {
  static constexpr size_t kWordsPerRefill = 4;
  static void Write(BitWriter& writer, uint64_t x) {
    const unsigned bytes = Bytes(x);
    if (bytes == 9) {
      writer.WriteBits(0xff, 8);
      writer.WriteBits(x, 64);
    } else {
      writer.WriteBits(internal::LowBits(bytes - 1) << (7 * bytes + 1) | x, 8 * bytes);
    }
  }
  [[gnu::always_inline]] static uint64_t Read(BitReader& reader) {
    return internal::ReadWord(PrefixByteCode(), reader);
  }
  static void Skip(BitReader& reader) { Read(reader); }
  static uint64_t Length(uint64_t x) { return 8 * Bytes(x); }

  struct WordShape {
    unsigned length;
  };
  static WordShape Shape(uint64_t window) {
    const unsigned bytes = static_cast<unsigned>(std::countl_one(window)) + 1;
    // A word of several bytes has a one among its first 7 data bits; otherwise one byte less would suffice.
    const bool redundant = (bytes > 1) & (internal::ShiftLeft(window, bytes) >> 57 == 0);
    return {8 * bytes + 128 * redundant};
  }
  static uint64_t Value(uint64_t window, WordShape shape) { return Data(window, shape.length / 8); }
  static uint64_t ReadSlow(BitReader& reader);

 private:
  static unsigned Bytes(uint64_t x) {
    const unsigned bytes = (static_cast<unsigned>(std::bit_width(x | 1)) + 6) / 7;
    return bytes < 9 ? bytes : 9;
  }
  static uint64_t Data(uint64_t window, unsigned bytes) { return window << bytes >> (64 - 7 * bytes); }
};

// Reads out.size() numbers, faster than one by one: refilling once per few words, most of which then fit,
// saves a branch that may be mispredicted. Corruption if the reader failed; the numbers from there on are 0.
template <typename Code>
Status Decode(Code code, BitReader& reader, std::span<uint64_t> out) {
  BitReader local = reader;  // keeps this and `code` in registers, whatever `out` points to
  size_t i = 0;
  for (; out.size() - i >= Code::kWordsPerRefill; i += Code::kWordsPerRefill) {
    local.Refill();
    for (size_t j = 0; j < Code::kWordsPerRefill; j++) out[i + j] = code.Read(local);
  }
  for (; i < out.size(); i++) out[i] = code.Read(local);
  reader = local;
  return reader.Check();
}

}  // namespace crivello::bits
