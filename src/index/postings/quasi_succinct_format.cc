// SPDX-License-Identifier: Apache-2.0
// The quasi-succinct index (Vigna: Quasi-succinct indices, 2013): documents, and the running sums of counts,
// are one Elias-Fano sequence each.  A block stores no place among the documents, because the document before
// it determines where its upper bits begin; so the table of blocks acts as the paper's forward pointers of
// quantum 128.  In the counts, the sum before the block does the same, and is stored as its place.
#include "bits/strict_elias_fano.h"
#include "index/postings/format_support.h"
#include "index/postings/posting_format.h"

namespace crivello::index {
namespace {

using bits::StrictEliasFano;

class QuasiSuccinct final : public PostingFormat {
 public:
  QuasiSuccinct()
      : PostingFormat({.name = "quasi-succinct",
                       .summary = "Elias-Fano documents, counts and positions, as in MG4J",
                       .positions = &kEliasFanoPositions,
                       .steps = true}) {}

  void WriteDocuments(const ListShape& list, std::span<const DocId> docs, std::span<BlockShape>,
                      std::vector<uint8_t>* out) const override {
    bits::BitWriter writer;
    Documents(list).Write(writer, docs.first(docs.size() - 1));
    AppendBits(writer, out);
  }

  void WriteCounts(const ListShape& list, std::span<const uint32_t> counts, std::span<BlockShape> blocks,
                   std::vector<uint8_t>* out) const override {
    const std::vector<uint64_t> sums = RunningSums(counts);
    for (BlockShape& block : blocks) block.counts_place = block.first > 0 ? sums[block.first - 1] + 1 : 0;
    bits::BitWriter writer;
    Counts(list).Write(writer, std::span<const uint64_t>(sums).first(sums.size() - 1));
    AppendBits(writer, out);
  }

  const std::byte* ReadDocuments(const ListShape& list, const BlockShape& block, Bytes part,
                                 DocId* docs) const override {
    if (list.last < list.frequency - 1 || block.last > list.last) return nullptr;
    const StrictEliasFano code = Documents(list);
    // The last one of the list is in its table.
    const bool ends = block.first + block.size == list.frequency;
    if (!code.Read(part, 0, {block.first, block.size - ends, block.before}, docs)) return nullptr;
    if (ends) docs[block.size - 1] = list.last;
    if (docs[block.size - 1] != block.last) return nullptr;
    return part.data() + (code.bits() + 7) / 8;
  }

  const std::byte* ReadCounts(const ListShape& list, const BlockShape& block, Bytes part,
                              uint32_t* counts) const override {
    if (list.occurrences < list.frequency || list.occurrences > kMaxSum) return nullptr;
    const uint64_t start = block.counts_place;
    if (start < block.first || start > list.occurrences - (list.frequency - block.first)) return nullptr;
    const StrictEliasFano code = Counts(list);
    std::array<uint64_t, kBlockPostings> sums;
    const bool ends = block.first + block.size == list.frequency;
    if (!code.Read(part, 0, {block.first, block.size - ends, start - 1}, sums.data())) return nullptr;
    if (ends) sums[block.size - 1] = list.occurrences - 1;
    CountsOfSums(start, std::span(sums).first(block.size), counts);
    return part.data() + (code.bits() + 7) / 8;
  }

 private:
  // All but the last document, which is known.
  static StrictEliasFano Documents(const ListShape& list) { return {list.frequency - 1, list.last}; }
  static StrictEliasFano Counts(const ListShape& list) { return {list.frequency - 1, list.occurrences - 1}; }
};

}  // namespace

const PostingFormat& QuasiSuccinctFormat() {
  static const QuasiSuccinct kFormat;
  return kFormat;
}

}  // namespace crivello::index
