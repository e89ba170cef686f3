// SPDX-License-Identifier: Apache-2.0
#include "index/postings/posting_encoder.h"

#include <algorithm>

#include "index/postings/format_support.h"

namespace crivello::index {
namespace {

uint32_t MeanOf(std::span<const uint32_t> lengths) {
  uint64_t sum = 0;
  for (const uint32_t length : lengths) sum += length;
  return lengths.empty() ? 0 : static_cast<uint32_t>(sum / lengths.size());
}

}  // namespace

PostingEncoder::PostingEncoder(const PostingOptions& options)
    : options_(options), collector_(MeanOf(options.lengths)) {}

bool PostingEncoder::IsGood(DocId doc, uint32_t count, std::span<const uint32_t> positions) const {
  if (doc == kEndDoc || (!docs_.empty() && doc <= docs_.back())) return false;
  if (!options_.lengths.empty() && doc >= options_.lengths.size()) return false;
  if (!with_counts()) return true;
  if (count == 0 || options_.lengths.empty() || occurrences_ + count > kMaxSum) return false;
  if (!with_positions()) return true;
  if (positions.size() != count || positions.back() >= options_.lengths[doc]) return false;
  bool increase = true;
  for (size_t i = 1; i < positions.size(); i++) increase &= positions[i - 1] < positions[i];
  return increase;
}

void PostingEncoder::Add(DocId doc, uint32_t count, std::span<const uint32_t> positions) {
  good_ = good_ && IsGood(doc, count, positions);
  if (!good_) return;
  docs_.push_back(doc);
  if (!with_counts()) return;
  counts_.push_back(count);
  occurrences_ += count;
  if (!with_positions()) return;
  if ((docs_.size() - 1) % start_step() == 0) position_starts_.push_back(positions_.position());
  options_.format->positions().write(positions_, positions, options_.lengths[doc]);
}

Status PostingEncoder::FinishList(EncodedLists* out) {
  const bool good = good_;
  if (good) {
    const ListShape list = {docs_.size(), occurrences_, docs_.empty() ? 0 : docs_.back()};
    const uint64_t documents = out->documents.size();
    const uint64_t counts = out->counts.size();
    const uint64_t positions = out->positions.size();
    uint64_t inline_positions = 0;
    if (docs_.size() > kBlockPostings) {
      EncodeLong(list, out);
    } else if (!docs_.empty()) {
      inline_positions = EncodeShort(list, out);
    }
    out->lists.push_back({list, out->documents.size() - documents, out->counts.size() - counts,
                          out->positions.size() - positions, inline_positions});
  }
  BeginList();
  if (good) return Status::Ok();
  return Status::InvalidArgument(
      "posting list: invalid input: documents must increase, and each needs as many positions as its count, "
      "below its length");
}

void PostingEncoder::BeginList() {
  good_ = true;
  occurrences_ = 0;
  if (docs_.size() > kKeptPostings) {
    docs_ = {};
    counts_ = {};
    positions_ = {};
    position_starts_ = {};
    blocks_ = {};
    steps_ = {};
    impacts_ = {};
    documents_ = {};
  }
  docs_.clear();
  counts_.clear();
  positions_.Clear();
  position_starts_.clear();
}

uint64_t PostingEncoder::EncodeShort(const ListShape& list, EncodedLists* out) {
  BlockShape block = {.size = static_cast<uint32_t>(docs_.size()), .last = docs_.back(), .alone = true};
  options_.format->WriteDocuments(list, docs_, std::span(&block, 1), &out->documents);
  if (with_counts()) options_.format->WriteCounts(list, counts_, std::span(&block, 1), &out->documents);
  if (!with_positions()) return 0;
  const Bytes positions = positions_.Finish();
  const bool apart = positions.size() > kInlinePositions;
  AppendBytes(positions, apart ? &out->positions : &out->documents);
  return apart ? 0 : positions.size();
}

void PostingEncoder::EncodeLong(const ListShape& list, EncodedLists* out) {
  MakeBlocks();
  // They come after the table, which contains their places.
  documents_.clear();
  options_.format->WriteDocuments(list, docs_, blocks_, &documents_);
  if (with_counts()) options_.format->WriteCounts(list, counts_, blocks_, &out->counts);
  if (with_positions()) AppendBits(positions_, &out->positions);
  MakeSteps();
  MakeImpacts();
  AppendBlockTable({options_.contents, options_.format->cuts(), options_.format->steps()},
                   {blocks_, steps_, impacts_}, &out->documents);
  AppendBytes(std::as_bytes(std::span(documents_)), &out->documents);
}

void PostingEncoder::MakeBlocks() {
  blocks_.clear();
  uint64_t first = 0;
  for (const uint32_t size : options_.format->Cut(docs_)) {
    BlockShape block;
    block.first = first;
    block.size = size;
    block.before = first > 0 ? docs_[first - 1] : kEndDoc;
    block.last = docs_[first + size - 1];
    if (with_positions()) block.positions_place = position_starts_[first / start_step()];
    blocks_.push_back(block);
    first += size;
  }
}

// Steps past the end of the last block are 0.
void PostingEncoder::MakeSteps() {
  steps_.clear();
  if (!with_positions() || !options_.format->steps()) return;
  for (const BlockShape& block : blocks_) {
    for (uint32_t i = kPositionStep; i < kBlockPostings; i += kPositionStep) {
      const bool exists = i < block.size;
      steps_.push_back(exists ? position_starts_[(block.first + i) / kPositionStep] - block.positions_place
                              : 0);
    }
  }
}

void PostingEncoder::MakeImpacts() {
  impacts_.clear();
  if (!with_counts()) return;
  for (const BlockShape& block : blocks_) {
    for (uint64_t i = block.first; i < block.first + block.size; i++) {
      collector_.Add(counts_[i], options_.lengths[docs_[i]]);
    }
    impacts_.push_back(collector_.Finish());
  }
  for (size_t i = 0; i < blocks_.size(); i++) collector_.Add(impacts_[i]);
  impacts_.push_back(collector_.Finish());
}

}  // namespace crivello::index
