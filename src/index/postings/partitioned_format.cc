// SPDX-License-Identifier: Apache-2.0
// Partitioned Elias-Fano (Ottaviano, Venturini: Partitioned Elias-Fano indexes, 2014): lists are cut where
// their density changes, and each block is an Elias-Fano sequence, a bitmap or nothing (a run), whichever is
// shortest for its size and span (bits/strict_elias_fano.h).  The partitions of the paper are our blocks, so
// a cut costs a row of the table.
#include <algorithm>
#include <limits>

#include "bits/strict_elias_fano.h"
#include "index/postings/elias_fano_block.h"
#include "index/postings/format_support.h"
#include "index/postings/posting_format.h"

namespace crivello::index {
namespace {

using bits::StrictEliasFano;

class Partitioned final : public PostingFormat {
 public:
  Partitioned()
      : PostingFormat({.name = "partitioned",
                       .summary = "Elias-Fano in blocks cut where the density changes",
                       .positions = &kEliasFanoPositions,
                       .cuts = true}) {}

  // The cheapest cut at multiples of kStep, by dynamic programming: best[i] is the least cost of the first i
  // steps, with the last block being one of the kBlockPostings / kStep that may end there.
  std::vector<uint32_t> Cut(std::span<const DocId> docs) const override {
    const size_t steps = (docs.size() + kStep - 1) / kStep;
    std::vector<uint64_t> best(steps + 1, std::numeric_limits<uint64_t>::max());
    std::vector<uint8_t> taken(steps + 1);
    best[0] = 0;
    for (size_t end = 1; end <= steps; end++) {
      const size_t end_posting = std::min(end * kStep, docs.size());
      for (size_t size = 1; size <= std::min(end, kBlockPostings / kStep); size++) {
        const size_t start = (end - size) * kStep;
        const DocId before = start > 0 ? docs[start - 1] : kEndDoc;
        const uint64_t cost =
            best[end - size] + kBlockBits +
            StrictEliasFano(end_posting - start - 1, docs[end_posting - 1] - before - 1).bits();
        if (cost <= best[end]) {
          best[end] = cost;
          taken[end] = static_cast<uint8_t>(size);
        }
      }
    }
    std::vector<uint32_t> sizes;
    for (size_t end = steps; end > 0; end -= taken[end]) {
      sizes.push_back(static_cast<uint32_t>(std::min(end * kStep, docs.size()) - (end - taken[end]) * kStep));
    }
    std::ranges::reverse(sizes);
    return sizes;
  }

  void WriteDocuments(const ListShape&, std::span<const DocId> docs, std::span<BlockShape> blocks,
                      std::vector<uint8_t>* out) const override {
    WriteBlocks(docs, blocks, &BlockShape::documents_place, out,
                [out](const BlockShape& block, std::span<const DocId> values) {
                  EliasFanoBlock::WriteDocuments(block, values, out);
                });
  }

  void WriteCounts(const ListShape&, std::span<const uint32_t> counts, std::span<BlockShape> blocks,
                   std::vector<uint8_t>* out) const override {
    WriteBlocks(counts, blocks, &BlockShape::counts_place, out,
                [out](const BlockShape& block, std::span<const uint32_t> values) {
                  EliasFanoBlock::WriteCounts(block, values, out);
                });
  }

  const std::byte* ReadDocuments(const ListShape&, const BlockShape& block, Bytes part,
                                 DocId* docs) const override {
    return EliasFanoBlock::ReadDocuments(block, From(part, block.documents_place), docs);
  }

  const std::byte* ReadCounts(const ListShape& list, const BlockShape& block, Bytes part,
                              uint32_t* counts) const override {
    return EliasFanoBlock::ReadCounts(list, block, From(part, block.counts_place), counts);
  }

 private:
  // Trying to cut after every posting would take 64 times as long.
  static constexpr size_t kStep = 8;
  // The cost of a block besides its documents: its row in the table, its maxima, the sum of its counts, and
  // padding bits.
  static constexpr uint64_t kBlockBits = 140;
};

}  // namespace

const PostingFormat& PartitionedFormat() {
  static const Partitioned kFormat;
  return kFormat;
}

}  // namespace crivello::index
