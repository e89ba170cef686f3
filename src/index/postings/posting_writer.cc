// SPDX-License-Identifier: Apache-2.0
#include "index/postings/posting_writer.h"

#include "bits/codes.h"
#include "index/postings/format_support.h"

namespace crivello::index {

PostingListWriter::PostingListWriter(const Options& options) : options_(options), encoder_(options) {}

Result<uint64_t> PostingListWriter::FinishList() {
  encoded_.Clear();
  starts_.clear();
  CRV_TRY(encoder_.FinishList(&encoded_));
  Place(encoded_, &starts_);
  return starts_.front();
}

void PostingListWriter::Place(const EncodedLists& encoded, std::vector<uint64_t>* starts) {
  Bytes documents = std::as_bytes(std::span(encoded.documents));
  Bytes counts = std::as_bytes(std::span(encoded.counts));
  Bytes positions = std::as_bytes(std::span(encoded.positions));
  for (const EncodedLists::List& list : encoded.lists) {
    starts->push_back(documents_.size());
    WriteHead(list);
    AppendBytes(documents.first(list.documents_bytes), &documents_.bytes_);
    AppendBytes(counts.first(list.counts_bytes), &counts_.bytes_);
    AppendBytes(positions.first(list.positions_bytes), &positions_.bytes_);
    documents = documents.subspan(list.documents_bytes);
    counts = counts.subspan(list.counts_bytes);
    positions = positions.subspan(list.positions_bytes);
  }
}

// The head of a list, which readers see first.  It depends on where the parts are.
void PostingListWriter::WriteHead(const EncodedLists::List& list) {
  const ListShape& shape = list.shape;
  const bool is_short = shape.frequency <= kBlockPostings;
  head_.Clear();
  bits::GammaCode::Write(head_, shape.frequency);
  if (shape.frequency > 0) {
    if (options_.contents != PostingContents::kDocuments) {
      bits::DeltaCode::Write(head_, shape.occurrences - shape.frequency);
      if (!is_short) bits::DeltaCode::Write(head_, counts_.size());
    }
    if (options_.contents == PostingContents::kPositions) {
      const bool apart = !is_short || list.positions_bytes > 0;
      if (is_short) head_.WriteBits(apart ? 1 : 0, 1);
      if (apart) bits::DeltaCode::Write(head_, positions_.size());
    }
    if (is_short) head_.WriteBits(shape.last, DocumentBits(options_.lengths));
  }
  AppendBits(head_, &documents_.bytes_);
}

void PostingListWriter::Finish() { documents_.bytes_.insert(documents_.bytes_.end(), kStreamSlack, 0); }

}  // namespace crivello::index
