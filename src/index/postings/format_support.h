// SPDX-License-Identifier: Apache-2.0
// Code shared by the formats: bit streams inside byte streams, variable-length numbers.  Included by .cc
// files only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/file_system.h"
#include "bits/bit_stream.h"
#include "bits/codes.h"
#include "index/postings/posting_format.h"

namespace crivello::index {

inline void AppendBytes(Bytes bytes, std::vector<uint8_t>* out) {
  const auto* from = reinterpret_cast<const uint8_t*>(bytes.data());
  out->insert(out->end(), from, from + bytes.size());
}

// Ends a bit stream at a byte boundary.
inline void AppendBits(bits::BitWriter& writer, std::vector<uint8_t>* out) {
  AppendBytes(writer.Finish(), out);
}

// The end of what a reader has read from `part`; nullptr if it failed.
inline const std::byte* EndOf(const bits::BitReader& reader, Bytes part) {
  return reader.ok() ? part.data() + (reader.position() + 7) / 8 : nullptr;
}

// The part from a place on; empty if that is outside.  Never at nullptr, which readers return for damage:
// counts that are all 1 may take no bytes, and then the whole stream is empty.
inline Bytes From(Bytes part, uint64_t place) {
  static constexpr std::byte kNowhere = {};
  if (part.data() == nullptr) return {&kNowhere, 0};
  return part.subspan(std::min<uint64_t>(place, part.size()));
}

// Calls write(block, its values) for each block; its place is the number of bytes written so far.
template <typename Value, typename Write>
void WriteBlocks(std::span<const Value> values, std::span<BlockShape> blocks, uint64_t BlockShape::*place,
                 std::vector<uint8_t>* out, Write write) {
  const size_t start = out->size();
  for (BlockShape& block : blocks) {
    block.*place = out->size() - start;
    write(block, values.subspan(block.first, block.size));
  }
}

// The running sums of the counts, minus 1: they strictly increase, below the total.
inline std::vector<uint64_t> RunningSums(std::span<const uint32_t> counts) {
  std::vector<uint64_t> sums(counts.size());
  uint64_t sum = 0;
  for (size_t i = 0; i < counts.size(); i++) sums[i] = (sum += counts[i]) - 1;
  return sums;
}

// Converts such sums back to counts; `before` is the sum of those before.  An impossible value is damage, and
// becomes the largest count.
inline void CountsOfSums(uint64_t before, std::span<const uint64_t> sums, uint32_t* counts) {
  const auto count = [](uint64_t x) { return static_cast<uint32_t>(std::min<uint64_t>(x, ~uint32_t{0})); };
  counts[0] = count(sums[0] + 1 - before);
  for (size_t i = 1; i < sums.size(); i++) counts[i] = count(sums[i] - sums[i - 1]);
}

// Writes the sum of a block's counts before them in δ, unless the block is alone and the list has the sum.
inline void WriteSum(const BlockShape& block, uint64_t sum, bits::BitWriter& writer) {
  if (!block.alone) bits::DeltaCode::Write(writer, sum - block.size);
}
inline uint64_t ReadSum(const ListShape& list, const BlockShape& block, bits::BitReader& reader) {
  if (block.alone) return list.occurrences;
  return bits::internal::SaturatingAdd(block.size, bits::DeltaCode::Read(reader));
}
// The width of a document in the head of a short list: that of the largest document, if known.
inline unsigned DocumentBits(std::span<const uint32_t> lengths) {
  return lengths.empty() ? 32 : static_cast<unsigned>(std::bit_width(lengths.size() - 1));
}

// Larger sums are damage: no block has them, and the codes do not support them.
constexpr uint64_t kMaxSum = uint64_t{1} << 55;

}  // namespace crivello::index
