// SPDX-License-Identifier: Apache-2.0
#include "engine/live_indexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/civil_time.h"
#include "base/folder.h"
#include "index/segments/index_files.h"
#include "index/tables/document_orders.h"

namespace crivello::engine {
namespace {

// The maximum number of rows that a round reads before it publishes.
constexpr uint64_t kRoundRows = 2000;

}  // namespace

LiveIndexer::LiveIndexer(std::vector<index::IndexedTablet> tablets, LiveIndexerOptions options)
    : options_(std::move(options)), fields_(options_.fields), indexed_(std::move(tablets)) {}

Result<std::unique_ptr<LiveIndexer>> LiveIndexer::Start(std::vector<index::IndexedTablet> tablets,
                                                        LiveIndexerOptions options) {
  std::unique_ptr<LiveIndexer> indexer(new LiveIndexer(std::move(tablets), std::move(options)));
  CRV_TRY(indexer->Open());
  indexer->thread_ = std::jthread([i = indexer.get()](const std::stop_token& stop) { i->Loop(stop); });
  return indexer;
}

LiveIndexer::~LiveIndexer() { Stop().IgnoreError(); }

Status LiveIndexer::Open() {
  for (const index::IndexedTablet& rows : indexed_) {
    index::IndexWriterOptions writer;
    writer.directory = rows.index;
    writer.memory_bytes = std::max<uint64_t>(options_.memory_bytes / 2 / indexed_.size(), 1 << 20);
    const auto manifest = index::Manifest::Read(rows.index);
    if (manifest.ok()) {
      CRV_ASSIGN(fields_, index::PageFields::Parse(manifest->settings.fields));
    } else if (manifest.status().code() == StatusCode::kNotFound) {
      writer.settings = options_.settings;
      writer.settings->fields = fields_.ToString();
    } else {
      return manifest.status();
    }
    Tablet tablet = {.rows = rows, .writer = nullptr};
    CRV_ASSIGN(tablet.writer, index::IndexWriter::Open(writer));
    CRV_TRY(CompareWithLog(tablet));
    built_documents_ += tablet.writer->snapshot()->live_documents();
    tablets_.push_back(std::move(tablet));
  }
  changed_at_ = committed_at_ = SystemClock().Now();
  return Publish();
}

Status LiveIndexer::CompareWithLog(Tablet& tablet) {
  tablet.sequence = tablet.writer->sequence();
  CRV_ASSIGN(const bool follows, tablet.rows.changes->CanBeFollowedFrom(tablet.sequence));
  if (follows) return Status::Ok();
  if (tablet.sequence > tablet.rows.changes->last()) {
    // The index may contain pages that are in no row.
    CRV_TRY(tablet.writer->ReplaceAll(0, nullptr));
    CRV_TRY(tablet.writer->Commit(0));
    tablet.sequence = 0;
  }
  tablet.incomplete_since = tablet.sequence;
  if (options_.listener != nullptr) {
    options_.listener->Warn("index.incomplete", fmt::format("{}: the index lacks rows, or is that of another "
                                                            "table; it is rebuilt from all rows",
                                                            tablet.rows.index));
  }
  MutexLock lock(mu_);
  rebuilds_wanted_++;
  return Status::Ok();
}

void LiveIndexer::Loop(const std::stop_token& stop) {
  bool more = false;
  while (!stop.stop_requested()) {
    uint64_t round = 0;
    {
      MutexLock lock(mu_);
      if (!more) {
        wake_.wait_for(mu_, stop, options_.refresh_interval, [this]() CRV_REQUIRES(mu_) { return hurry_; });
      }
      hurry_ = false;
      round = ++rounds_begun_;
    }
    if (stop.stop_requested()) return;
    const Result<bool> changed = Round();
    MutexLock lock(mu_);
    more = changed.ok() && *changed;
    if (!changed.ok()) stats_.status = changed.status();
    if (!more) rounds_idle_ = round;
    wake_.notify_all();
    if (!changed.ok()) return;
  }
}

Result<bool> LiveIndexer::Round() {
  CRV_ASSIGN(const bool changed, Refresh());
  if (build_ != nullptr && build_->ended) CRV_TRY(InstallBuild());
  if (RefreshRanks() || changed) CRV_TRY(Publish());
  uint64_t uncommitted = 0;
  for (const Tablet& tablet : tablets_) uncommitted += tablet.writer->uncommitted_bytes();
  const MonotonicTime now = SystemClock().Now();
  if (uncommitted > options_.memory_bytes / 2 || now - committed_at_ >= options_.commit_interval) {
    CRV_TRY(Commit());
  }
  if (build_ == nullptr && BuildIsDue(changed)) StartBuild();
  return changed;
}

Result<bool> LiveIndexer::Refresh() {
  bool changed = false;
  for (Tablet& tablet : tablets_) {
    index::TableRefreshSummary summary;
    CRV_ASSIGN(const uint64_t sequence, index::AddChangedRows(tablet.rows, fields_, tablet.sequence,
                                                              kRoundRows, *tablet.writer, &summary));
    if (sequence == tablet.sequence) continue;
    changes_ += sequence - tablet.sequence;
    tablet.sequence = sequence;
    CRV_TRY(tablet.writer->Refresh().status());
    changed = true;
  }
  if (changed) {
    changed_at_ = SystemClock().Now();
    MutexLock lock(mu_);
    built_in_ = false;
  }
  return changed;
}

bool LiveIndexer::RefreshRanks() {
  bool changed = false;
  for (size_t i = 0; options_.ranks != nullptr && i < tablets_.size(); i++) {
    const Result<bool> updated = index::UpdateRanks(*options_.ranks, i, *tablets_[i].writer);
    changed = changed || (updated.ok() && *updated);
  }
  return changed;
}

Status LiveIndexer::Commit() {
  for (const Tablet& tablet : tablets_) {
    CRV_TRY(tablet.writer->Commit(tablet.incomplete_since.value_or(tablet.sequence)));
    if (tablet.incomplete_since) continue;
    CRV_TRY(tablet.rows.changes->Forget(
        build_ == nullptr ? tablet.sequence
                          : build_->sequences[static_cast<size_t>(&tablet - tablets_.data())]));
  }
  committed_at_ = SystemClock().Now();
  return Status::Ok();
}

Status LiveIndexer::Publish() {
  std::vector<std::shared_ptr<const index::Snapshot>> snapshots;
  for (const Tablet& tablet : tablets_) snapshots.push_back(tablet.writer->snapshot());
  CRV_ASSIGN(const std::shared_ptr<const index::Snapshot> joined, index::Snapshot::Join(snapshots));
  // A number that was never used before, even before a restart: commits have numbers, refreshes have none.
  published_ = std::max(published_ + 1, static_cast<uint64_t>(ToMicroseconds(SystemClock().Wall()) / 1000));
  const auto all =
      std::make_shared<const index::Snapshot>(joined->segments(), published_, joined->analyser());
  {
    MutexLock lock(mu_);
    stats_.documents = all->live_documents();
    stats_.segments = all->segments().size();
    searchable_.clear();
    for (const Tablet& tablet : tablets_) searchable_.push_back(tablet.sequence);
  }
  if (options_.publish) options_.publish(all);
  return Status::Ok();
}

bool LiveIndexer::BuildIsDue(bool changed) const {
  const MonotonicTime now = SystemClock().Now();
  LiveIndexStats counts = {.documents = built_documents_,
                           .changes = changes_,
                           .quiet = now - changed_at_,
                           .rested = now - built_at_,
                           .build = build_took_};
  {
    MutexLock lock(mu_);
    counts.wanted = (build_wanted_ && !built_in_ && !changed) || rebuilds_wanted_ > rebuilds_done_;
  }
  return engine::BuildIsDue(counts, options_.quiet_interval);
}

void LiveIndexer::StartBuild() {
  auto build = std::make_unique<Build>();
  build->began = SystemClock().Now();
  for (const Tablet& tablet : tablets_) {
    build->sequences.push_back(tablet.sequence);
    build->segments.push_back(tablet.writer->NewSegment());
  }
  changes_ = 0;
  {
    MutexLock lock(mu_);
    stats_.building = true;
    built_in_ = true;
    build->rebuild = rebuilds_wanted_;
  }
  index::TableIndexOptions options;
  options.settings = tablets_[0].writer->settings();
  options.fields = fields_;
  options.memory_bytes = options_.memory_bytes / 2;
  options.anchors = options_.anchors;
  options.threads = 1;  // leave the other cores to the crawl
  // Here, because only this thread may ask for ranks.
  const auto order = index::FindKeptOrder(indexed_, options_.ranks);
  if (order.ok()) options.order = order->name;
  build->thread = std::jthread([this, options, order, b = build.get()](const std::stop_token& stop) mutable {
    options.stop = stop;
    SilentProgress progress;
    const auto run = [&]() -> Status {
      CRV_TRY(order.status());
      CRV_TRY(index::GatherAnchors(options, progress));
      for (size_t i = 0; i < indexed_.size(); i++) {
        CRV_ASSIGN(const std::unique_ptr<index::AnchorSource> anchors, index::OpenAnchors(options, i));
        CRV_ASSIGN(index::TableSegment built,
                   index::BuildTableSegment(indexed_[i], options, anchors.get(),
                                            index::SegmentPath(indexed_[i].index, b->segments[i]), progress,
                                            order->ranks.empty() ? nullptr : order->ranks[i].get()));
        b->built.push_back(std::move(built));
      }
      return Status::Ok();
    };
    b->status = run();
    b->ended = true;
    MutexLock lock(mu_);
    hurry_ = true;
    wake_.notify_all();
  });
  build_ = std::move(build);
}

Status LiveIndexer::InstallBuild() {
  const std::unique_ptr<Build> build = std::move(build_);
  build->thread.join();
  built_at_ = SystemClock().Now();
  build_took_ = built_at_ - build->began;
  CRV_TRY(build->status);
  built_documents_ = 0;
  for (size_t i = 0; i < tablets_.size(); i++) {
    Tablet& tablet = tablets_[i];
    built_documents_ += build->built[i].summary.documents;
    const bool none = build->built[i].summary.documents == 0;
    CRV_TRY(tablet.writer->ReplaceAll(none ? 0 : build->segments[i], build->built[i].live));
    if (none) CRV_TRY(RemoveFolder(index::SegmentPath(tablet.rows.index, build->segments[i])));
    index::TableRefreshSummary summary;
    CRV_ASSIGN(tablet.sequence, index::AddChangedRows(tablet.rows, fields_, build->sequences[i], UINT64_MAX,
                                                      *tablet.writer, &summary));
    CRV_TRY(tablet.writer->Refresh().status());
    tablet.incomplete_since = std::nullopt;
  }
  RefreshRanks();  // including those from which pages were removed
  CRV_TRY(Publish());
  CRV_TRY(Commit());
  MutexLock lock(mu_);
  stats_.building = false;
  stats_.builds++;
  if (built_in_) build_wanted_ = false;
  rebuilds_done_ = std::max(rebuilds_done_, build->rebuild);
  wake_.notify_all();
  return Status::Ok();
}

Status LiveIndexer::CatchUp(bool build) {
  MutexLock lock(mu_);
  const uint64_t before = rounds_begun_;
  hurry_ = true;
  build_wanted_ = build_wanted_ || build;
  wake_.notify_all();
  wake_.wait(mu_, [&]() CRV_REQUIRES(mu_) {
    // A round that began after this call has found nothing to do.
    const bool caught_up = rounds_idle_ > before && (!build || (built_in_ && !stats_.building));
    return caught_up || !stats_.status.ok();
  });
  return stats_.status;
}

Status LiveIndexer::Rebuild() {
  MutexLock lock(mu_);
  const uint64_t mine = ++rebuilds_wanted_;
  hurry_ = true;
  wake_.notify_all();
  wake_.wait(mu_,
             [&]() CRV_REQUIRES(mu_) { return rebuilds_done_ >= mine || stopped_ || !stats_.status.ok(); });
  if (rebuilds_done_ >= mine) return Status::Ok();
  return stopped_ ? Status::Unavailable("the index is no longer updated: the process is shutting down")
                  : stats_.status;
}

Status LiveIndexer::Stop() {
  if (!thread_.joinable()) return Status::Ok();
  thread_.request_stop();
  thread_.join();
  {
    MutexLock lock(mu_);
    stopped_ = true;
    wake_.notify_all();
  }
  // Cancels a build in progress; its folder is removed when the index is next opened.
  build_ = nullptr;
  {
    MutexLock lock(mu_);
    CRV_TRY(stats_.status);
  }
  CRV_TRY(Refresh().status());
  CRV_TRY(Commit());
  for (const Tablet& tablet : tablets_) CRV_TRY(tablet.writer->WaitForMerges());
  return Status::Ok();
}

LiveIndexer::Stats LiveIndexer::stats() const {
  MutexLock lock(mu_);
  Stats stats = stats_;
  for (size_t i = 0; i < searchable_.size(); i++) {
    stats.backlog += indexed_[i].changes->last() - std::min(searchable_[i], indexed_[i].changes->last());
  }
  return stats;
}

}  // namespace crivello::engine
