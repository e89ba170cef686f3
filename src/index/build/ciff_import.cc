// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "index/build/ciff.h"
#include "index/build/field_writer.h"
#include "index/build/protobuf_wire.h"
#include "index/segments/document_values_builder.h"
#include "index/segments/text_store.h"

namespace crivello::index {
namespace {

constexpr uint64_t kMaxInt32 = std::numeric_limits<int32_t>::max();
// Lists are passed on in batches of this many bytes.
constexpr size_t kBatchBytes = 1 << 20;

Status DamagedCiff(std::string_view why) {
  return Status::Corruption(fmt::format("corrupt CIFF file: {}", fmt::string_view(why.data(), why.size())));
}

struct Header {
  uint64_t lists = 0;
  uint64_t documents = 0;
};

struct CiffList {
  std::string_view term;
  std::string_view message;
};

struct Record {
  uint64_t doc = 0;
  std::string_view name = {};
  uint64_t length = 0;
};

Result<Header> ReadHeader(std::string_view message) {
  Header header;
  uint64_t version = 0;
  ProtobufReader reader(message);
  while (reader.Next()) {
    if (reader.field() == 1) version = reader.number();
    if (reader.field() == 2) header.lists = reader.number();
    if (reader.field() == 3) header.documents = reader.number();
  }
  if (!reader.ok() || header.lists > kMaxInt32 || header.documents > kMaxInt32)
    return DamagedCiff("missing header");
  if (version != 1)
    return DamagedCiff(fmt::format("found version {}, but this program reads version 1", version));
  return header;
}

// The term, which all known writers put first.
Result<std::string_view> TermOf(std::string_view message) {
  ProtobufReader reader(message);
  while (reader.Next()) {
    if (reader.field() == 1) return reader.text();
  }
  if (!reader.ok()) return DamagedCiff("a posting list ends inside a field");
  return std::string_view();
}

Result<Record> ReadRecord(std::string_view message) {
  Record record;
  ProtobufReader reader(message);
  while (reader.Next()) {
    if (reader.field() == 1) record.doc = reader.number();
    if (reader.field() == 2) record.name = reader.text();
    if (reader.field() == 3) record.length = reader.number();
  }
  if (!reader.ok() || record.length > kMaxInt32) return DamagedCiff("invalid document record");
  return record;
}

class Importer {
 public:
  Importer(const CiffImport& options, SegmentSink& sink) : options_(options), sink_(sink) {}

  Result<CiffSummary> Run(Bytes file) {
    CRV_TRY(Survey(file));
    CRV_TRY(WriteField());
    CRV_TRY(WriteDocuments());
    SegmentInfo info;
    info.documents = static_cast<DocId>(records_.size());
    info.analyser = options_.analyser;
    info.format = options_.format->name();
    info.order = "arrival";
    info.fields = {field_};
    CRV_TRY(WriteSegmentInfo(info, sink_));
    return CiffSummary{records_.size(), field_.terms, field_.postings, field_.occurrences};
  }

 private:
  // The first pass: finds the lists, sorted by their terms, and the documents.
  Status Survey(Bytes file) {
    ProtobufReader messages(AsText(file));
    CRV_ASSIGN(const Header header, ReadHeader(messages.TakeDelimited()));
    // A message takes at least one byte.
    if (header.lists > messages.left() || header.documents > messages.left()) return Cut();
    for (uint64_t i = 0; i < header.lists; i++) {
      CiffList list;
      list.message = messages.TakeDelimited();
      CRV_ASSIGN(list.term, TermOf(list.message));
      lists_.push_back(list);
    }
    const auto before = [](const CiffList& a, const CiffList& b) { return a.term < b.term; };
    if (!std::is_sorted(lists_.begin(), lists_.end(), before))
      std::stable_sort(lists_.begin(), lists_.end(), before);
    records_.resize(header.documents);
    lengths_.resize(header.documents);
    std::vector<bool> seen(header.documents);
    for (uint64_t i = 0; i < header.documents; i++) {
      CRV_ASSIGN(const Record record, ReadRecord(messages.TakeDelimited()));
      if (!messages.ok()) return Cut();
      if (record.doc >= header.documents || seen[record.doc])
        return DamagedCiff(
            fmt::format("document {} of {} is duplicated or out of range", record.doc, header.documents));
      seen[record.doc] = true;
      records_[record.doc] = record.name;
      lengths_[record.doc] = static_cast<uint32_t>(record.length);
    }
    if (!messages.ok()) return Cut();
    if (messages.left() > 0) return DamagedCiff(fmt::format("{} extra bytes after its end", messages.left()));
    return Status::Ok();
  }
  static Status Cut() { return DamagedCiff("truncated"); }

  Status WriteField() {
    const PostingOptions postings = {
        .format = options_.format, .contents = PostingContents::kCounts, .lengths = lengths_};
    FieldWriter writer({.name = options_.field, .postings = postings}, sink_);
    CRV_TRY(writer.Open());
    PostingEncoder encoder(postings);
    MergedLists batch;
    for (size_t i = 0; i < lists_.size(); i++) {
      if (i > 0 && lists_[i].term == lists_[i - 1].term) return DamagedCiff("two posting lists of one term");
      CRV_TRY(Encode(lists_[i], encoder));
      CRV_TRY(encoder.FinishList(&batch.lists));
      batch.terms += lists_[i].term;
      batch.term_bytes.push_back(static_cast<uint32_t>(lists_[i].term.size()));
      if (batch.lists.documents.size() < kBatchBytes && i + 1 < lists_.size()) continue;
      CRV_TRY(writer.Add(batch));
      batch.terms.clear();
      batch.term_bytes.clear();
      batch.lists.Clear();
    }
    CRV_ASSIGN(field_, writer.Finish());
    return Status::Ok();
  }

  Status Encode(const CiffList& list, PostingEncoder& encoder) const {
    uint64_t frequency = 0, occurrences = 0;
    uint64_t said_frequency = 0, said_occurrences = 0;
    uint64_t doc = 0;
    ProtobufReader reader(list.message);
    while (reader.Next()) {
      if (reader.field() == 2) said_frequency = reader.number();
      if (reader.field() == 3) said_occurrences = reader.number();
      if (reader.field() != 4) continue;
      uint64_t gap = 0;
      uint64_t count = 0;
      ProtobufReader posting(reader.text());
      while (posting.Next()) {
        if (posting.field() == 1) gap = posting.number();
        if (posting.field() == 2) count = posting.number();
      }
      if (!posting.ok() || gap > kMaxInt32 || count == 0 || count > kMaxInt32 ||
          (frequency > 0 && gap == 0) || doc + gap >= records_.size()) {
        return DamagedCiff(fmt::format("posting {} of a list is invalid", frequency));
      }
      doc += gap;
      frequency++;
      occurrences += count;
      encoder.Add(static_cast<DocId>(doc), static_cast<uint32_t>(count));
    }
    if (!reader.ok()) return DamagedCiff("a posting list ends inside a field");
    if (frequency == 0 || frequency != said_frequency || occurrences != said_occurrences) {
      return DamagedCiff(
          fmt::format("found a list of {} postings and {} occurrences, but its header says {} and {}",
                      frequency, occurrences, said_frequency, said_occurrences));
    }
    return Status::Ok();
  }

  Status WriteDocuments() {
    DocumentValuesBuilder values(sink_.scratch());
    CRV_ASSIGN(TextStoreWriter texts, TextStoreWriter::Create(sink_));
    for (const std::string_view name : records_) {
      values.SetNumber(column::kKey, UrlKey(name));
      values.EndDocument();
      CRV_TRY(texts.Add({.url = name, .id = name}));
    }
    CRV_TRY(values.WriteTo(sink_));
    return texts.Finish();
  }

  const CiffImport& options_;
  SegmentSink& sink_;
  std::vector<CiffList> lists_;
  std::vector<std::string_view> records_;  // the name of each document
  std::vector<uint32_t> lengths_;
  FieldInfo field_;
};

}  // namespace

Result<CiffSummary> ImportCiff(Bytes file, const CiffImport& options, SegmentSink& sink) {
  if (!IsFieldName(options.field))
    return Status::InvalidArgument(fmt::format("ciff: invalid field name {:?}", options.field));
  return Importer(options, sink).Run(file);
}

}  // namespace crivello::index
