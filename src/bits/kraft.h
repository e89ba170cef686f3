// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/status.h"
#include "bits/bit_stream.h"

namespace crivello::bits {

constexpr unsigned kMaxKraftLength = 64;

// The sum of 2^-t over lengths t of codewords, exactly, in units of 2^-64. Kraft and McMillan: an
// instantaneous code with these lengths exists if and only if the sum is at most one, and such a (finite)
// code is complete if and only if it is one.
class KraftSum {
 public:
  // REQUIRES: length <= kMaxKraftLength.  Exact up to 2^64 - 1 lengths.
  void Add(unsigned length) { units_ += static_cast<Uint128>(1) << (kMaxKraftLength - length); }
  bool IsOne() const { return units_ == kOne; }
  bool ExceedsOne() const { return units_ > kOne; }
  double value() const { return static_cast<double>(units_) * 0x1p-64; }
  // In lowest terms, with a power of two as denominator: "0", "1", "7/8", "3/2^40".
  std::string ToString() const;

  friend bool operator==(const KraftSum&, const KraftSum&) = default;

 private:
  static constexpr Uint128 kOne = static_cast<Uint128>(1) << kMaxKraftLength;
  Uint128 units_ = 0;
};

// The instantaneous code that the proof of Kraft and McMillan's theorem builds from any lengths whose sum is
// at most one. In order of length (equal ones in the given order), each word takes the leftmost free interval
// of [0, 1). So it is the canonical code for those lengths: the words w_i of the numbers i have |w_i| = t_i,
// and words of equal length are consecutive integers.
//
// Immutable. Encoding is O(1); decoding is a binary search among the distinct lengths. 13 bytes per word.
class KraftCode {
 public:
  struct Word {
    uint64_t bits;
    unsigned length;
    // For example "0110"; empty for the only word of a code with a single length 0.
    std::string ToString() const;
  };

  // InvalidArgument if a length exceeds kMaxKraftLength, the sum exceeds one, or there are 2^32 or more.
  static Result<KraftCode> FromLengths(std::span<const unsigned> lengths);

  size_t size() const { return words_.size(); }
  const KraftSum& sum() const { return sum_; }
  bool complete() const { return sum_.IsOne(); }

  // REQUIRES: i < size(), in all three.
  Word word(size_t i) const { return {words_[i], lengths_[i]}; }
  unsigned Length(size_t i) const { return lengths_[i]; }
  void Write(BitWriter& writer, size_t i) const { writer.WriteBits(words_[i], lengths_[i]); }

  // Returns the number of the next word; 0, and the reader fails, if the bits are not a word.
  size_t Read(BitReader& reader) const;

 private:
  // The words of one length, which are adjacent in [0, 1). Ends are in units of 2^-64.
  struct Level {
    uint64_t first;  // the left end of the first word
    uint64_t last;   // the last unit of the last word
    unsigned length;
    uint32_t rank;  // how many words are shorter
  };

  KraftSum sum_;
  std::vector<uint64_t> words_;
  std::vector<uint8_t> lengths_;
  std::vector<uint32_t> by_rank_;  // the words in order of construction
  std::vector<Level> levels_;      // by increasing length, so both ends increase, too
};

}  // namespace crivello::bits
