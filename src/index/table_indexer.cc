// SPDX-License-Identifier: Apache-2.0
#include "index/table_indexer.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "index/document_order.h"
#include "index/index_files.h"
#include "index/index_writer.h"
#include "index/inlinks.h"
#include "index/live_documents.h"
#include "index/segment.h"
#include "index/segment_merger.h"
#include "index/segment_sink.h"
#include "web/row_key.h"
#include "web/signature.h"

namespace crivello::index {
namespace {

Status RemoveAll(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  return error ? Status::FromErrno("remove", path, error.value()) : Status::Ok();
}

// Counts the files of a segment, "body.terms" as "terms", but positions as such wherever they are; returns
// the bytes of all.
Result<uint64_t> CountBytes(const std::string& folder, std::map<std::string, uint64_t>* parts) {
  CRV_ASSIGN(const std::shared_ptr<const Segment> segment, Segment::Open(folder));
  uint64_t all = 0;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = file.path().filename().string();
    const uint64_t bytes = file.file_size(error);
    (*parts)[name.substr(name.find('.') + 1)] += bytes;
    all += bytes;
  }
  for (const FieldInfo& field : segment->info().fields) {
    (*parts)[std::string(part::kDocuments)] -= field.inline_positions;
    (*parts)[std::string(part::kPositions)] += field.inline_positions;
  }
  return all;
}

// The links of all tablets, sorted for each by target.
class LinkTurner {
 public:
  LinkTurner(std::span<const IndexedTablet> tablets, uint64_t memory_bytes) : tablets_(tablets) {
    while (1u << bits_ < tablets.size()) bits_++;
    for (const IndexedTablet& tablet : tablets) {
      sorters_.push_back(std::make_unique<InlinkSorter>(ExternalSorter::Options{
          .folder = ScratchPath(tablet.index), .memory_bytes = memory_bytes / tablets.size()}));
    }
  }

  Status Run(Progress& progress) {
    progress.Start("gathering links", 0);
    std::vector<std::vector<store::OutLink>> by_tablet(tablets_.size());
    for (const IndexedTablet& tablet : tablets_) {
      store::RowCursor row = tablet.table->Scan();
      for (; row.valid(); row.NextRow()) {
        progress.Advance(1);
        CRV_ASSIGN(const store::FetchCell fetch, row.fetch());
        if (!IsSearchable(fetch) || fetch.nofollow) continue;
        CRV_ASSIGN(auto links, tablet.table->Links(row.key(), row.time()));
        if (!links) continue;
        CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(row.key()));
        for (store::OutLink& link : *links) {
          if (!target_.Parse(link.url)) continue;
          by_tablet[web::TabletOf(web::HostHash(target_.hostname()), bits_)].push_back(std::move(link));
        }
        for (size_t i = 0; i < by_tablet.size(); i++) {
          CRV_TRY(sorters_[i]->Add(url.hostname(), by_tablet[i]));
          by_tablet[i].clear();
        }
      }
      CRV_TRY(row.status());
    }
    for (const auto& sorter : sorters_) CRV_TRY(sorter->Sort());
    progress.Finish();
    return Status::Ok();
  }

  InlinkSorter& sorter(size_t tablet) { return *sorters_[tablet]; }

 private:
  std::span<const IndexedTablet> tablets_;
  int bits_ = 0;
  std::vector<std::unique_ptr<InlinkSorter>> sorters_;
  web::Url target_;  // scratch
};

// The documents of a row: of its newest version, or of all, newest first.
class RowReader {
 public:
  RowReader(const store::Table& table, const PageFields& fields)
      : table_(table), fields_(fields), with_links_(fields.Has("links")) {}

  // Nothing if the version is not to be found by searches.
  Result<std::optional<IndexDocument>> Read(std::string_view key, store::VersionTime time,
                                            const store::FetchCell& fetch, const Inlinks* inlinks) const {
    if (!IsSearchable(fetch)) return std::optional<IndexDocument>();
    CRV_ASSIGN(const std::optional<store::StoredText> text, table_.Text(key, time));
    if (!text) return std::optional<IndexDocument>();
    std::optional<std::vector<store::OutLink>> links;
    if (with_links_) {
      CRV_ASSIGN(links, table_.Links(key, time));
    }
    CRV_ASSIGN(IndexDocument document, MakeDocument({.row_key = key,
                                                     .time = time,
                                                     .fetch = fetch,
                                                     .text = **text,
                                                     .links = links ? &*links : nullptr,
                                                     .inlinks = inlinks},
                                                    fields_));
    return std::optional<IndexDocument>(std::move(document));
  }

 private:
  const store::Table& table_;
  const PageFields& fields_;
  const bool with_links_;
};

// A version that a newer one of its page has followed, and when.
struct EndedVersion {
  DocId doc = 0;
  int64_t until = 0;
};

// Adds the rows of a tablet, in order; returns the versions among them that are not current.  `inlinks` may
// be null.
Result<std::vector<EndedVersion>> AddRows(const IndexedTablet& tablet, const TableIndexOptions& options,
                                          InlinkSorter* inlinks, SegmentBuilder& builder,
                                          TableIndexSummary* summary, Progress& progress) {
  std::vector<EndedVersion> ended;
  const RowReader reader(*tablet.table, options.fields);
  store::RowCursor row = tablet.table->Scan();
  std::string key;
  while (row.valid()) {
    key = row.key();
    summary->rows++;
    progress.Advance(1);
    Inlinks links_here;
    if (inlinks != nullptr) {
      CRV_ASSIGN(links_here, inlinks->Of(key));
    }
    // Versions come newest first.
    for (store::VersionTime until = INT64_MAX; row.valid() && row.key() == key;) {
      CRV_ASSIGN(const store::FetchCell fetch, row.fetch());
      CRV_ASSIGN(std::optional<IndexDocument> document, reader.Read(key, row.time(), fetch, &links_here));
      if (document) {
        if (until != INT64_MAX) ended.push_back({builder.documents(), until / 1'000'000});
        CRV_TRY(builder.Add(*std::move(document)));
      }
      until = row.time();
      if (options.settings.versions) {
        row.NextVersion();
      } else {
        row.NextRow();
      }
    }
  }
  CRV_TRY(row.status());
  return ended;
}

void Sum(const SegmentSummary& one, SegmentSummary* all) {
  all->documents += one.documents;
  all->text_bytes += one.text_bytes;
  all->tokens += one.tokens;
  all->terms += one.terms;
  all->postings += one.postings;
  all->occurrences += one.occurrences;
}

// Gives the documents of a segment another order, in a segment of its own; those of `ended` follow.
Status Reorder(const std::string& from, const std::string& to, const TableIndexOptions& options,
               std::vector<EndedVersion>* ended) {
  CRV_ASSIGN(const std::shared_ptr<const Segment> segment, Segment::Open(from));
  const Segment* const segments[] = {segment.get()};
  std::vector<MergeSource> sources = ConcatenateSegments(segments);
  CRV_TRY(options.order == "bisection" ? OrderByBisection({.threads = options.threads}, sources)
                                       : OrderByScore(options.order, sources));
  CRV_TRY(RemoveAll(to));
  CRV_ASSIGN(DirectorySink sink, DirectorySink::Open(to));
  CRV_TRY(MergeSegments({.order = options.order, .threads = options.threads}, sources, sink).status());
  for (EndedVersion& version : *ended) version.doc = sources[0].map[version.doc];
  return RemoveAll(from);
}

// The index of a tablet as one new segment.
Status BuildTablet(const IndexedTablet& tablet, const TableIndexOptions& options, InlinkSorter* inlinks,
                   uint64_t sequence, TableIndexSummary* summary, Progress& progress) {
  CRV_ASSIGN(const IndexLock lock, IndexLock::Take(tablet.index));
  Manifest manifest;
  const auto before = Manifest::Read(tablet.index);
  if (before.ok()) {
    manifest.generation = before->generation;
    manifest.next_segment = before->next_segment;
  } else if (before.status().code() != StatusCode::kNotFound) {
    return before.status();
  }
  Manifest::Entry entry = {.id = manifest.next_segment++};
  std::string folder = SegmentPath(tablet.index, entry.id);
  CRV_TRY(RemoveAll(folder));  // left by a build that did not end
  CRV_ASSIGN(DirectorySink sink, DirectorySink::Open(folder));
  CRV_ASSIGN(const PostingFormat* const format, FindPostingFormat(options.settings.format));
  CRV_ASSIGN(const std::unique_ptr<SegmentBuilder> builder,
             SegmentBuilder::Create({.analyser = options.settings.analyser,
                                     .format = format,
                                     .contents = options.settings.contents,
                                     .store_text = options.settings.store_text,
                                     .memory_bytes = options.memory_bytes,
                                     .scratch = ScratchPath(tablet.index),
                                     .threads = options.threads},
                                    sink));
  progress.Start("indexing rows", 0);
  CRV_ASSIGN(std::vector<EndedVersion> ended, AddRows(tablet, options, inlinks, *builder, summary, progress));
  progress.Finish();
  progress.Start("merging lists", 0);
  CRV_ASSIGN(const SegmentSummary segment, builder->Finish());
  progress.Finish();
  if (options.order != "url" && segment.documents > 0) {
    progress.Start("ordering documents", 0);
    entry.id = manifest.next_segment++;
    const std::string ordered = SegmentPath(tablet.index, entry.id);
    CRV_TRY(Reorder(folder, ordered, options, &ended));
    folder = ordered;
    progress.Finish();
  }

  Sum(segment, &summary->segments);
  entry.documents = segment.documents;
  CRV_ASSIGN(entry.bytes, CountBytes(folder, &summary->parts));
  summary->index_bytes += entry.bytes;
  manifest.generation++;
  manifest.settings = options.settings;
  manifest.settings.fields = options.fields.ToString();
  manifest.sequence = sequence;
  if (!ended.empty()) {
    LiveDocuments live(segment.documents);
    for (const EndedVersion& version : ended) live.End(version.doc, version.until);
    entry.deletions = manifest.generation;
    CRV_TRY(WriteImage(DeletionsPath(tablet.index, entry), LiveDocuments::kFileKind, live.ToImage().bytes()));
  }
  if (entry.documents > 0) manifest.segments = {entry};
  CRV_TRY(manifest.Write(tablet.index, PosixFileSystem()));

  // Who has the segments before this open keeps them until they close.
  CRV_TRY(RemoveStaleFiles(tablet.index, manifest, PosixFileSystem()));
  CRV_TRY(RemoveAll(ScratchPath(tablet.index)));
  return tablet.changes->Forget(sequence);
}

// Brings the index of a tablet up to the changes of its table.
Status RefreshTablet(const IndexedTablet& tablet, TableRefreshSummary* summary, Progress& progress) {
  CRV_ASSIGN(const std::unique_ptr<IndexWriter> writer,
             IndexWriter::Open({.directory = tablet.index, .live = false, .merge_in_background = false}));
  CRV_ASSIGN(const PageFields fields, PageFields::Parse(writer->settings().fields));
  std::set<std::string, std::less<>> keys;
  uint64_t sequence = writer->sequence();
  store::ChangeLog::Reader changes = tablet.changes->After(sequence);
  for (; changes.valid(); changes.Next()) {
    keys.emplace(changes.row_key());
    sequence = changes.sequence();
  }
  CRV_TRY(changes.status());
  const RowReader reader(*tablet.table, fields);
  const uint64_t versions = writer->settings().versions ? UINT64_MAX : 1;
  for (const std::string& key : keys) {
    progress.Advance(1);
    CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(key));
    CRV_ASSIGN(std::vector<store::Row> rows, tablet.table->Get(key, {.versions = versions}));
    CRV_TRY(writer->Delete(url.href()));
    bool found = false;
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {  // the writer takes the last for the newest
      CRV_ASSIGN(std::optional<IndexDocument> document, reader.Read(key, row->time, row->fetch, nullptr));
      found = document.has_value();
      if (document) CRV_TRY(writer->Add(*std::move(document)));
    }
    (found ? summary->changed : summary->gone)++;
  }
  CRV_TRY(writer->Commit(sequence));
  CRV_TRY(writer->WaitForMerges());
  return tablet.changes->Forget(sequence);
}

}  // namespace

Result<TableIndexSummary> BuildTableIndexes(std::span<const IndexedTablet> tablets,
                                            const TableIndexOptions& options, Progress& progress) {
  TableIndexSummary summary;
  std::vector<uint64_t> sequences;
  for (const IndexedTablet& tablet : tablets) {
    CRV_TRY(RemoveAll(ScratchPath(tablet.index)));
    sequences.push_back(tablet.changes->last());
  }
  std::optional<LinkTurner> turner;
  if (options.fields.Has("anchor")) {
    turner.emplace(tablets, options.memory_bytes / 4);
    CRV_TRY(turner->Run(progress));
  }
  for (size_t i = 0; i < tablets.size(); i++) {
    CRV_TRY(BuildTablet(tablets[i], options, turner ? &turner->sorter(i) : nullptr, sequences[i], &summary,
                        progress));
  }
  return summary;
}

Result<TableRefreshSummary> RefreshTableIndexes(std::span<const IndexedTablet> tablets, Progress& progress) {
  TableRefreshSummary summary;
  progress.Start("indexing what has changed", 0);
  for (const IndexedTablet& tablet : tablets) CRV_TRY(RefreshTablet(tablet, &summary, progress));
  progress.Finish();
  return summary;
}

}  // namespace crivello::index
