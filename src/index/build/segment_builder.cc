// SPDX-License-Identifier: Apache-2.0
#include "index/build/segment_builder.h"

#include <malloc.h>

#include <algorithm>
#include <deque>
#include <system_error>
#include <utility>
#include <vector>

#include "base/folder.h"
#include "index/build/document_chunk.h"
#include "index/build/field_writer.h"
#include "index/build/ordered_work.h"
#include "index/build/run_merger.h"
#include "index/build/run_store.h"
#include "index/segments/document_values_builder.h"
#include "index/segments/segment_info.h"
#include "index/segments/text_store.h"

namespace crivello::index {
namespace {

// The memory of a document in a chunk, besides its text.
constexpr uint64_t kDocumentBytes = 200;
constexpr uint64_t kMaxTextBytes = uint64_t{1} << 31;

// An eighth of the memory is for runs.  A chunk takes about four times its text while it is inverted, and
// each thread has one more chunk waiting.
uint64_t ChunkBytes(const SegmentBuilderOptions& options) {
  return std::clamp(options.memory_bytes / (16 * options.threads), uint64_t{64} << 10, uint64_t{16} << 20);
}

}  // namespace

class SegmentBuilder::Impl {
 public:
  Impl(const SegmentBuilderOptions& options, SegmentSink& sink, TextStoreWriter texts)
      : options_(options),
        sink_(&sink),
        chunk_bytes_(ChunkBytes(options)),
        texts_(std::move(texts)),
        values_(sink.scratch()),
        runs_({.scratch = options.scratch, .memory_bytes = options.memory_bytes / 8}),
        work_(
            options.threads,
            [this](unsigned thread, Job& job) {
              job.runs = inverters_[thread].Invert(job.chunk);
              job.documents = static_cast<DocId>(job.chunk.documents.size());
              job.chunk = DocumentChunk();
            },
            [this](Job& job) { return runs_.Add(job.documents, std::move(job.runs)); }) {}

  Status Open() {
    for (unsigned i = 0; i < options_.threads; i++) {
      CRV_ASSIGN(auto analyser, text::Analyser::Create(options_.analyser));
      analyser_ = analyser.description().ToString();
      inverters_.emplace_back(std::move(analyser));
    }
    return Status::Ok();
  }

  Status Add(IndexDocument document) {
    if (documents_ == kEndDoc - 1) return Status::InvalidArgument("segment: too many documents");
    DocumentChunk::Document added;
    CRV_TRY(TakePieces(document.texts, false, &added.texts));
    CRV_TRY(TakePieces(document.keywords, true, &added.keywords));
    StoredDocument stored = {.url = document.url, .id = document.id};
    if (options_.store_text) {
      stored.title = document.title;
      stored.description = document.description;
      stored.text = document.text;
    }
    CRV_TRY(texts_.Add(stored));
    SetValues(document);
    added.language = std::move(document.language);
    for (const DocumentChunk::Piece& piece : added.texts) {
      summary_.text_bytes += piece.text.size();
      chunk_.bytes += piece.text.size();
    }
    for (const DocumentChunk::Piece& piece : added.keywords) chunk_.bytes += piece.text.size();
    chunk_.bytes += kDocumentBytes;
    chunk_.documents.push_back(std::move(added));
    documents_++;
    return chunk_.bytes >= chunk_bytes_ ? EndChunk() : Status::Ok();
  }

  uint32_t documents() const { return documents_; }

  Result<SegmentSummary> Finish() {
    CRV_TRY(EndChunk());
    CRV_TRY(work_.Finish());
    // Merging needs this memory, in other threads and in other sizes.
    inverters_.clear();
    ::malloc_trim(0);
    CRV_TRY(values_.WriteTo(*sink_));
    SegmentInfo info;
    info.documents = documents_;
    info.analyser = analyser_;
    info.format = options_.format->name();
    info.order = "arrival";
    std::vector<uint32_t> by_name(fields_.size());
    for (uint32_t i = 0; i < by_name.size(); i++) by_name[i] = i;
    std::ranges::sort(by_name, {}, [this](uint32_t i) -> const std::string& { return fields_[i].name; });
    for (const uint32_t field : by_name) {
      CRV_ASSIGN(FieldInfo written, WriteField(field));
      summary_.tokens += written.tokens;
      summary_.terms += written.terms;
      summary_.postings += written.postings;
      summary_.occurrences += written.occurrences;
      info.fields.push_back(std::move(written));
    }
    CRV_TRY(texts_.Finish());
    CRV_TRY(WriteSegmentInfo(info, *sink_));
    summary_.documents = documents_;
    return summary_;
  }

 private:
  struct Field {
    std::string name;
    PostingContents contents;
    bool keywords;
  };
  struct Job {
    DocumentChunk chunk;
    DocId documents = 0;
    std::vector<std::vector<uint8_t>> runs;
  };

  // The number of a field; a new field is added to the segment.
  Result<uint32_t> NumberOf(std::string_view name, bool keywords) {
    for (uint32_t i = 0; i < fields_.size(); i++) {
      if (fields_[i].name != name) continue;
      if (fields_[i].keywords == keywords) return i;
      return Status::InvalidArgument("segment: field " + fields_[i].name + " has both text and keywords");
    }
    if (!IsFieldName(name))
      return Status::InvalidArgument("segment: invalid field name " + std::string(name));
    fields_.push_back(
        {std::string(name), keywords ? PostingContents::kDocuments : options_.contents, keywords});
    chunk_.fields.push_back(fields_.back().contents);
    return static_cast<uint32_t>(fields_.size() - 1);
  }

  Status TakePieces(std::vector<IndexDocument::FieldText>& from, bool keywords,
                    std::vector<DocumentChunk::Piece>* to) {
    to->reserve(from.size());
    for (IndexDocument::FieldText& piece : from) {
      if (piece.text.size() > kMaxTextBytes) return Status::InvalidArgument("segment: a text is too long");
      CRV_ASSIGN(const uint32_t field, NumberOf(piece.field, keywords));
      to->push_back({field, std::move(piece.text)});
    }
    return Status::Ok();
  }

  void SetValues(const IndexDocument& document) {
    values_.SetNumber(column::kKey, UrlKey(document.url));
    for (const IndexDocument::Number& number : document.numbers) values_.SetNumber(number.name, number.value);
    for (const IndexDocument::Label& label : document.labels) values_.SetString(label.name, label.value);
    for (const IndexDocument::Score& score : document.scores) values_.SetScore(score.name, score.value);
    values_.EndDocument();
  }

  Status EndChunk() {
    if (chunk_.documents.empty()) return Status::Ok();
    Job job;
    job.chunk = std::exchange(chunk_, DocumentChunk());
    chunk_.fields = job.chunk.fields;
    return work_.Give(std::move(job));
  }

  Result<FieldInfo> WriteField(uint32_t number) {
    const Field& field = fields_[number];
    CRV_ASSIGN(const std::vector<RunPlace> places, runs_.Open(number, field.contents));
    CRV_ASSIGN(RunMerger merger,
               RunMerger::Open({options_.format, field.contents, options_.threads, documents_}, places));
    // A thread uses up to 142 MB for its shard of the function.
    succinct::StaticFunctionOptions terms;
    terms.threads = static_cast<unsigned>(
        std::clamp(options_.memory_bytes / (uint64_t{512} << 20), uint64_t{1}, uint64_t{options_.threads}));
    if (!options_.scratch.empty()) terms.store = {options_.memory_bytes / 16, options_.scratch};
    FieldWriter writer({field.name, {options_.format, field.contents, merger.lengths()}, terms}, *sink_);
    CRV_TRY(writer.Open());
    CRV_TRY(merger.Merge([&writer](const MergedLists& lists) { return writer.Add(lists); }));
    runs_.Drop(number);
    return writer.Finish();
  }

  const SegmentBuilderOptions options_;
  SegmentSink* const sink_;
  const uint64_t chunk_bytes_;
  std::string analyser_;
  std::vector<Field> fields_;
  DocId documents_ = 0;
  SegmentSummary summary_;
  TextStoreWriter texts_;
  DocumentValuesBuilder values_;
  DocumentChunk chunk_;
  RunStore runs_;
  std::deque<ChunkInverter> inverters_;  // one per thread
  OrderedWork<Job> work_;                // destroyed first, because its threads use the other members
};

Result<std::unique_ptr<SegmentBuilder>> SegmentBuilder::Create(const SegmentBuilderOptions& options,
                                                               SegmentSink& sink) {
  if (options.threads == 0)
    return Status::InvalidArgument("segment: invalid number of threads: expected at least 1");
  if (!options.scratch.empty()) CRV_TRY(MakeFolders(options.scratch));
  CRV_ASSIGN(TextStoreWriter texts, TextStoreWriter::Create(sink));
  auto impl = std::make_unique<Impl>(options, sink, std::move(texts));
  CRV_TRY(impl->Open());
  return std::unique_ptr<SegmentBuilder>(new SegmentBuilder(std::move(impl)));
}

SegmentBuilder::SegmentBuilder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SegmentBuilder::~SegmentBuilder() = default;
Status SegmentBuilder::Add(IndexDocument document) { return impl_->Add(std::move(document)); }
uint32_t SegmentBuilder::documents() const { return impl_->documents(); }
Result<SegmentSummary> SegmentBuilder::Finish() { return impl_->Finish(); }

}  // namespace crivello::index
