// SPDX-License-Identifier: Apache-2.0
#include "succinct/rank_select_bits.h"

#include <algorithm>
#include <vector>

namespace crivello::succinct {
namespace {

// Calls `visit(position)` for each one, or each zero, in order.
template <typename Visit>
void ForEachBit(std::span<const uint64_t> words, uint64_t size, bool bit, Visit visit) {
  for (uint64_t w = 0; w * 64 < size; w++) {
    uint64_t word = bit ? words[w] : ~words[w];
    if (size - w * 64 < 64) word &= LowBits(size - w * 64);
    for (; word != 0; word &= word - 1) visit(w * 64 + static_cast<unsigned>(std::countr_zero(word)));
  }
}

}  // namespace

void BitVectorBuilder::AppendRankSelectBits(ImageWriter& image) const {
  AppendRankBits(image);
  uint64_t ones = 0;
  for (const uint64_t word : words_) ones += static_cast<unsigned>(std::popcount(word));
  for (const bool bit : {true, false}) {
    const uint64_t count = bit ? ones : size_ - ones;
    const auto wanted =
        static_cast<Uint128>(count) * RankSelectBits::kHintBits / std::max<uint64_t>(size_, 1);
    const uint64_t group = std::bit_floor(std::max<uint64_t>(static_cast<uint64_t>(wanted), 1));
    std::vector<uint64_t> starts, positions, members;
    // A group ends where the next one begins; the last group ends at its last member.
    const auto end_group = [&](uint64_t end) {
      if (members.empty()) return;
      if (end - members[0] > group * RankBits::kSuperblock) {
        starts.push_back(RankSelectBits::kWrittenOut + positions.size());
        positions.insert(positions.end(), members.begin(), members.end());
      } else {
        starts.push_back(members[0] / RankBits::kSuperblock);
      }
      members.clear();
    };
    ForEachBit(words_, size_, bit, [&](uint64_t position) {
      if (members.size() == group) end_group(position);
      members.push_back(position);
    });
    if (!members.empty()) end_group(members.back());
    image.Word(static_cast<unsigned>(std::countr_zero(group)));
    image.Word(positions.size());
    image.Words(starts);
    image.Words(positions);
  }
}

Result<RankSelectBits::Hints> RankSelectBits::Hints::ReadFrom(ImageReader& reader, uint64_t bits) {
  Hints hints;
  CRV_ASSIGN(const uint64_t log, reader.WordAtMost(63, "interval of hints"));
  CRV_ASSIGN(const uint64_t positions, reader.Word());
  hints.log = static_cast<unsigned>(log);
  CRV_ASSIGN(hints.starts, reader.Words((bits >> log) + ((bits & LowBits(hints.log)) != 0)));
  CRV_ASSIGN(hints.positions, reader.Words(positions));
  return hints;
}

Result<RankSelectBits> RankSelectBits::ReadFrom(ImageReader& reader) {
  RankSelectBits bits;
  CRV_ASSIGN(bits.rank_, RankBits::ReadFrom(reader));
  CRV_ASSIGN(bits.ones_hints_, Hints::ReadFrom(reader, bits.ones()));
  CRV_ASSIGN(bits.zeros_hints_, Hints::ReadFrom(reader, bits.size() - bits.ones()));
  return bits;
}

Result<RankSelectBits> RankSelectBits::FromImage(Bytes image) {
  ImageReader reader(image, "bit vector with rank and select");
  CRV_ASSIGN(const RankSelectBits bits, ReadFrom(reader));
  CRV_TRY(reader.Finish());
  return bits;
}

Description RankSelectBits::Describe() const {
  return {{"bits", size()},
          {"ones", ones()},
          {"hints", uint64_t{ones_hints_.starts.size() + zeros_hints_.starts.size()}},
          {"written-out", uint64_t{ones_hints_.positions.size() + zeros_hints_.positions.size()}}};
}

}  // namespace crivello::succinct
