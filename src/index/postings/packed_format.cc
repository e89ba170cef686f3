// SPDX-License-Identifier: Apache-2.0
// Documents and counts in PFor blocks (bits/pfor.h), unpacked by vector code: the fastest.  A list of one
// block, where there is nothing to skip and which is seldom full, uses Elias-Fano, which is smaller.
#include <algorithm>

#include "bits/pfor.h"
#include "index/postings/elias_fano_block.h"
#include "index/postings/format_support.h"
#include "index/postings/posting_format.h"

namespace crivello::index {
namespace {

// The gaps of a block, if they have at most this many bits, sum to less than 2^32.
constexpr size_t kSafeBits = 24;

class Packed final : public PostingFormat {
 public:
  Packed()
      : PostingFormat({.name = "packed",
                       .summary = "PFor blocks of documents and counts; Elias-Fano positions: the fastest",
                       .positions = &kEliasFanoPositions,
                       .steps = true}) {}

  void WriteDocuments(const ListShape&, std::span<const DocId> docs, std::span<BlockShape> blocks,
                      std::vector<uint8_t>* out) const override {
    if (blocks.front().alone) return EliasFanoBlock::WriteDocuments(blocks.front(), docs, out);
    WriteBlocks(docs, blocks, &BlockShape::documents_place, out,
                [out](const BlockShape& block, std::span<const DocId> values) {
                  std::array<uint32_t, kBlockPostings> gaps;
                  DocId before = block.before;
                  for (size_t i = 0; i < values.size(); i++) {
                    gaps[i] = values[i] - before - 1;
                    before = values[i];
                  }
                  bits::PForEncode(std::span(gaps).first(values.size()), out);
                });
  }

  void WriteCounts(const ListShape&, std::span<const uint32_t> counts, std::span<BlockShape> blocks,
                   std::vector<uint8_t>* out) const override {
    if (blocks.front().alone) return EliasFanoBlock::WriteCounts(blocks.front(), counts, out);
    WriteBlocks(counts, blocks, &BlockShape::counts_place, out,
                [out](const BlockShape&, std::span<const uint32_t> values) {
                  std::array<uint32_t, kBlockPostings> less;
                  for (size_t i = 0; i < values.size(); i++) less[i] = values[i] - 1;
                  bits::PForEncode(std::span(less).first(values.size()), out);
                });
  }

  const std::byte* ReadDocuments(const ListShape&, const BlockShape& block, Bytes part,
                                 DocId* docs) const override {
    if (block.alone) return EliasFanoBlock::ReadDocuments(block, part, docs);
    const Bytes code = From(part, block.documents_place);
    const auto read = bits::PForDecodeDeltas(code, block.before, std::span(docs, block.size));
    if (!read.ok()) return nullptr;
    // Gaps were written less 1.
    for (uint32_t i = 0; i < kBlockPostings; i++) docs[i] += i + 1;
    if (docs[block.size - 1] != block.last) return nullptr;
    // The sum of the gaps equals last - before mod 2^32.  If the sum is below 2^32, they are equal, and no
    // partial sum wrapped around.
    if (bits::PForMaxBits(code) > kSafeBits && !Increase(block, docs)) return nullptr;
    return code.data() + *read;
  }

  const std::byte* ReadCounts(const ListShape& list, const BlockShape& block, Bytes part,
                              uint32_t* counts) const override {
    if (block.alone) return EliasFanoBlock::ReadCounts(list, block, part, counts);
    const Bytes code = From(part, block.counts_place);
    const auto read = bits::PForDecode(code, std::span(counts, block.size));
    if (!read.ok()) return nullptr;
    for (uint32_t i = 0; i < kBlockPostings; i++) counts[i] += counts[i] != ~uint32_t{0} ? 1 : 0;
    return code.data() + *read;
  }

 private:
  static bool Increase(const BlockShape& block, const DocId* docs) {
    // As distances from `before`, which is -1 in the first block.
    uint32_t distance = 0;
    for (uint32_t i = 0; i < block.size; i++) {
      const uint32_t next = docs[i] - block.before;
      if (next <= distance) return false;
      distance = next;
    }
    return true;
  }
};

}  // namespace

const PostingFormat& PackedFormat() {
  static const Packed kFormat;
  return kFormat;
}

}  // namespace crivello::index
