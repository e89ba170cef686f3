// SPDX-License-Identifier: Apache-2.0
#include "index/build/field_writer.h"

#include <algorithm>
#include <string_view>

namespace crivello::index {
namespace {

// Streams are passed on when they have this many bytes.
constexpr size_t kDrainBytes = size_t{1} << 20;

}  // namespace

FieldWriter::FieldWriter(const Options& options, SegmentSink& sink)
    : sink_(&sink), lengths_(options.postings.lengths), lists_(options.postings), terms_(options.terms) {
  info_.name = options.name;
  info_.contents = options.postings.contents;
  for (const uint32_t length : lengths_) {
    info_.tokens += length;
    info_.documents += length > 0 ? 1 : 0;
    info_.max_length = std::max(info_.max_length, length);
  }
}

Status FieldWriter::Open() {
  const auto create = [this](std::string_view name, FileKind kind) {
    return sink_->Create(part::Of(info_.name, name), kind);
  };
  CRV_ASSIGN(documents_, create(part::kDocuments, part::kDocumentsKind));
  if (info_.contents != PostingContents::kDocuments) {
    CRV_ASSIGN(counts_, create(part::kCounts, part::kCountsKind));
  }
  if (info_.contents == PostingContents::kPositions) {
    CRV_ASSIGN(positions_, create(part::kPositions, part::kPositionsKind));
  }
  return Status::Ok();
}

Status FieldWriter::Add(const MergedLists& lists) {
  starts_.clear();
  lists_.Place(lists.lists, &starts_);
  std::string_view terms = lists.terms;
  for (size_t i = 0; i < starts_.size(); i++) {
    CRV_TRY(terms_.Add(terms.substr(0, lists.term_bytes[i]), starts_[i]));
    terms.remove_prefix(lists.term_bytes[i]);
    info_.postings += lists.lists.lists[i].shape.frequency;
    info_.occurrences += lists.lists.lists[i].shape.occurrences;
    info_.inline_positions += lists.lists.lists[i].inline_positions;
  }
  return Drain(kDrainBytes);
}

Status FieldWriter::Drain(size_t least) {
  const auto drain = [least](PostingStream& stream, PartWriter* part) {
    return part != nullptr && stream.bytes().size() >= least ? stream.DrainTo(*part) : Status::Ok();
  };
  CRV_TRY(drain(lists_.documents(), documents_.get()));
  CRV_TRY(drain(lists_.counts(), counts_.get()));
  return drain(lists_.positions(), positions_.get());
}

Result<FieldInfo> FieldWriter::Finish() {
  lists_.Finish();
  CRV_TRY(Drain(0));
  for (const auto& part : {documents_.get(), counts_.get(), positions_.get()}) {
    if (part != nullptr) CRV_TRY(part->Finish());
  }
  if (info_.contents != PostingContents::kDocuments) {
    CRV_TRY(sink_->Write(part::Of(info_.name, part::kLengths), part::kLengthsKind, std::as_bytes(lengths_)));
  }
  info_.terms = terms_.size();
  CRV_ASSIGN(const ImageWriter image, terms_.Build());
  CRV_TRY(sink_->Write(part::Of(info_.name, part::kTerms), TermDictionary::kFileKind, image.bytes()));
  return info_;
}

}  // namespace crivello::index
