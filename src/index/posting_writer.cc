// SPDX-License-Identifier: Apache-2.0
#include "index/posting_writer.h"

#include <algorithm>

#include "bits/codes.h"
#include "index/format_support.h"

namespace crivello::index {
namespace {

uint32_t MeanOf(std::span<const uint32_t> lengths) {
  uint64_t sum = 0;
  for (const uint32_t length : lengths) sum += length;
  return lengths.empty() ? 0 : static_cast<uint32_t>(sum / lengths.size());
}

}  // namespace

PostingListWriter::PostingListWriter(const Options& options)
    : options_(options), collector_(MeanOf(options.lengths)), list_positions_(std::in_place) {}

bool PostingListWriter::IsGood(DocId doc, uint32_t count, std::span<const uint32_t> positions) const {
  if (doc == kEndDoc || (!docs_.empty() && doc <= docs_.back())) return false;
  if (!options_.lengths.empty() && doc >= options_.lengths.size()) return false;
  if (!with_counts()) return true;
  if (count == 0 || options_.lengths.empty() || occurrences_ + count > kMaxSum) return false;
  if (!with_positions()) return true;
  return positions.size() == count && positions.back() < options_.lengths[doc] &&
         std::ranges::adjacent_find(positions, std::ranges::greater_equal()) == positions.end();
}

void PostingListWriter::Add(DocId doc, uint32_t count, std::span<const uint32_t> positions) {
  good_ = good_ && IsGood(doc, count, positions);
  if (!good_) return;
  docs_.push_back(doc);
  if (!with_counts()) return;
  list_counts_.push_back(count);
  occurrences_ += count;
  if (!with_positions()) return;
  if (options_.format->cuts() || docs_.size() % kBlockPostings == 1) {
    position_starts_.push_back(list_positions_->position());
  }
  options_.format->positions().write(*list_positions_, positions, options_.lengths[doc]);
}

Result<uint64_t> PostingListWriter::FinishList() {
  const uint64_t start = documents_.size();
  const bool good = good_;
  if (good && docs_.size() <= kBlockPostings) WriteShort();
  if (good && docs_.size() > kBlockPostings) WriteLong();
  good_ = true;
  docs_.clear();
  list_counts_.clear();
  occurrences_ = 0;
  list_positions_.emplace();
  position_starts_.clear();
  if (!good)
    return Status::InvalidArgument(
        "posting list: documents must increase, and positions below the length of theirs, one for each "
        "count");
  return start;
}

void PostingListWriter::Finish() { documents_.bytes_.insert(documents_.bytes_.end(), kStreamSlack, 0); }

void PostingListWriter::WriteShort() {
  bits::BitWriter head;
  bits::GammaCode::Write(head, docs_.size());
  if (docs_.empty()) return AppendBits(head, &documents_.bytes_);
  const Bytes positions = with_positions() ? list_positions_->Finish() : Bytes();
  const bool apart = positions.size() > kInlinePositions;
  if (with_counts()) bits::DeltaCode::Write(head, occurrences_ - docs_.size());
  if (with_positions()) head.WriteBits(apart ? 1 : 0, 1);
  if (apart) bits::DeltaCode::Write(head, positions_.size());
  head.WriteBits(docs_.back(), DocumentBits(options_.lengths));
  AppendBits(head, &documents_.bytes_);
  const ListShape list = {docs_.size(), occurrences_, docs_.back()};
  BlockShape block = {.size = static_cast<uint32_t>(docs_.size()), .last = docs_.back(), .alone = true};
  options_.format->WriteDocuments(list, docs_, std::span(&block, 1), &documents_.bytes_);
  if (with_counts())
    options_.format->WriteCounts(list, list_counts_, std::span(&block, 1), &documents_.bytes_);
  AppendBytes(positions, apart ? &positions_.bytes_ : &documents_.bytes_);
}

std::vector<BlockShape> PostingListWriter::Blocks() const {
  std::vector<BlockShape> blocks;
  uint64_t first = 0;
  for (const uint32_t size : options_.format->Cut(docs_)) {
    BlockShape block;
    block.first = first;
    block.size = size;
    block.before = first > 0 ? docs_[first - 1] : kEndDoc;
    block.last = docs_[first + size - 1];
    if (with_positions()) {
      block.positions_place = position_starts_[options_.format->cuts() ? first : first / kBlockPostings];
    }
    blocks.push_back(block);
    first += size;
  }
  return blocks;
}

std::vector<ImpactBlock> PostingListWriter::Impacts(std::span<const BlockShape> blocks) {
  std::vector<ImpactBlock> impacts;
  if (!with_counts()) return impacts;
  for (const BlockShape& block : blocks) {
    for (uint64_t i = block.first; i < block.first + block.size; i++) {
      collector_.Add(list_counts_[i], options_.lengths[docs_[i]]);
    }
    impacts.push_back(collector_.Finish());
  }
  for (size_t i = 0; i < blocks.size(); i++) collector_.Add(impacts[i]);
  impacts.push_back(collector_.Finish());
  return impacts;
}

void PostingListWriter::WriteLong() {
  const ListShape list = {docs_.size(), occurrences_, docs_.back()};
  std::vector<BlockShape> blocks = Blocks();
  bits::BitWriter head;
  bits::GammaCode::Write(head, docs_.size());
  std::vector<uint8_t> documents;
  options_.format->WriteDocuments(list, docs_, blocks, &documents);
  if (with_counts()) {
    bits::DeltaCode::Write(head, occurrences_ - docs_.size());
    bits::DeltaCode::Write(head, counts_.size());
    options_.format->WriteCounts(list, list_counts_, blocks, &counts_.bytes_);
  }
  if (with_positions()) {
    bits::DeltaCode::Write(head, positions_.size());
    AppendBits(*list_positions_, &positions_.bytes_);
  }
  AppendBits(head, &documents_.bytes_);
  AppendBlockTable({options_.contents, options_.format->cuts()}, blocks, Impacts(blocks), &documents_.bytes_);
  AppendBytes(std::as_bytes(std::span(documents)), &documents_.bytes_);
}

}  // namespace crivello::index
