// SPDX-License-Identifier: Apache-2.0
// A self-contained block: its documents, and the running sums of its counts, each as one Elias-Fano sequence
// (bits/strict_elias_fano.h).  The last value of each is known, and not written.  Used for all blocks of the
// partitioned format, and for the short lists of others.  Included by .cc files only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bits/strict_elias_fano.h"
#include "index/postings/format_support.h"
#include "index/postings/posting_format.h"

namespace crivello::index {

class EliasFanoBlock {
 public:
  static void WriteDocuments(const BlockShape& block, std::span<const DocId> docs,
                             std::vector<uint8_t>* out) {
    std::array<uint32_t, kBlockPostings> distances;
    for (size_t i = 0; i < docs.size(); i++) distances[i] = docs[i] - block.before - 1;
    bits::BitWriter writer;
    CodeOfDocuments(block).Write(writer, std::span<const uint32_t>(distances).first(docs.size() - 1));
    AppendBits(writer, out);
  }

  static void WriteCounts(const BlockShape& block, std::span<const uint32_t> counts,
                          std::vector<uint8_t>* out) {
    const std::vector<uint64_t> sums = RunningSums(counts);
    bits::BitWriter writer;
    WriteSum(block, sums.back() + 1, writer);
    bits::StrictEliasFano(sums.size() - 1, sums.back())
        .Write(writer, std::span<const uint64_t>(sums).first(sums.size() - 1));
    AppendBits(writer, out);
  }

  static const std::byte* ReadDocuments(const BlockShape& block, Bytes bytes, DocId* docs) {
    const bits::StrictEliasFano code = CodeOfDocuments(block);
    const DocId first = block.before + 1;
    if (!code.Read(bytes, 0, {.count = code.size()}, docs)) return nullptr;
    for (uint32_t i = 0; i < kBlockPostings; i++) docs[i] += first;
    docs[block.size - 1] = block.last;
    return bytes.data() + (code.bits() + 7) / 8;
  }

  static const std::byte* ReadCounts(const ListShape& list, const BlockShape& block, Bytes bytes,
                                     uint32_t* counts) {
    bits::BitReader reader(bytes);
    const uint64_t sum = ReadSum(list, block, reader);
    if (sum < block.size || sum > kMaxSum || !reader.ok()) return nullptr;
    const bits::StrictEliasFano code(block.size - 1, sum - 1);
    std::array<uint64_t, kBlockPostings> sums;
    if (!code.Read(bytes, reader.position(), {.count = code.size()}, sums.data())) return nullptr;
    sums[block.size - 1] = sum - 1;
    CountsOfSums(0, std::span(sums).first(block.size), counts);
    return bytes.data() + (reader.position() + code.bits() + 7) / 8;
  }

 private:
  static bits::StrictEliasFano CodeOfDocuments(const BlockShape& block) {
    return {block.size - 1, uint64_t{block.last - block.before} - 1};
  }
};

}  // namespace crivello::index
