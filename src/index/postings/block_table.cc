// SPDX-License-Identifier: Apache-2.0
#include "index/postings/block_table.h"

#include <algorithm>
#include <bit>

#include "base/record.h"
#include "bits/bit_stream.h"
#include "index/postings/format_support.h"

namespace crivello::index {
namespace {

// The bits that an 8-byte load at any bit position gives.
constexpr unsigned kMaxPlaceBits = 56;
// A 4-byte load of the last document, or an 8-byte load of the last place, may reach past the table.
constexpr size_t kSlack = 8;

constexpr std::array<uint64_t BlockShape::*, 3> kPlaces = {
    &BlockShape::documents_place, &BlockShape::counts_place, &BlockShape::positions_place};

size_t Streams(PostingContents contents) { return static_cast<size_t>(contents) + 1; }

bool HasSteps(const BlockTableOptions& options) {
  return options.steps && options.contents == PostingContents::kPositions;
}

}  // namespace

void AppendBlockTable(const BlockTableOptions& options, const BlockTableRows& rows,
                      std::vector<uint8_t>* out) {
  const std::span<const BlockShape> blocks = rows.blocks;
  RecordWriter head;
  if (options.sizes) head.Number(blocks.size());
  const unsigned last_bytes = (static_cast<unsigned>(std::bit_width(blocks.back().last)) + 7) / 8;
  head.Number(last_bytes);
  std::array<unsigned, 3> widths = {};
  for (size_t stream = 0; stream < Streams(options.contents); stream++) {
    for (const BlockShape& block : blocks) {
      widths[stream] =
          std::max(widths[stream], static_cast<unsigned>(std::bit_width(block.*kPlaces[stream])));
    }
    head.Number(widths[stream]);
  }
  unsigned step_bits = 0;
  if (HasSteps(options)) {
    for (const uint64_t step : rows.steps)
      step_bits = std::max(step_bits, static_cast<unsigned>(std::bit_width(step)));
    head.Number(step_bits);
  }
  AppendBytes(AsBytes(head.bytes()), out);
  for (const BlockShape& block : blocks) {
    for (unsigned i = 0; i < last_bytes; i++) out->push_back(static_cast<uint8_t>(block.last >> 8 * i));
  }
  if (options.sizes) {
    for (const BlockShape& block : blocks) out->push_back(static_cast<uint8_t>(block.size));
  }
  bits::BitWriter places;
  for (size_t i = 0; i < blocks.size(); i++) {
    for (size_t stream = 0; stream < Streams(options.contents); stream++) {
      places.WriteBits(blocks[i].*kPlaces[stream], widths[stream]);
    }
    if (!HasSteps(options)) continue;
    for (const uint64_t step : rows.steps.subspan(i * kBlockSteps, kBlockSteps)) {
      places.WriteBits(step, step_bits);
    }
  }
  AppendBits(places, out);
  for (const ImpactBlock& block : rows.impacts) AppendImpacts(block, out);
}

Result<BlockTable> BlockTable::Open(const BlockTableOptions& options, uint64_t frequency, Bytes in,
                                    size_t* end) {
  RecordReader head(AsText(in));
  BlockTable table;
  table.frequency_ = frequency;
  table.blocks_ = options.sizes ? head.Number() : (frequency - 1) / kBlockPostings + 1;
  const uint64_t last_bytes = head.Number();
  bool good = 1 <= last_bytes && last_bytes <= 4 && 1 <= table.blocks_ && table.blocks_ <= in.size();
  const auto read_width = [&] {
    const uint64_t width = head.Number();
    good &= width <= kMaxPlaceBits;
    return static_cast<unsigned>(width);
  };
  for (size_t stream = 0; stream < Streams(options.contents); stream++) {
    table.widths_[stream] = read_width();
    table.row_bits_ += table.widths_[stream];
  }
  if (HasSteps(options)) {
    table.step_bits_ = read_width();
    table.row_bits_ += uint64_t{kBlockSteps} * table.step_bits_;
  }
  if (!good || !head.ok()) return Status::Corruption("corrupt posting list: impossible table of blocks");
  table.last_bytes_ = static_cast<unsigned>(last_bytes);
  table.last_mask_ = ~uint32_t{0} >> (32 - 8 * last_bytes);
  // With at most in.size() blocks no product overflows.
  const uint64_t lasts = in.size() - head.left();
  const uint64_t sizes = lasts + table.blocks_ * last_bytes;
  const uint64_t places = sizes + (options.sizes ? table.blocks_ : 0);
  const uint64_t impacts = places + (table.blocks_ * table.row_bits_ + 7) / 8;
  const uint64_t bytes =
      impacts + (options.contents != PostingContents::kDocuments ? (table.blocks_ + 1) * kImpactBytes : 0);
  if (bytes + kSlack > in.size())
    return Status::Corruption("corrupt posting list: the table of blocks is truncated");
  table.lasts_ = in.data() + lasts;
  table.sizes_ = options.sizes ? in.data() + sizes : nullptr;
  table.places_ = in.data() + places;
  table.impacts_ = in.data() + impacts;
  *end = bytes;
  return table;
}

uint64_t BlockTable::Field(uint64_t bit, unsigned width) const {
  return bits::internal::LoadBigEndian(places_ + bit / 8) << bit % 8 >> 1 >> (63 - width);
}

BlockShape BlockTable::Shape(uint64_t block) const {
  BlockShape shape;
  shape.first = block * kBlockPostings;
  if (sizes_ != nullptr) {
    shape.size = std::clamp(static_cast<uint32_t>(sizes_[block]), 1u, kBlockPostings);
  } else {
    shape.size = static_cast<uint32_t>(std::min<uint64_t>(kBlockPostings, frequency_ - shape.first));
  }
  shape.before = block > 0 ? Last(block - 1) : kEndDoc;
  shape.last = Last(block);
  uint64_t bit = block * row_bits_;
  shape.documents_place = Field(bit, widths_[0]);
  shape.counts_place = Field(bit += widths_[0], widths_[1]);
  shape.positions_place = Field(bit += widths_[1], widths_[2]);
  return shape;
}

// Steps that double, then a binary search without branches on the comparison.
uint64_t BlockTable::FindFar(DocId d, uint64_t from) const {
  uint64_t step = 1;
  while (from + step < blocks_ && Last(from + step) < d) {
    from += step;
    step *= 2;
  }
  // Last(from) < d, and the result is at most `step` further, or the end.
  uint64_t size = std::min(step, blocks_ - 1 - from);
  while (size > 0) {
    const uint64_t half = (size + 1) / 2;
    from += Last(from + half) < d ? half : 0;
    size -= half;
  }
  return from + 1;
}

}  // namespace crivello::index
