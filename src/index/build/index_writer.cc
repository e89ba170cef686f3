// SPDX-License-Identifier: Apache-2.0
#include "index/build/index_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "index/tables/carry_over.h"

namespace crivello::index {

Result<std::unique_ptr<IndexWriter>> IndexWriter::Open(const IndexWriterOptions& options) {
  CRV_ASSIGN(IndexLock lock, IndexLock::Take(options.directory));
  auto manifest = Manifest::Read(options.directory);
  if (!manifest.ok()) {
    if (manifest.status().code() != StatusCode::kNotFound) return manifest.status();
    if (!options.settings)
      return Status::NotFound(options.directory + ": there is no index here, and no settings to create one");
    manifest = Manifest{.settings = *options.settings};
    CRV_TRY(options.fs->SyncDirectory(DirectoryOf(options.directory)));
  }
  if (options.settings && *options.settings != manifest->settings) {
    return Status::InvalidArgument(
        fmt::format("{}: the index has different settings (analyser {}); use those, or rebuild it with "
                    "'crivello index --rebuild'",
                    options.directory, manifest->settings.analyser));
  }
  CRV_TRY(FindPostingFormat(manifest->settings.format));
  CRV_TRY(RemoveStaleFiles(options.directory, *manifest, *options.fs));
  std::unique_ptr<IndexWriter> writer(new IndexWriter(options, manifest->settings, std::move(lock)));
  CRV_TRY(writer->Load(*manifest));
  if (options.merge_in_background)
    writer->merger_ = std::jthread([w = writer.get()](const std::stop_token& stop) { w->MergeLoop(stop); });
  return writer;
}

IndexWriter::~IndexWriter() = default;

Status IndexWriter::Load(const Manifest& manifest) {
  std::shared_ptr<const Snapshot> snapshot;
  if (manifest.generation > 0) {
    CRV_ASSIGN(snapshot, Snapshot::Open(options_.directory));
  }
  Ranks ranks;
  for (const Manifest::Rank& rank : manifest.ranks) {
    CRV_ASSIGN(auto pages, RankPages::Open(RankPagesPath(options_.directory, rank), Verify::kEnvelope));
    ranks.push_back(std::move(pages));
  }
  MutexLock lock(mu_);
  manifest_ = manifest;
  ranks_ = std::move(ranks);
  next_segment_ = manifest.next_segment;
  for (size_t i = 0; i < manifest.segments.size(); i++) {
    const SegmentView& view = snapshot->segments()[i];
    const Manifest::Entry& entry = manifest.segments[i];
    held_.push_back({entry.id, view, true, view.live, entry.deletions, view.ranks});
  }
  Publish();
  return Status::Ok();
}

uint64_t IndexWriter::NewSegment() {
  MutexLock lock(mu_);
  return next_segment_++;
}

Status IndexWriter::BeginBatch() {
  SegmentBuilderOptions options;
  options.analyser = settings_.analyser;
  CRV_ASSIGN(options.format, FindPostingFormat(settings_.format));
  options.contents = settings_.contents;
  options.store_text = settings_.store_text;
  options.memory_bytes = options_.memory_bytes;
  options.threads = options_.threads;
  SegmentSink* sink = nullptr;
  if (options_.live) {
    batch_id_ = 0;
    sink = &memory_sink_.emplace();
  } else {
    batch_id_ = NewSegment();
    options.scratch = ScratchPath(options_.directory);
    CRV_ASSIGN(DirectorySink directory,
               DirectorySink::Open(SegmentPath(options_.directory, batch_id_), *options_.fs));
    sink = &disk_sink_.emplace(std::move(directory));
  }
  CRV_ASSIGN(batch_, SegmentBuilder::Create(options, *sink));
  return Status::Ok();
}

Status IndexWriter::Add(IndexDocument document) {
  CRV_TRY(lost_);
  if (batch_ == nullptr) CRV_TRY(BeginBatch());
  const Status status = batch_->Add(std::move(document));
  if (!status.ok() && status.code() != StatusCode::kInvalidArgument) lost_ = status;
  return status;
}

Status IndexWriter::Delete(std::string_view url) {
  deletions_.push_back({UrlKey(url), batch_ == nullptr ? 0 : batch_->documents()});
  return lost_;
}

Result<std::shared_ptr<const Segment>> IndexWriter::FinishBatch() {
  CRV_TRY(batch_->Finish());
  if (batch_id_ == 0) return Segment::FromParts(std::move(*memory_sink_).Release());
  return Segment::Open(SegmentPath(options_.directory, batch_id_));
}

Status IndexWriter::EndBatch() {
  CRV_TRY(lost_);
  std::shared_ptr<const Segment> segment;
  if (batch_ != nullptr) {
    auto finished = FinishBatch();
    batch_ = nullptr;
    if (!finished.ok()) return lost_ = finished.status();
    segment = std::move(finished).value();
  }
  if (segment == nullptr && deletions_.empty()) return Status::Ok();
  return Install(batch_id_, std::move(segment), std::exchange(deletions_, {}));
}

Status IndexWriter::Install(uint64_t id, std::shared_ptr<const Segment> segment,
                            std::vector<PageDeletion> deletions) {
  const Supersession supersession(segment.get(), std::move(deletions), {.versions = settings_.versions});
  MutexLock lock(mu_);
  for (Held& held : held_) held.view.live = supersession.ApplyTo(held.view);
  if (segment != nullptr)
    held_.push_back({id, {segment, supersession.ApplyToBatch(), ColumnsOf(*segment, ranks_)}});
  const Status status = KeepMemorySegmentsFew();
  Publish();
  return status;
}

Status IndexWriter::KeepMemorySegmentsFew() {
  const auto in_memory = [](const Held& held) { return held.id == 0; };
  const auto count = std::count_if(held_.begin(), held_.end(), in_memory);
  if (static_cast<uint64_t>(count) < std::max<uint64_t>(options_.policy.fan_in, 2)) return Status::Ok();
  CRV_ASSIGN(std::optional<Held> joined, JoinMemorySegments(0));
  held_.erase(std::remove_if(held_.begin(), held_.end(), in_memory), held_.end());
  if (joined) held_.push_back(std::move(*joined));
  return Status::Ok();
}

Result<std::shared_ptr<const Snapshot>> IndexWriter::Refresh() {
  if (options_.live) CRV_TRY(EndBatch());
  return snapshot();
}

Status IndexWriter::AddSegment(const std::function<Status(SegmentSink&)>& write) {
  CRV_TRY(EndBatch());
  const uint64_t id = NewSegment();
  const std::string path = SegmentPath(options_.directory, id);
  CRV_ASSIGN(DirectorySink sink, DirectorySink::Open(path, *options_.fs));
  CRV_TRY(write(sink));
  CRV_ASSIGN(std::shared_ptr<const Segment> segment, Segment::Open(path));
  return Install(id, std::move(segment), {});
}

Status IndexWriter::Commit(uint64_t sequence) {
  CRV_TRY(EndBatch());
  MutexLock lock(mu_);
  bool changed = sequence != manifest_.sequence || manifest_.generation == 0;
  std::vector<Held> segments;
  for (const Held& held : held_) {
    changed = changed || !held.committed || held.view.live != held.saved;
    if (held.id > 0) segments.push_back(held);
  }
  changed = changed || segments.size() != manifest_.segments.size();
  if (!changed) return Status::Ok();
  CRV_ASSIGN(std::optional<Held> written, JoinMemorySegments(next_segment_++));
  if (written) segments.push_back(std::move(*written));
  CRV_TRY(CommitSegments(std::move(segments), Scope::kAll, sequence));
  merges_looked_for_ = false;
  merge_status_ = Status::Ok();
  changed_.notify_all();
  return Status::Ok();
}

Result<std::optional<IndexWriter::Held>> IndexWriter::JoinMemorySegments(uint64_t id) {
  std::vector<SegmentView> views;
  std::vector<std::shared_ptr<const LiveDocuments>> fates;
  for (const Held& held : held_) {
    if (held.id > 0) continue;
    views.push_back(held.view);
    fates.push_back(held.view.live);
  }
  const std::vector<MergeSource> sources = LiveSources(views);
  if (CountDocuments(sources) == 0) return std::optional<Held>();
  Held joined;
  joined.id = id;
  if (id == 0) {
    MemorySink sink;
    CRV_TRY(MergeSegments({.threads = options_.threads}, sources, sink));
    CRV_ASSIGN(joined.view.segment, Segment::FromParts(std::move(sink).Release()));
  } else {
    const std::string path = SegmentPath(options_.directory, id);
    CRV_ASSIGN(DirectorySink sink, DirectorySink::Open(path, *options_.fs));
    CRV_TRY(MergeSegments({.threads = options_.threads}, sources, sink));
    CRV_ASSIGN(joined.view.segment, Segment::Open(path));
  }
  joined.view.live = CarryOver(sources, fates);
  joined.view.ranks = ColumnsOf(*joined.view.segment, ranks_);
  return std::optional<Held>(std::move(joined));
}

Status IndexWriter::CommitSegments(std::vector<Held> segments, Scope scope, uint64_t sequence, Ranks ranks) {
  Manifest next = {.generation = manifest_.generation + 1,
                   .settings = settings_,
                   .sequence = sequence,
                   .next_segment = next_segment_};
  CRV_TRY(SaveRanks(ranks, &next));
  std::sort(segments.begin(), segments.end(), [](const Held& a, const Held& b) {
    return std::pair(a.id == 0, a.id) < std::pair(b.id == 0, b.id);  // those in memory are the newest
  });
  for (Held& held : segments) {
    if (scope == Scope::kAll ? held.id == 0 : !held.committed) continue;
    const auto& live = scope == Scope::kAll ? held.view.live : held.saved;
    Manifest::Entry entry = {
        .id = held.id, .documents = held.view.segment->documents(), .bytes = held.view.segment->bytes()};
    if (live != nullptr) {
      entry.deleted = live->deleted();
      const bool on_file = live == held.saved && held.deletions > 0;
      entry.deletions = on_file ? held.deletions : next.generation;
      if (!on_file) {
        CRV_TRY(WriteImage(DeletionsPath(options_.directory, entry), LiveDocuments::kFileKind,
                           live->ToImage().bytes(), *options_.fs));
      }
    }
    CRV_TRY(SaveColumns(next, &held));
    held.committed = true;
    held.saved = live;
    held.deletions = entry.deletions;
    next.segments.push_back(entry);
  }
  // From here on a reader may find the new manifest, even if Write() fails: remove nothing unless it
  // succeeded.
  CRV_TRY(next.Write(options_.directory, *options_.fs));
  held_ = std::move(segments);
  ranks_ = std::move(ranks);
  const Manifest before = std::exchange(manifest_, std::move(next));
  Publish();
  for (const Manifest::Entry& old : before.segments) {
    const auto now = std::find_if(manifest_.segments.begin(), manifest_.segments.end(),
                                  [&old](const Manifest::Entry& entry) { return entry.id == old.id; });
    // Files that cannot be removed now are removed when the index is next opened.
    if (now == manifest_.segments.end()) {
      RemoveSegment(options_.directory, old.id, *options_.fs).IgnoreError();
    } else if (old.deletions > 0 && now->deletions != old.deletions) {
      options_.fs->Remove(DeletionsPath(options_.directory, old)).IgnoreError();
    }
  }
  RemoveRanks(before);
  return Status::Ok();
}

void IndexWriter::Publish() {
  std::vector<SegmentView> views;
  for (const Held& held : held_) views.push_back(held.view);
  auto snapshot =
      std::make_shared<const Snapshot>(std::move(views), manifest_.generation, settings_.analyser);
  MutexLock lock(snapshot_mu_);
  snapshot_ = std::move(snapshot);
}

std::shared_ptr<const Snapshot> IndexWriter::snapshot() const {
  MutexLock lock(snapshot_mu_);
  return snapshot_;
}

uint64_t IndexWriter::sequence() const {
  MutexLock lock(mu_);
  return manifest_.sequence;
}

Manifest IndexWriter::manifest() const {
  MutexLock lock(mu_);
  return manifest_;
}

uint64_t IndexWriter::uncommitted_bytes() const {
  MutexLock lock(mu_);
  uint64_t bytes = 0;
  for (const Held& held : held_) bytes += held.id == 0 ? held.view.segment->bytes() : 0;
  return bytes;
}

}  // namespace crivello::index
