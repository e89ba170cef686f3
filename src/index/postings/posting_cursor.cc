// SPDX-License-Identifier: Apache-2.0
#include "index/postings/posting_cursor.h"

#include <algorithm>

#include "bits/codes.h"
#include "index/postings/format_support.h"

namespace crivello::index {

Result<PostingCursor> PostingLists::Open(uint64_t start) const {
  if (start >= documents.size()) return Status::Corruption("corrupt posting list: it starts after the end");
  const Bytes bytes = documents.subspan(start);
  bits::BitReader head(bytes);
  PostingCursor cursor;
  cursor.lists_ = *this;
  ListShape& list = cursor.list_;
  list.frequency = bits::GammaCode::Read(head);
  if (list.frequency == 0 && head.ok()) return cursor;
  const bool one_block = list.frequency <= kBlockPostings;
  if (contents != PostingContents::kDocuments) {
    list.occurrences = bits::internal::SaturatingAdd(list.frequency, bits::DeltaCode::Read(head));
    if (!one_block) cursor.counts_part_ = From(counts, bits::DeltaCode::Read(head));
  }
  if (contents == PostingContents::kPositions) {
    const bool apart = !one_block || head.ReadBits(1) != 0;
    if (apart) cursor.positions_part_ = From(positions, bits::DeltaCode::Read(head));
  }
  if (one_block) list.last = static_cast<DocId>(head.ReadBits(DocumentBits(lengths)));
  if (!head.ok() || list.frequency > kEndDoc || list.occurrences > kMaxSum)
    return Status::Corruption("corrupt posting list: impossible header");

  cursor.documents_ = bytes.subspan((head.position() + 7) / 8);
  if (one_block) {
    cursor.block_shape_ = {.size = static_cast<uint32_t>(list.frequency), .last = list.last, .alone = true};
  } else {
    size_t table_bytes = 0;
    CRV_ASSIGN(cursor.table_, BlockTable::Open({contents, format->cuts(), format->steps()}, list.frequency,
                                               cursor.documents_, &table_bytes));
    cursor.documents_ = cursor.documents_.subspan(table_bytes);
    list.last = cursor.table_.Last(cursor.table_.blocks() - 1);
  }
  if (list.frequency > uint64_t{list.last} + 1 || list.last == kEndDoc)
    return Status::Corruption("corrupt posting list: more postings than documents");
  cursor.shallow_ = 0;
  cursor.LoadBlock(0);
  return cursor;
}

void PostingCursor::End() {
  doc_ = last_ = kEndDoc;
  at_ = kBlockPostings - 1;  // so that Next() stays at the end
  size_ = at_;
  block_ = std::max<uint64_t>(table_.blocks(), 1);
}

void PostingCursor::LoadBlock(uint64_t block) {
  if (block >= std::max<uint64_t>(table_.blocks(), 1)) return End();
  if (!is_short()) block_shape_ = table_.Shape(block);
  const BlockShape& shape = block_shape_;
  const std::byte* end = nullptr;
  const bool has_length = lists_.lengths.empty() || shape.last < lists_.lengths.size();
  if (has_length && shape.size <= DocId{shape.last - shape.before} &&
      (block == 0 || shape.before < shape.last)) {
    end = lists_.format->ReadDocuments(list_, shape, documents_, docs_.data());
  }
  if (end == nullptr) {
    ok_ = false;
    return End();
  }
  std::fill(docs_.begin() + shape.size, docs_.end(), kEndDoc);
  size_ = shape.size;
  if (is_short()) counts_part_ = documents_.subspan(static_cast<size_t>(end - documents_.data()));
  block_ = block;
  at_ = 0;
  doc_ = docs_[0];
  last_ = shape.last;
  // If the counts of the previous block were requested, these will be too.
  if (counts_read_ && shape.counts_place < counts_part_.size())
    __builtin_prefetch(counts_part_.data() + shape.counts_place);
  counts_read_ = false;
  positions_of_ = kNoPosting;
  places_to_ = 0;
  positions_bit_ = shape.positions_place;
}

void PostingCursor::SeekFar(DocId d) {
  LoadBlock(is_short() ? 1 : table_.Find(d, block_ + 1));
  if (doc_ >= d) return;
  if (last_ < d) {  // the table is not sorted
    ok_ = false;
    return End();
  }
  SeekInBlock(d);
}

// The next document is often the right one.  Otherwise the rank of d in its quarter of the block, by vector
// code without branches: faster than a search with unpredictable branches.
void PostingCursor::SeekInBlock(DocId d) {
  if (docs_[at_ + 1] >= d) {
    doc_ = docs_[++at_];
    return;
  }
  constexpr uint32_t kQuarter = kBlockPostings / 4;
  uint32_t first = 0;
  for (uint32_t i = 1; i < 4; i++) first += docs_[i * kQuarter - 1] < d ? kQuarter : 0;
  uint32_t less = first;
  for (uint32_t i = 0; i < kQuarter; i++) less += docs_[first + i] < d ? 1 : 0;
  at_ = less;
  doc_ = docs_[at_];
}

void PostingCursor::ReadCounts() {
  counts_read_ = true;
  if (lists_.contents == PostingContents::kDocuments) {
    counts_.fill(1);
    return;
  }
  const std::byte* end = lists_.format->ReadCounts(list_, block_shape_, counts_part_, counts_.data());
  if (end == nullptr) {
    ok_ = false;
    counts_.fill(1);
  } else if (is_short() && positions_part_.empty()) {
    positions_part_ = counts_part_.subspan(static_cast<size_t>(end - counts_part_.data()));
  }
}

PositionsPlace PostingCursor::positions_place() {
  PositionsPlace place;
  place.count = count();
  // LoadBlock() checked that all documents of a block have lengths, if there are lengths.
  const uint32_t* all_lengths = lists_.lengths.data();
  const auto length_of = [&](uint32_t i) { return all_lengths == nullptr ? 0 : all_lengths[docs_[i]]; };
  place.length = length_of(at_);
  if (places_to_ > at_) {  // positions() has already read past them
    places_to_ = 0;
    positions_bit_ = block_shape_.positions_place;
  }
  const uint32_t step = at_ / kPositionStep;
  if (step * kPositionStep > places_to_ && table_.has_steps()) {
    places_to_ = step * kPositionStep;
    positions_bit_ = block_shape_.positions_place + table_.Step(block_, step);
  }
  // Skips the postings between the last one with a known place and this one.
  if (places_to_ < at_ && positions_bit_ != kDamaged) {
    std::array<uint32_t, kBlockPostings> lengths;
    const uint32_t skipped = at_ - places_to_;
    for (uint32_t i = 0; i < skipped; i++) lengths[i] = length_of(places_to_ + i);
    positions_bit_ = lists_.format->positions().skip(
        positions_part_, positions_bit_, std::span(counts_).subspan(places_to_, skipped), lengths.data());
    places_to_ = at_;
  }
  place.bit = positions_bit_;
  if (place.bit == kDamaged || place.count > place.length) {
    ok_ = false;
    place.count = 0;
    return place;
  }
  if (place.bit / 8 < positions_part_.size()) __builtin_prefetch(positions_part_.data() + place.bit / 8);
  return place;
}

std::span<const uint32_t> PostingCursor::positions() {
  if (positions_of_ == at_) return positions_;
  const PositionsPlace place = positions_place();
  positions_.resize(place.count);
  positions_of_ = at_;
  if (place.count == 0) return positions_;
  positions_bit_ = lists_.format->positions().read(positions_part_, place.bit, place.length, positions_);
  places_to_ = at_ + 1;
  if (positions_bit_ == kDamaged) {
    ok_ = false;
    positions_.clear();
  }
  return positions_;
}

// A list of one block stores no maxima: whoever needs them will soon read all of it.
ImpactBlock PostingCursor::ShortMax() {
  if (frequency() == 0) return {};
  count();
  ImpactCollector collector(1);
  for (uint32_t i = 0; i < block_shape_.size; i++) collector.Add(counts_[i], LengthOf(docs_[i]));
  return collector.Finish();
}

}  // namespace crivello::index
