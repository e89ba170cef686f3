// SPDX-License-Identifier: Apache-2.0
#include "index/segments/segment.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace crivello::index {

Result<std::shared_ptr<const Segment>> Segment::Open(const std::string& directory, Verify verify) {
  std::shared_ptr<Segment> segment(new Segment());
  segment->directory_ = directory;
  segment->verify_ = verify;
  auto read = Read(std::move(segment));
  if (!read.ok()) return read.status().WithContext(directory);
  return read;
}

Result<std::shared_ptr<const Segment>> Segment::FromParts(SegmentParts parts) {
  std::shared_ptr<Segment> segment(new Segment());
  segment->parts_ = std::move(parts);
  return Read(std::move(segment));
}

Result<std::shared_ptr<const Segment>> Segment::Read(std::shared_ptr<Segment> segment) {
  CRV_ASSIGN(const Bytes info, segment->Part(part::kSegment, SegmentInfo::kFileKind));
  CRV_ASSIGN(segment->info_, SegmentInfo::FromImage(info));
  const auto format = FindPostingFormat(segment->info_.format);
  if (!format.ok()) return Status::Corruption("corrupt segment: " + format.status().message());
  segment->fields_.reserve(segment->info_.fields.size());
  for (const FieldInfo& field : segment->info_.fields) CRV_TRY(segment->ReadField(field, **format));
  CRV_ASSIGN(const Bytes values, segment->Part(part::kValues, DocumentValues::kFileKind));
  CRV_ASSIGN(segment->values_, DocumentValues::FromImage(values));
  CRV_ASSIGN(const Bytes texts, segment->Part(part::kTexts, TextStore::kFileKind));
  CRV_ASSIGN(segment->texts_, TextStore::FromImage(texts));
  if (segment->values_.documents() != segment->documents() ||
      segment->texts_.documents() != segment->documents()) {
    return Status::Corruption(fmt::format("corrupt segment: values of {} and texts of {}, not {} documents",
                                          segment->values_.documents(), segment->texts_.documents(),
                                          segment->documents()));
  }
  return std::shared_ptr<const Segment>(std::move(segment));
}

Status Segment::ReadField(const FieldInfo& info, const PostingFormat& format) {
  CRV_ASSIGN(const Bytes terms_image, Part(part::Of(info.name, part::kTerms), TermDictionary::kFileKind));
  CRV_ASSIGN(TermDictionary terms, TermDictionary::FromImage(terms_image));
  if (terms.size() != info.terms) {
    return Status::Corruption(
        fmt::format("corrupt segment: {} terms of {}, not {}", terms.size(), info.name, info.terms));
  }
  PostingLists lists = {.format = &format, .contents = info.contents};
  CRV_ASSIGN(lists.documents, Part(part::Of(info.name, part::kDocuments), part::kDocumentsKind));
  if (info.contents != PostingContents::kDocuments) {
    CRV_ASSIGN(lists.counts, Part(part::Of(info.name, part::kCounts), part::kCountsKind));
    CRV_ASSIGN(const Bytes lengths, Part(part::Of(info.name, part::kLengths), part::kLengthsKind));
    if (lengths.size() / 4 < documents()) {
      return Status::Corruption(fmt::format("corrupt segment: {} lengths of {} for {} documents",
                                            lengths.size() / 4, info.name, documents()));
    }
    lists.lengths = {reinterpret_cast<const uint32_t*>(lengths.data()), documents()};
  }
  if (info.contents == PostingContents::kPositions) {
    CRV_ASSIGN(lists.positions, Part(part::Of(info.name, part::kPositions), part::kPositionsKind));
  }
  fields_.push_back({.name = info.name,
                     .lists = lists,
                     .terms = std::move(terms),
                     .tokens = info.tokens,
                     .documents = info.documents,
                     .max_length = info.max_length});
  return Status::Ok();
}

Result<Bytes> Segment::Part(std::string_view name, FileKind kind) {
  if (directory_.empty()) {
    const auto found = parts_.find(name);
    if (found == parts_.end())
      return Status::NotFound(fmt::format("segment: part {} is missing", std::string(name)));
    bytes_ += found->second.size();
    return Bytes(found->second);
  }
  CRV_ASSIGN(FormatFile file,
             FormatFile::Open(directory_ + "/" + std::string(name), kind, {.verify = verify_}));
  files_.push_back(std::move(file));
  bytes_ += files_.back().payload().size();
  return files_.back().payload();
}

const FieldView* Segment::field(std::string_view name) const {
  for (const FieldView& field : fields_) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

Description Segment::Describe() const {
  Description description = info_.Describe();
  description.push_back({"bytes", bytes_});
  const auto bits = [](uint64_t bytes, uint64_t items) {
    return items == 0 ? 0 : 8 * static_cast<double>(bytes) / static_cast<double>(items);
  };
  for (size_t i = 0; i < fields_.size(); i++) {
    const FieldInfo& field = info_.fields[i];
    const PostingLists& lists = fields_[i].lists;
    const auto add = [&](std::string_view name, auto value) {
      description.push_back({field.name + "-" + std::string(name), value});
    };
    add("documents-bits-per-posting", bits(lists.documents.size(), field.postings));
    if (field.contents == PostingContents::kDocuments) continue;
    add("counts-bits-per-posting", bits(lists.counts.size(), field.postings));
    if (field.contents == PostingContents::kCounts) continue;
    add("positions-bits-per-occurrence", bits(lists.positions.size(), field.occurrences));
  }
  return description;
}

}  // namespace crivello::index
