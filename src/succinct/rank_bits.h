// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "succinct/bit_vector.h"
#include "succinct/broadword.h"

namespace crivello::succinct {

// A bit vector that counts ones: Rank(i) is the number of ones before position i.
//
// A word for each superblock of 2048 bits has the number of ones before it, and before each of its 512-bit
// blocks. The other ones are counted, in at most eight words. The directory takes 1/32 of the bits.
//   bits 33..63  ones before the superblock, since the last multiple of 2^31 bits
//   bits 11k..11k+10, k = 0, 1, 2   ones of the superblock before its block k + 1
// One more word for each 2^31 bits stores the number of ones before them. Rank() reads the directory once and
// the bits once. (Zhou, Andersen, Kaminsky: Space-Efficient, High-Performance Rank & Select Structures, 2013,
// with counts summed in advance. Blocks of 256 bits were 10% faster for twice the space; counting all eight
// words under a mask, without a branch, was slower.)
//
// A view of its image, which must outlive it; immutable. FromImage() checks only lengths: with damaged words
// counts are wrong, but nothing outside the image is read. Format: docs/formats/bit-vector.md.
class RankBits {
 public:
  static constexpr FileKind kFileKind = {.name = "rank-bits", .version = 1};

  RankBits() = default;
  static Result<RankBits> FromImage(Bytes image);
  static Result<RankBits> ReadFrom(ImageReader& reader);

  uint64_t size() const { return bits_.size(); }
  uint64_t ones() const { return ones_; }
  const BitVector& bits() const { return bits_; }
  // REQUIRES: i < size().
  bool Get(uint64_t i) const { return bits_.Get(i); }

  // The number of ones before position i.  REQUIRES: i <= size().
  uint64_t Rank(uint64_t i) const {
    const uint64_t entry = superblocks_[i / kSuperblock];
    uint64_t rank = regions_[i / kRegion] + (entry >> kCountsWidth) + BlockRank(entry, i / kBlock % 4);
    const uint64_t* words = bits_.words();
    const uint64_t last = i / 64;
    for (uint64_t w = i / kBlock * (kBlock / 64); w < last; w++)
      rank += static_cast<unsigned>(std::popcount(words[w]));
    return rank + static_cast<unsigned>(std::popcount(words[last] & LowBits(i % 64)));
  }
  // The number of zeros before position i.  REQUIRES: i <= size().
  uint64_t Rank0(uint64_t i) const { return i - Rank(i); }

  Description Describe() const;

 private:
  friend class BitVectorBuilder;
  friend class RankSelectBits;

  static constexpr uint64_t kBlock = 512;
  static constexpr uint64_t kSuperblock = 4 * kBlock;
  static constexpr uint64_t kRegion = uint64_t{1} << 31;
  static constexpr unsigned kCountWidth = 11;
  static constexpr unsigned kCountsWidth = 3 * kCountWidth;
  static constexpr uint64_t kNone = 0;

  // The ones of a superblock before its block 0, 1, 2 or 3.
  static uint64_t BlockRank(uint64_t entry, uint64_t block) {
    return ((entry & LowBits(kCountsWidth)) << kCountWidth >> (kCountWidth * block)) & LowBits(kCountWidth);
  }
  uint64_t superblocks() const { return size() / kSuperblock + 1; }
  // The ones before a superblock.
  uint64_t SuperblockRank(uint64_t superblock) const {
    return regions_[superblock / (kRegion / kSuperblock)] + (superblocks_[superblock] >> kCountsWidth);
  }

  BitVector bits_;
  uint64_t ones_ = 0;
  const uint64_t* regions_ = &kNone;
  const uint64_t* superblocks_ = &kNone;
};

}  // namespace crivello::succinct
