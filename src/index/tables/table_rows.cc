// SPDX-License-Identifier: Apache-2.0
#include "index/tables/table_rows.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/folder.h"
#include "index/build/document_order.h"
#include "index/build/segment_merger.h"
#include "index/segments/index_files.h"
#include "index/segments/segment_sink.h"
#include "web/url/row_key.h"

namespace crivello::index {
namespace {

Status Stopped() { return Status::Unavailable("the index build was cancelled"); }

// The documents of a row: of its newest version, or of all, newest first.
class RowReader {
 public:
  RowReader(const IndexedTablet& tablet, const PageFields& fields)
      : table_(*tablet.table),
        duplicates_(tablet.duplicates),
        fields_(fields),
        with_links_(fields.Has("links")) {}

  // Nullopt if searches must not find this version.
  Result<std::optional<IndexDocument>> Read(std::string_view key, store::VersionTime time,
                                            const store::FetchCell& fetch, const Inlinks* inlinks) const {
    if (!IsSearchable(fetch)) return std::optional<IndexDocument>();
    CRV_ASSIGN(const std::optional<store::StoredText> text, table_.Text(key, time));
    if (!text) return std::optional<IndexDocument>();
    std::optional<std::vector<store::OutLink>> links;
    if (with_links_) {
      CRV_ASSIGN(links, table_.Links(key, time));
    }
    std::optional<store::DupCell> cluster;
    if (duplicates_ != nullptr && fetch.text_digest != 0) {
      CRV_ASSIGN(cluster, duplicates_->Get(key, fetch.text_digest));
    }
    CRV_ASSIGN(IndexDocument document,
               MakeDocument({.row_key = key,
                             .time = time,
                             .fetch = fetch,
                             .text = **text,
                             .links = links ? &*links : nullptr,
                             .inlinks = inlinks,
                             .representative =
                                 cluster ? std::string_view(cluster->representative) : std::string_view()},
                            fields_));
    return std::optional<IndexDocument>(std::move(document));
  }

 private:
  const store::Table& table_;
  const store::DupCells* const duplicates_;
  const PageFields& fields_;
  const bool with_links_;
};

// A version that was superseded by a newer one of its page, and when.
struct EndedVersion {
  DocId doc = 0;
  int64_t until = 0;
};

// Adds the rows of a tablet, in order; returns the versions among them that are not current.  `anchors` may
// be null.
Result<std::vector<EndedVersion>> AddRows(const IndexedTablet& tablet, const TableIndexOptions& options,
                                          AnchorSource* anchors, SegmentBuilder& builder, uint64_t* rows,
                                          Progress& progress) {
  std::vector<EndedVersion> ended;
  const RowReader reader(tablet, options.fields);
  store::RowCursor row = tablet.table->Scan();
  std::string key;
  while (row.valid()) {
    key = row.key();
    (*rows)++;
    progress.Advance(1);
    if (options.stop.stop_requested()) return Stopped();
    Inlinks inlinks;
    if (anchors != nullptr) {
      CRV_ASSIGN(inlinks, anchors->Of(key));
    }
    // Versions come newest first.
    for (store::VersionTime until = INT64_MAX; row.valid() && row.key() == key;) {
      CRV_ASSIGN(const store::FetchCell fetch, row.fetch());
      CRV_ASSIGN(std::optional<IndexDocument> document, reader.Read(key, row.time(), fetch, &inlinks));
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

// Writes the documents of a segment in another order to a new segment; renumbers those in `ended`.
Status Reorder(const std::string& from, const std::string& to, const TableIndexOptions& options,
               const RankPages* order, std::vector<EndedVersion>* ended) {
  CRV_ASSIGN(const std::shared_ptr<const Segment> segment, Segment::Open(from));
  const Segment* const segments[] = {segment.get()};
  std::vector<MergeSource> sources = ConcatenateSegments(segments);
  if (order != nullptr) {
    OrderByRank(*order, sources);
  } else if (options.order == "bisection") {
    CRV_TRY(OrderByBisection({.threads = options.threads}, sources));
  } else {
    CRV_TRY(OrderByScore(options.order, sources));
  }
  CRV_ASSIGN(DirectorySink sink, DirectorySink::Open(to));
  CRV_TRY(MergeSegments({.order = options.order, .threads = options.threads}, sources, sink).status());
  for (EndedVersion& version : *ended) version.doc = sources[0].map[version.doc];
  return RemoveFolder(from);
}

}  // namespace

Status GatherAnchors(const TableIndexOptions& options, Progress& progress) {
  if (!options.fields.Has("anchor")) return Status::Ok();
  if (options.anchors == nullptr) {
    return Status::InvalidArgument("an index with the field 'anchor' needs the links of all pages");
  }
  // The build holds nothing else yet; use half, because the pages of the files that are read count too.
  return options.anchors->Gather({.memory_bytes = options.memory_bytes / 2, .stop = options.stop}, progress);
}

Result<std::unique_ptr<AnchorSource>> OpenAnchors(const TableIndexOptions& options, size_t tablet) {
  if (!options.fields.Has("anchor")) return std::unique_ptr<AnchorSource>();
  return options.anchors->Open(tablet);
}

Result<TableSegment> BuildTableSegment(const IndexedTablet& tablet, const TableIndexOptions& options,
                                       AnchorSource* anchors, const std::string& folder, Progress& progress,
                                       const RankPages* order) {
  const std::string unordered = folder + ".unordered";
  const bool reorders = options.order != "url";
  CRV_TRY(RemoveFolder(folder));  // left by a build that was interrupted
  CRV_TRY(RemoveFolder(unordered));
  CRV_ASSIGN(DirectorySink sink, DirectorySink::Open(reorders ? unordered : folder));
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
  TableSegment built;
  progress.Start("indexing rows", 0);
  CRV_ASSIGN(std::vector<EndedVersion> ended,
             AddRows(tablet, options, anchors, *builder, &built.rows, progress));
  progress.Finish();
  progress.Start("merging lists", 0);
  CRV_ASSIGN(built.summary, builder->Finish());
  progress.Finish();
  if (reorders && built.summary.documents > 0) {
    progress.Start("ordering documents", 0);
    CRV_TRY(Reorder(unordered, folder, options, order, &ended));
    progress.Finish();
  }
  if (!ended.empty()) {
    auto live = std::make_shared<LiveDocuments>(built.summary.documents);
    for (const EndedVersion& version : ended) live->End(version.doc, version.until);
    built.live = std::move(live);
  }
  return built;
}

Result<uint64_t> AddChangedRows(const IndexedTablet& tablet, const PageFields& fields, uint64_t sequence,
                                uint64_t max_rows, IndexWriter& writer, TableRefreshSummary* summary) {
  std::set<std::string, std::less<>> keys;
  store::ChangeLog::Reader changes = tablet.changes->After(sequence);
  for (; changes.valid() && keys.size() < max_rows; changes.Next()) {
    keys.emplace(changes.row_key());
    sequence = changes.sequence();
  }
  CRV_TRY(changes.status());
  const RowReader reader(tablet, fields);
  const uint64_t versions = writer.settings().versions ? UINT64_MAX : 1;
  for (const std::string& key : keys) {
    CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(key));
    CRV_ASSIGN(std::vector<store::Row> rows, tablet.table->Get(key, {.versions = versions}));
    CRV_TRY(writer.Delete(url.href()));
    bool found = false;
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {  // the last one added counts as the newest
      CRV_ASSIGN(std::optional<IndexDocument> document, reader.Read(key, row->time, row->fetch, nullptr));
      found = document.has_value();
      if (document) CRV_TRY(writer.Add(*std::move(document)));
    }
    (found ? summary->changed : summary->gone)++;
  }
  return sequence;
}

}  // namespace crivello::index
