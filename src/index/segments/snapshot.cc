// SPDX-License-Identifier: Apache-2.0
#include "index/segments/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace crivello::index {
namespace {

Result<SegmentView> OpenEntry(const std::string& index, const Manifest& manifest,
                              const Manifest::Entry& entry, Verify verify) {
  SegmentView view;
  CRV_ASSIGN(view.segment, Segment::Open(SegmentPath(index, entry.id), verify));
  if (entry.deletions > 0) {
    const std::string path = DeletionsPath(index, entry);
    CRV_ASSIGN(const FormatFile file, FormatFile::Open(path, LiveDocuments::kFileKind));
    auto live = LiveDocuments::FromImage(file.payload());
    if (!live.ok()) return live.status().WithContext(path);
    view.live = std::make_shared<const LiveDocuments>(std::move(live).value());
  }
  const uint64_t documents = view.segment->documents();
  if (documents != entry.documents || (view.live != nullptr && view.live->documents() != documents)) {
    return Status::Corruption(fmt::format("{}: found {} documents, expected {}", SegmentPath(index, entry.id),
                                          documents, entry.documents));
  }
  for (const Manifest::Rank& rank : manifest.ranks) {
    const std::string path = RankColumnPath(index, entry.id, rank);
    CRV_ASSIGN(std::shared_ptr<const RankColumn> column, RankColumn::Open(path, verify));
    if (column->name() != rank.name || column->documents() != documents) {
      return Status::Corruption(fmt::format("{}: found rank {} of {} documents, expected {} of {}", path,
                                            column->name(), column->documents(), rank.name, documents));
    }
    view.ranks.push_back(std::move(column));
  }
  return view;
}

Result<std::shared_ptr<const Snapshot>> OpenOnce(const std::string& index, const Manifest& manifest,
                                                 Verify verify) {
  std::vector<SegmentView> segments;
  for (const Manifest::Entry& entry : manifest.segments) {
    CRV_ASSIGN(SegmentView view, OpenEntry(index, manifest, entry, verify));
    segments.push_back(std::move(view));
  }
  return std::shared_ptr<const Snapshot>(
      std::make_shared<const Snapshot>(std::move(segments), manifest.generation, manifest.settings.analyser));
}

}  // namespace

bool SegmentView::WasCurrent(DocId doc, int64_t at) const {
  if (!IsLive(doc)) return false;
  const NumberColumn* from = segment->values().numbers(column::kFrom);
  if (from != nullptr && at < (*from)[doc]) return false;
  const auto until = live == nullptr ? std::nullopt : live->UntilOf(doc);
  return !until || at < *until;
}

const RankColumn* SegmentView::rank(std::string_view name) const {
  for (const auto& column : ranks) {
    if (column->name() == name) return column.get();
  }
  return nullptr;
}

Snapshot::Snapshot(std::vector<SegmentView> segments, uint64_t generation, std::string analyser)
    : segments_(std::move(segments)), generation_(generation), analyser_(std::move(analyser)) {
  for (const SegmentView& view : segments_) {
    documents_ += view.segment->documents();
    if (view.live != nullptr) deleted_ += view.live->deleted();
    for (const FieldView& field : view.segment->fields()) {
      FieldStatistics& statistics = fields_[field.name];
      statistics.tokens += field.tokens;
      statistics.documents += field.documents;
    }
  }
}

Result<std::shared_ptr<const Snapshot>> Snapshot::Open(const std::string& index, Verify verify) {
  CRV_ASSIGN(Manifest manifest, Manifest::Read(index));
  for (;;) {
    auto snapshot = OpenOnce(index, manifest, verify);
    if (snapshot.ok()) return snapshot;
    // A writer may have replaced the manifest and removed unused files: then there is a newer one.
    const uint64_t generation = manifest.generation;
    CRV_ASSIGN(manifest, Manifest::Read(index));
    if (manifest.generation == generation) return snapshot;
  }
}

Result<std::shared_ptr<const Snapshot>> Snapshot::Join(
    std::span<const std::shared_ptr<const Snapshot>> snapshots) {
  std::vector<SegmentView> segments;
  uint64_t generation = 0;
  std::string analyser = snapshots.empty() ? std::string() : snapshots.front()->analyser();
  for (const auto& snapshot : snapshots) {
    if (snapshot->analyser() != analyser) {
      return Status::InvalidArgument(
          fmt::format("cannot search indexes with different analysers together: {} and {}", analyser,
                      snapshot->analyser()));
    }
    segments.insert(segments.end(), snapshot->segments().begin(), snapshot->segments().end());
    generation += snapshot->generation();
  }
  return std::shared_ptr<const Snapshot>(
      std::make_shared<const Snapshot>(std::move(segments), generation, std::move(analyser)));
}

FieldStatistics Snapshot::field(std::string_view name) const {
  const auto found = fields_.find(name);
  return found == fields_.end() ? FieldStatistics() : found->second;
}

}  // namespace crivello::index
