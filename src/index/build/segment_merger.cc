// SPDX-License-Identifier: Apache-2.0
#include "index/build/segment_merger.h"

#include <algorithm>
#include <set>
#include <utility>

#include "index/build/field_merger.h"
#include "index/build/field_writer.h"
#include "index/build/ordered_work.h"
#include "index/segments/document_values_builder.h"

namespace crivello::index {
namespace {

// The source of each document of the new segment.
struct Origin {
  uint32_t source = 0;
  DocId doc = kEndDoc;
};

Result<std::vector<Origin>> Invert(std::span<const MergeSource> sources) {
  uint64_t documents = 0;
  for (const MergeSource& source : sources) {
    if (source.map.size() != source.segment->documents())
      return Status::InvalidArgument("merge: a document map does not belong to its segment");
    for (const DocId doc : source.map) documents += doc != kEndDoc ? 1 : 0;
  }
  if (documents >= kEndDoc) return Status::InvalidArgument("merge: too many documents");
  std::vector<Origin> origins(documents);
  for (uint32_t i = 0; i < sources.size(); i++) {
    for (DocId old = 0; old < sources[i].map.size(); old++) {
      const DocId doc = sources[i].map[old];
      if (doc == kEndDoc) continue;
      if (doc >= documents || origins[doc].doc != kEndDoc)
        return Status::InvalidArgument("merge: the document maps are not a permutation");
      origins[doc] = {i, old};
    }
  }
  return origins;
}

bool IsSorted(std::span<const Origin> origins) {
  return std::ranges::is_sorted(origins, [](const Origin& a, const Origin& b) {
    return std::pair(a.source, a.doc) < std::pair(b.source, b.doc);
  });
}

Result<FieldInfo> MergeField(const std::string& name, const SegmentMergerOptions& options,
                             std::span<const MergeSource> sources, std::span<const Origin> origins,
                             SegmentSink& sink) {
  std::vector<FieldSource> fields;
  std::vector<const FieldView*> by_source;
  PostingContents contents = PostingContents::kPositions;
  for (const MergeSource& source : sources) {
    const FieldView* field = source.segment->field(name);
    by_source.push_back(field);
    if (field == nullptr) continue;
    fields.push_back({field, source.map});
    contents = std::min(contents, field->lists.contents);
  }
  std::vector<uint32_t> lengths;
  if (contents != PostingContents::kDocuments) {
    lengths.reserve(origins.size());
    for (const Origin& origin : origins) {
      const FieldView* field = by_source[origin.source];
      lengths.push_back(field != nullptr ? field->lists.lengths[origin.doc] : 0);
    }
  }
  const PostingOptions postings = {options.format, contents, lengths};
  FieldWriter writer({name, postings, {.threads = options.threads}}, sink);
  CRV_TRY(writer.Open());
  CRV_TRY(MergeFields({postings, options.threads, IsSorted(origins)}, fields,
                      [&writer](const MergedLists& lists) { return writer.Add(lists); }));
  return writer.Finish();
}

Status MergeValues(std::span<const MergeSource> sources, std::span<const Origin> origins, SegmentSink& sink) {
  DocumentValuesBuilder values(sink.scratch());
  for (const Origin& origin : origins) {
    const DocumentValues& from = sources[origin.source].segment->values();
    for (const auto& [name, column] : from.all_numbers()) values.SetNumber(name, column[origin.doc]);
    for (const auto& [name, column] : from.all_strings()) values.SetString(name, column[origin.doc]);
    for (const auto& [name, column] : from.all_scores()) values.SetScore(name, column[origin.doc]);
    values.EndDocument();
  }
  return values.WriteTo(sink);
}

// Texts of consecutive documents of the new segment.
struct TextJob {
  struct Text {
    std::string url, id, title, description, text;
  };
  std::span<const Origin> origins;
  std::vector<Text> texts;
  Status status;
};

// Reads them in stored order, so that a block with several of them is decompressed once.
Status ReadTexts(std::vector<TextReader>& readers, TextJob& job) {
  std::vector<uint32_t> order(job.origins.size());
  for (uint32_t i = 0; i < order.size(); i++) order[i] = i;
  std::ranges::sort(order, {},
                    [&job](uint32_t i) { return std::pair(job.origins[i].source, job.origins[i].doc); });
  job.texts.resize(job.origins.size());
  for (const uint32_t i : order) {
    CRV_ASSIGN(const StoredDocument from, readers[job.origins[i].source].Get(job.origins[i].doc));
    job.texts[i] = {std::string(from.url), std::string(from.id), std::string(from.title),
                    std::string(from.description), std::string(from.text)};
  }
  return Status::Ok();
}

Status MergeTexts(unsigned threads, std::span<const MergeSource> sources, std::span<const Origin> origins,
                  SegmentSink& sink) {
  constexpr size_t kJobDocuments = 1024;
  std::vector<std::vector<TextReader>> readers(threads);
  for (std::vector<TextReader>& of_thread : readers) {
    for (const MergeSource& source : sources) of_thread.emplace_back(source.segment->texts());
  }
  CRV_ASSIGN(TextStoreWriter texts, TextStoreWriter::Create(sink));
  OrderedWork<TextJob> work(
      threads, [&readers](unsigned thread, TextJob& job) { job.status = ReadTexts(readers[thread], job); },
      [&texts](TextJob& job) {
        CRV_TRY(job.status);
        for (const TextJob::Text& text : job.texts) {
          CRV_TRY(texts.Add({text.url, text.id, text.title, text.description, text.text}));
        }
        return Status::Ok();
      });
  for (; !origins.empty(); origins = origins.subspan(std::min(kJobDocuments, origins.size()))) {
    CRV_TRY(work.Give({origins.first(std::min(kJobDocuments, origins.size())), {}, {}}));
  }
  CRV_TRY(work.Finish());
  return texts.Finish();
}

}  // namespace

std::vector<MergeSource> ConcatenateSegments(std::span<const Segment* const> segments,
                                             const std::function<bool(size_t, DocId)>& keep) {
  std::vector<MergeSource> sources;
  DocId next = 0;
  for (size_t i = 0; i < segments.size(); i++) {
    MergeSource& source = sources.emplace_back();
    source.segment = segments[i];
    source.map.reserve(segments[i]->documents());
    for (DocId doc = 0; doc < segments[i]->documents(); doc++) {
      source.map.push_back(keep(i, doc) ? next++ : kEndDoc);
    }
  }
  return sources;
}

Result<SegmentInfo> MergeSegments(const SegmentMergerOptions& options, std::span<const MergeSource> sources,
                                  SegmentSink& sink) {
  if (sources.empty()) return Status::InvalidArgument("merge: no segments given");
  if (options.threads == 0)
    return Status::InvalidArgument("merge: invalid number of threads: expected at least 1");
  CRV_ASSIGN(const std::vector<Origin> origins, Invert(sources));
  const SegmentInfo& first = sources.front().segment->info();
  SegmentMergerOptions with_format = options;
  if (options.format == nullptr) {
    CRV_ASSIGN(with_format.format, FindPostingFormat(first.format));
  }
  SegmentInfo info;
  info.documents = static_cast<DocId>(origins.size());
  info.analyser = first.analyser;
  info.format = with_format.format->name();
  info.order = options.order;
  std::set<std::string> names;
  for (const MergeSource& source : sources) {
    if (source.segment->info().analyser != info.analyser)
      return Status::InvalidArgument("merge: segments with analysers \"" + info.analyser + "\" and \"" +
                                     source.segment->info().analyser + "\"");
    for (const FieldView& field : source.segment->fields()) names.insert(field.name);
  }
  for (const std::string& name : names) {
    CRV_ASSIGN(FieldInfo field, MergeField(name, with_format, sources, origins, sink));
    info.fields.push_back(std::move(field));
  }
  CRV_TRY(MergeValues(sources, origins, sink));
  CRV_TRY(MergeTexts(options.threads, sources, origins, sink));
  CRV_TRY(WriteSegmentInfo(info, sink));
  return info;
}

}  // namespace crivello::index
