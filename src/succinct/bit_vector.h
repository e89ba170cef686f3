// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "base/description.h"
#include "base/image.h"

namespace crivello::succinct {

// A vector of bits in 64-bit words: bit i is bit i % 64, from the least significant, of word i / 64. Access
// costs one read. RankBits adds Rank(), RankSelectBits adds Select(): use the simplest that suffices.
//
// A view of its image, which must outlive it; immutable.  Format: docs/formats/bit-vector.md.
class BitVector {
 public:
  static constexpr FileKind kFileKind = {.name = "bit-vector", .version = 1};

  // The empty vector.
  BitVector() = default;
  static Result<BitVector> FromImage(Bytes image);
  // Reads it from a larger image that contains these words among others.
  static Result<BitVector> ReadFrom(ImageReader& reader);

  uint64_t size() const { return size_; }
  // REQUIRES: i < size().
  bool Get(uint64_t i) const { return (words_[i / 64] >> (i % 64)) & 1; }
  // size() / 64 + 1 words: there is always one after the last full word. In a valid image the bits from
  // size() on are zero.
  const uint64_t* words() const { return words_; }
  static uint64_t WordsFor(uint64_t size) { return size / 64 + 1; }

  Description Describe() const;

 private:
  uint64_t size_ = 0;
  const uint64_t* words_ = &kNoBits;

  static constexpr uint64_t kNoBits = 0;
};

// Builds a bit vector in memory, and its image with or without directories. One thread at a time.
class BitVectorBuilder {
 public:
  // `size` zeros.
  explicit BitVectorBuilder(uint64_t size = 0) : size_(size), words_(BitVector::WordsFor(size)) {}

  uint64_t size() const { return size_; }
  // REQUIRES: i < size().
  void Set(uint64_t i) {
    assert(i < size_);
    words_[i / 64] |= uint64_t{1} << (i % 64);
  }
  bool Get(uint64_t i) const {
    assert(i < size_);
    return (words_[i / 64] >> (i % 64)) & 1;
  }
  // Appends a bit.
  void Push(bool bit) {
    words_.back() |= uint64_t{bit} << (size_ % 64);
    if (++size_ % 64 == 0) words_.push_back(0);
  }

  void AppendBits(ImageWriter& image) const;            // read by BitVector
  void AppendRankBits(ImageWriter& image) const;        // read by RankBits: 3.1% larger
  void AppendRankSelectBits(ImageWriter& image) const;  // read by RankSelectBits: at most 10% larger

 private:
  uint64_t size_;
  std::vector<uint64_t> words_;  // in the layout of BitVector::words()
};

}  // namespace crivello::succinct
