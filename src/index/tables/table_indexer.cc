// SPDX-License-Identifier: Apache-2.0
#include "index/tables/table_indexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/folder.h"
#include "index/build/index_writer.h"
#include "index/segments/index_files.h"
#include "index/segments/live_documents.h"
#include "index/segments/segment.h"
#include "index/tables/document_orders.h"
#include "index/tables/table_rows.h"

namespace crivello::index {
namespace {

// Counts the bytes of a segment's files, "body.terms" as "terms", but positions always as positions; returns
// the total.
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

void Sum(const SegmentSummary& one, SegmentSummary* all) {
  all->documents += one.documents;
  all->text_bytes += one.text_bytes;
  all->tokens += one.tokens;
  all->terms += one.terms;
  all->postings += one.postings;
  all->occurrences += one.occurrences;
}

// Reports an invalid order before any work is done.
Status CheckOrder(const TableIndexOptions& options) {
  CRV_ASSIGN(const std::vector<std::string> names, NamesOfOrders(options.ranks));
  if (std::find(names.begin(), names.end(), options.order) != names.end()) return Status::Ok();
  return Status::NotFound(fmt::format("unknown order of documents '{}'; choose one of {}", options.order,
                                      fmt::join(names, ", ")));
}

// Builds the index of a tablet as one new segment.
Status BuildTablet(const IndexedTablet& tablet, size_t place, const TableIndexOptions& options,
                   AnchorSource* anchors, uint64_t sequence, TableIndexSummary* summary, Progress& progress) {
  CRV_ASSIGN(const IndexLock lock, IndexLock::Take(tablet.index));
  Manifest manifest;
  const auto before = Manifest::Read(tablet.index);
  if (before.ok()) {
    manifest.generation = before->generation;
    manifest.next_segment = before->next_segment;
  } else if (before.status().code() != StatusCode::kNotFound) {
    return before.status();
  }
  CRV_ASSIGN(const std::vector<BuiltRank> ranks,
             RanksOfBuild(options.ranks, place, tablet.index, before.ok() ? *before : Manifest()));
  const auto order = std::find_if(ranks.begin(), ranks.end(), [&options](const BuiltRank& rank) {
    return rank.file.name == options.order;
  });
  Manifest::Entry entry = {.id = manifest.next_segment++};
  const std::string folder = SegmentPath(tablet.index, entry.id);
  CRV_ASSIGN(const TableSegment segment,
             BuildTableSegment(tablet, options, anchors, folder, progress,
                               order == ranks.end() ? nullptr : order->pages.get()));

  Sum(segment.summary, &summary->segments);
  summary->rows += segment.rows;
  entry.documents = segment.summary.documents;
  if (entry.documents > 0) {
    CRV_ASSIGN(entry.bytes, CountBytes(folder, &summary->parts));
  }
  summary->index_bytes += entry.bytes;
  manifest.generation++;
  manifest.settings = options.settings;
  manifest.settings.fields = options.fields.ToString();
  manifest.sequence = sequence;
  if (segment.live != nullptr) {
    entry.deletions = manifest.generation;
    CRV_TRY(WriteImage(DeletionsPath(tablet.index, entry), LiveDocuments::kFileKind,
                       segment.live->ToImage().bytes()));
  }
  if (entry.documents > 0) manifest.segments = {entry};
  CRV_TRY(WriteRanks(ranks, tablet.index, &manifest));
  CRV_TRY(manifest.Write(tablet.index, PosixFileSystem()));

  // Snapshots that have the previous segments open keep them until they close.
  CRV_TRY(RemoveStaleFiles(tablet.index, manifest, PosixFileSystem()));
  CRV_TRY(RemoveFolder(ScratchPath(tablet.index)));
  return tablet.changes->Forget(sequence);
}

// Applies the changes of a tablet's table to its index.
Status RefreshTablet(const IndexedTablet& tablet, size_t place, RankSource* ranks,
                     TableRefreshSummary* summary) {
  CRV_ASSIGN(const std::unique_ptr<IndexWriter> writer,
             IndexWriter::Open({.directory = tablet.index, .live = false, .merge_in_background = false}));
  CRV_ASSIGN(const PageFields fields, PageFields::Parse(writer->settings().fields));
  CRV_ASSIGN(const uint64_t sequence,
             AddChangedRows(tablet, fields, writer->sequence(), UINT64_MAX, *writer, summary));
  CRV_TRY(writer->Commit(sequence));
  CRV_TRY(writer->WaitForMerges());
  if (ranks != nullptr) CRV_TRY(UpdateRanks(*ranks, place, *writer).status());
  return tablet.changes->Forget(sequence);
}

}  // namespace

Result<TableIndexSummary> BuildTableIndexes(std::span<const IndexedTablet> tablets,
                                            const TableIndexOptions& options, Progress& progress) {
  CRV_TRY(CheckOrder(options));
  TableIndexSummary summary;
  std::vector<uint64_t> sequences;
  for (const IndexedTablet& tablet : tablets) {
    CRV_TRY(RemoveFolder(ScratchPath(tablet.index)));
    sequences.push_back(tablet.changes->last());
  }
  CRV_TRY(GatherAnchors(options, progress));
  for (size_t i = 0; i < tablets.size(); i++) {
    CRV_ASSIGN(const std::unique_ptr<AnchorSource> anchors, OpenAnchors(options, i));
    CRV_TRY(BuildTablet(tablets[i], i, options, anchors.get(), sequences[i], &summary, progress));
  }
  return summary;
}

Result<TableRefreshSummary> RefreshTableIndexes(std::span<const IndexedTablet> tablets, RankSource* ranks,
                                                Progress& progress) {
  TableRefreshSummary summary;
  progress.Start("indexing changes", 0);
  for (size_t i = 0; i < tablets.size(); i++) CRV_TRY(RefreshTablet(tablets[i], i, ranks, &summary));
  progress.Finish();
  return summary;
}

}  // namespace crivello::index
