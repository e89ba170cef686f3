// SPDX-License-Identifier: Apache-2.0
// Binary interpolative coding of the documents of a block, between the known ones, and of the running sums of
// its counts: the smallest format.
#include "bits/interpolative.h"
#include "index/postings/format_support.h"
#include "index/postings/posting_format.h"

namespace crivello::index {
namespace {

class Interpolative final : public PostingFormat {
 public:
  Interpolative()
      : PostingFormat({.name = "interpolative",
                       .summary = "interpolative documents, counts and positions: the smallest",
                       .positions = &kInterpolativePositions}) {}

  void WriteDocuments(const ListShape&, std::span<const DocId> docs, std::span<BlockShape> blocks,
                      std::vector<uint8_t>* out) const override {
    WriteBlocks(docs, blocks, &BlockShape::documents_place, out,
                [out](const BlockShape& block, std::span<const DocId> values) {
                  if (values.size() == 1) return;
                  bits::BitWriter writer;
                  bits::WriteInterpolative(writer, values.first(values.size() - 1), DocId{block.before + 1},
                                           block.last - 1)
                      .IgnoreError();
                  AppendBits(writer, out);
                });
  }

  void WriteCounts(const ListShape&, std::span<const uint32_t> counts, std::span<BlockShape> blocks,
                   std::vector<uint8_t>* out) const override {
    WriteBlocks(counts, blocks, &BlockShape::counts_place, out,
                [out](const BlockShape& block, std::span<const uint32_t> values) {
                  const std::vector<uint64_t> sums = RunningSums(values);
                  bits::BitWriter writer;
                  WriteSum(block, sums.back() + 1, writer);
                  if (values.size() > 1) {
                    bits::WriteInterpolative(writer, std::span(sums).first(sums.size() - 1), 0,
                                             sums.back() - 1)
                        .IgnoreError();
                  }
                  AppendBits(writer, out);
                });
  }

  const std::byte* ReadDocuments(const ListShape&, const BlockShape& block, Bytes part,
                                 DocId* docs) const override {
    const Bytes bytes = From(part, block.documents_place);
    bits::BitReader reader(bytes);
    docs[block.size - 1] = block.last;
    if (block.size > 1 && !bits::ReadInterpolative(reader, DocId{block.before + 1}, block.last - 1,
                                                   std::span(docs, block.size - 1))
                               .ok())
      return nullptr;
    return EndOf(reader, bytes);
  }

  const std::byte* ReadCounts(const ListShape& list, const BlockShape& block, Bytes part,
                              uint32_t* counts) const override {
    const Bytes bytes = From(part, block.counts_place);
    bits::BitReader reader(bytes);
    const uint64_t sum = ReadSum(list, block, reader);
    if (sum < block.size || sum > kMaxSum) return nullptr;
    std::array<uint64_t, kBlockPostings> sums;
    sums[block.size - 1] = sum - 1;
    if (block.size > 1 &&
        !bits::ReadInterpolative(reader, 0, sum - 2, std::span(sums).first(block.size - 1)).ok())
      return nullptr;
    CountsOfSums(0, std::span(sums).first(block.size), counts);
    return EndOf(reader, bytes);
  }
};

}  // namespace

const PostingFormat& InterpolativeFormat() {
  static const Interpolative kFormat;
  return kFormat;
}

}  // namespace crivello::index
