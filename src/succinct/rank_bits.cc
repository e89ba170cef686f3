// SPDX-License-Identifier: Apache-2.0
#include "succinct/rank_bits.h"

#include <vector>

namespace crivello::succinct {

void BitVectorBuilder::AppendRankBits(ImageWriter& image) const {
  std::vector<uint64_t> regions, superblocks;
  uint64_t ones = 0, in_superblock = 0;
  for (uint64_t w = 0; w < words_.size(); w++) {
    const uint64_t i = w * 64;
    if (i % RankBits::kRegion == 0) regions.push_back(ones);
    if (i % RankBits::kSuperblock == 0) {
      superblocks.push_back((ones - regions.back()) << RankBits::kCountsWidth);
      in_superblock = 0;
    } else if (i % RankBits::kBlock == 0) {
      superblocks.back() |= in_superblock << (RankBits::kCountWidth * (i / RankBits::kBlock % 4 - 1));
    }
    const auto count = static_cast<unsigned>(std::popcount(words_[w]));
    ones += count;
    in_superblock += count;
  }
  // Blocks beyond the end are empty; Select() must not stop in them.
  for (uint64_t block = size_ / RankBits::kBlock + 1; block % 4 != 0; block++)
    superblocks.back() |= in_superblock << (RankBits::kCountWidth * (block % 4 - 1));
  AppendBits(image);
  image.Word(ones);
  image.Words(regions);
  image.Words(superblocks);
}

Result<RankBits> RankBits::ReadFrom(ImageReader& reader) {
  RankBits rank;
  CRV_ASSIGN(rank.bits_, BitVector::ReadFrom(reader));
  CRV_ASSIGN(rank.ones_, reader.WordAtMost(rank.size(), "number of ones"));
  CRV_ASSIGN(const auto regions, reader.Words(rank.size() / kRegion + 1));
  CRV_ASSIGN(const auto superblocks, reader.Words(rank.superblocks()));
  rank.regions_ = regions.data();
  rank.superblocks_ = superblocks.data();
  return rank;
}

Result<RankBits> RankBits::FromImage(Bytes image) {
  ImageReader reader(image, "bit vector with rank");
  CRV_ASSIGN(const RankBits rank, ReadFrom(reader));
  CRV_TRY(reader.Finish());
  return rank;
}

Description RankBits::Describe() const { return {{"bits", size()}, {"ones", ones()}}; }

}  // namespace crivello::succinct
