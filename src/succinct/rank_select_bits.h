// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "succinct/rank_bits.h"

namespace crivello::succinct {

// A bit vector with rank and select: Select1(r) is the position of the one preceded by r ones, Select0(r) of
// the zero preceded by r zeros. Both take constant time.
//
// Every 2^k-th one has a hint: the superblock that contains it. From there, a galloping search on the counts
// of RankBits finds the superblock of the one sought, the counts of its blocks give the block, and at most
// eight words are counted. 2^k is chosen so that hints are about 8192 bits apart. Where 2^k ones spread over
// more than 2^k superblocks, their positions are stored explicitly. So the search covers at most 2^k <= 8192
// superblocks, and explicit positions take at most 1/32 of the bits that they span. Zeros likewise.
//
// Hints take 0.8 to 1.6% for ones and the same for zeros; explicit positions take at most 3.2% in all (a
// stretch poor in ones is rich in zeros). Together with rank, at most 9.6%.
//
// A view of its image, which must outlive it; immutable. FromImage() checks only lengths: with damaged words
// results are wrong, but nothing outside the image is read and every search ends.
// Format: docs/formats/bit-vector.md.
class RankSelectBits {
 public:
  static constexpr FileKind kFileKind = {.name = "rank-select-bits", .version = 1};

  RankSelectBits() = default;
  static Result<RankSelectBits> FromImage(Bytes image);
  static Result<RankSelectBits> ReadFrom(ImageReader& reader);

  uint64_t size() const { return rank_.size(); }
  uint64_t ones() const { return rank_.ones(); }
  const RankBits& rank_bits() const { return rank_; }
  bool Get(uint64_t i) const { return rank_.Get(i); }
  uint64_t Rank(uint64_t i) const { return rank_.Rank(i); }
  uint64_t Rank0(uint64_t i) const { return rank_.Rank0(i); }

  // REQUIRES: r < ones().
  uint64_t Select1(uint64_t r) const { return Select<true>(r, ones_hints_); }
  // REQUIRES: r < size() - ones().
  uint64_t Select0(uint64_t r) const { return Select<false>(r, zeros_hints_); }

  Description Describe() const;

 private:
  friend class BitVectorBuilder;

  static constexpr uint64_t kHintBits = 8192;  // expected distance between hints, at most
  static constexpr uint64_t kWrittenOut = uint64_t{1} << 63;

  struct Hints {
    static Result<Hints> ReadFrom(ImageReader& reader, uint64_t bits);

    unsigned log = 0;  // k
    // A superblock, or kWrittenOut + the index in `positions` of the 2^k positions that start here.
    std::span<const uint64_t> starts;
    std::span<const uint64_t> positions;
  };

  template <bool kBit>
  uint64_t Select(uint64_t r, const Hints& hints) const;
  // How many bits equal to kBit precede a superblock.
  template <bool kBit>
  uint64_t Before(uint64_t superblock) const {
    const uint64_t ones = rank_.SuperblockRank(superblock);
    return kBit ? ones : superblock * RankBits::kSuperblock - ones;
  }

  RankBits rank_;
  Hints ones_hints_;
  Hints zeros_hints_;
};

template <bool kBit>
inline uint64_t RankSelectBits::Select(uint64_t r, const Hints& hints) const {
  const uint64_t start = hints.starts[r >> hints.log];
  if (start & kWrittenOut) {
    const uint64_t at = (start & ~kWrittenOut) + (r & LowBits(hints.log));
    return at < hints.positions.size() ? hints.positions[at] : size();
  }
  // Find the last superblock with at most r before it.
  const uint64_t superblocks = rank_.superblocks();
  uint64_t found = start < superblocks ? start : superblocks - 1;
  uint64_t step = 1;
  for (; found + step < superblocks && Before<kBit>(found + step) <= r; step *= 2) found += step;
  for (step /= 2; step > 0; step /= 2)
    if (found + step < superblocks && Before<kBit>(found + step) <= r) found += step;
  r -= Before<kBit>(found);

  // The same for its blocks, then for its words.
  const uint64_t entry = rank_.superblocks_[found];
  uint64_t block = 0, before = 0;
  for (uint64_t b = 1; b < 4; b++) {
    const uint64_t ones = RankBits::BlockRank(entry, b);
    const uint64_t count = kBit ? ones : b * RankBits::kBlock - ones;
    if (count <= r) {
      block = b;
      before = count;
    }
  }
  r -= before;
  uint64_t w = (found * 4 + block) * (RankBits::kBlock / 64);
  const uint64_t words = BitVector::WordsFor(size());
  const uint64_t end = w + RankBits::kBlock / 64 < words ? w + RankBits::kBlock / 64 : words;
  for (; w < end; w++) {
    const uint64_t word = kBit ? rank_.bits_.words()[w] : ~rank_.bits_.words()[w];
    const auto count = static_cast<unsigned>(std::popcount(word));
    if (r < count) return w * 64 + SelectInWord(word, static_cast<unsigned>(r));
    r -= count;
  }
  return size();  // damaged
}

}  // namespace crivello::succinct
