// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "base/image.h"

namespace crivello::succinct {

// An array of `size` values of `width` bits each (1 to 64), packed without gaps: value i is in bits [i *
// width, (i + 1) * width) of the words, lowest bit first. One padding word follows, so that every value can
// be read by one unaligned load, and a prefetch never leaves the array.

// The mask of a value with `count` bits.
constexpr uint64_t PackedMask(unsigned count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

// How many words `size` packed values take, without the padding; 2^64-1 if the product
// overflows.
constexpr uint64_t PackedWords(uint64_t size, unsigned width) {
  const Uint128 words = (static_cast<Uint128>(size) * width + 63) / 64;
  return words > ~uint64_t{0} ? ~uint64_t{0} : static_cast<uint64_t>(words);
}

// Collects values in memory. One thread at a time.
class CompactArrayBuilder {
 public:
  // REQUIRES: 1 <= width <= 64.
  explicit CompactArrayBuilder(unsigned width) : width_(width) {}

  // Bits of `value` beyond the width are dropped.
  void Add(uint64_t value);
  uint64_t size() const { return size_; }
  unsigned width() const { return width_; }
  // The packed words, without padding.
  std::span<const uint64_t> words() const { return words_; }
  // Appends the image: width, size, words, padding.
  void AppendTo(ImageWriter& image) const;

 private:
  unsigned width_;
  uint64_t size_ = 0;
  std::vector<uint64_t> words_;
};

// A reader for packed words, which the caller must keep alive. Immutable; any number of threads may read.
class CompactArray {
 public:
  CompactArray() = default;
  // REQUIRES: words.size() >= PackedWords(size, width) + 1.
  CompactArray(std::span<const uint64_t> words, uint64_t size, unsigned width)
      : bytes_(reinterpret_cast<const std::byte*>(words.data())),
        size_(size),
        width_(width),
        mask_(PackedMask(width)) {}

  // Reads what CompactArrayBuilder::AppendTo() wrote.
  static Result<CompactArray> ReadFrom(ImageReader& reader);

  uint64_t size() const { return size_; }
  unsigned width() const { return width_; }

  // O(1), one or two cache lines.  REQUIRES: i < size().
  uint64_t operator[](uint64_t i) const {
    const uint64_t bit = i * width_;
    if (width_ <= 57) return ShiftedLoad(bit) & mask_;
    const uint64_t at = (bit >> 6) * 8;
    const unsigned shift = bit & 63;
    uint64_t value = LoadWord(at) >> shift;
    if (shift != 0) value |= LoadWord(at + 8) << (64 - shift);
    return value & mask_;
  }

  // The xor of several values: like operator[], but with nothing between their cache misses, so that they
  // overlap, also with the caller's next ones. REQUIRES: all places are below size().
  template <size_t count>
  uint64_t XorOf(const std::array<uint64_t, count>& places) const {
    return [&]<size_t... k>(std::index_sequence<k...>) {
      if (width_ > 57) return ((*this)[places[k]] ^ ...);
      return (ShiftedLoad(places[k] * width_) ^ ...) & mask_;
    }
    (std::make_index_sequence<count>());
  }

  // Prefetches the cache line where value i starts. REQUIRES: i < size().
  void Prefetch(uint64_t i) const { __builtin_prefetch(bytes_ + ((i * width_) >> 3)); }

 private:
  uint64_t LoadWord(uint64_t byte) const {
    uint64_t word;
    std::memcpy(&word, bytes_ + byte, sizeof word);
    return word;
  }
  // At least 57 bits from `bit` on: the 8 bytes starting with the one that contains it.
  uint64_t ShiftedLoad(uint64_t bit) const { return LoadWord(bit >> 3) >> (bit & 7); }

  const std::byte* bytes_ = nullptr;
  uint64_t size_ = 0;
  unsigned width_ = 1;
  uint64_t mask_ = 1;
};

}  // namespace crivello::succinct
