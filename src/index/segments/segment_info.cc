// SPDX-License-Identifier: Apache-2.0
#include "index/segments/segment_info.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/record.h"

namespace crivello::index {
namespace {

constexpr uint64_t kMaxFields = 1000;

}  // namespace

const FieldInfo* SegmentInfo::field(std::string_view name) const {
  for (const FieldInfo& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

bool IsFieldName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

Status WriteSegmentInfo(const SegmentInfo& info, SegmentSink& sink) {
  RecordWriter record;
  record.Number(info.documents);
  record.Text(info.analyser);
  record.Text(info.format);
  record.Text(info.order);
  record.Number(info.fields.size());
  for (const FieldInfo& field : info.fields) {
    if (!IsFieldName(field.name))
      return Status::InvalidArgument(fmt::format("segment: invalid field name {:?}", field.name));
    record.Text(field.name);
    record.Number(static_cast<uint64_t>(field.contents));
    record.Number(field.terms);
    record.Number(field.postings);
    record.Number(field.occurrences);
    record.Number(field.tokens);
    record.Number(field.documents);
    record.Number(field.max_length);
    record.Number(field.inline_positions);
  }
  RecordWriter payload;  // starts with its length, to distinguish it from the padding
  payload.Text(record.bytes());
  return sink.Write(part::kSegment, SegmentInfo::kFileKind, AsBytes(payload.bytes()));
}

Result<SegmentInfo> SegmentInfo::FromImage(Bytes payload) {
  RecordReader whole(AsText(payload));
  RecordReader reader(whole.Text());
  SegmentInfo info;
  info.documents = static_cast<DocId>(reader.NumberAtMost(kEndDoc));
  info.analyser = reader.Text();
  info.format = reader.Text();
  info.order = reader.Text();
  const uint64_t fields = reader.NumberAtMost(kMaxFields);
  for (uint64_t i = 0; i < fields && reader.ok(); i++) {
    FieldInfo field;
    field.name = reader.Text();
    field.contents =
        static_cast<PostingContents>(reader.NumberAtMost(static_cast<uint64_t>(PostingContents::kPositions)));
    field.terms = reader.Number();
    field.postings = reader.Number();
    field.occurrences = reader.Number();
    field.tokens = reader.Number();
    field.documents = reader.NumberAtMost(info.documents);
    field.max_length = static_cast<uint32_t>(reader.NumberAtMost(~uint32_t{0}));
    field.inline_positions = reader.Number();
    if (!reader.ok()) break;
    if (!IsFieldName(field.name) || info.field(field.name) != nullptr)
      return Status::Corruption(fmt::format("corrupt segment: a field named {:?}", field.name));
    info.fields.push_back(std::move(field));
  }
  if (!whole.ok() || !reader.finished())
    return Status::Corruption("corrupt segment: its length differs from the length it states");
  return info;
}

Description SegmentInfo::Describe() const {
  Description description = {
      {"documents", uint64_t{documents}}, {"analyser", analyser}, {"format", format}, {"order", order}};
  for (const FieldInfo& field : fields) {
    description.push_back({field.name + "-terms", field.terms});
    description.push_back({field.name + "-postings", field.postings});
    description.push_back({field.name + "-tokens", field.tokens});
  }
  return description;
}

}  // namespace crivello::index
