// SPDX-License-Identifier: Apache-2.0
// How an IndexWriter merges segments.
#include <algorithm>
#include <utility>

#include "index/build/index_writer.h"
#include "index/build/throttled_sink.h"
#include "index/tables/carry_over.h"

namespace crivello::index {

std::optional<IndexWriter::Merge> IndexWriter::BeginMerge(bool all, const std::stop_token& stop) {
  MutexLock lock(mu_);
  if (!changed_.wait(mu_, stop, [&]() CRV_REQUIRES(mu_) { return !merging_; })) return std::nullopt;
  std::vector<MergeCandidate> candidates;
  std::vector<uint64_t> plan;
  for (const Held& held : held_) {
    if (!held.committed) continue;
    candidates.push_back({held.id, held.view.segment->documents(),
                          held.saved == nullptr ? 0 : held.saved->deleted(), held.view.segment->bytes()});
    if (all) plan.push_back(held.id);
  }
  if (!all) plan = PlanMerge(candidates, options_.policy);
  if (plan.empty()) {
    merges_looked_for_ = true;
    changed_.notify_all();
    return std::nullopt;
  }
  Merge merge;
  merge.id = next_segment_++;
  std::vector<SegmentView> views;
  for (const Held& held : held_) {
    if (std::find(plan.begin(), plan.end(), held.id) == plan.end()) continue;
    merge.inputs.push_back(held);
    // The committed state: documents deleted since may be needed again after a crash.
    views.push_back({held.view.segment, held.saved});
  }
  merge.sources = LiveSources(views);
  if (views.size() == 1) merge.order = views[0].segment->info().order;
  merging_ = true;
  return merge;
}

Status IndexWriter::RunMerge(const Merge& merge, const Pace& pace) {
  SegmentView whole;
  if (CountDocuments(merge.sources) > 0) {
    const std::string path = SegmentPath(options_.directory, merge.id);
    CRV_ASSIGN(DirectorySink directory, DirectorySink::Open(path, *options_.fs));
    ThrottledSink sink(directory, pace.bytes_per_second, pace.stop);
    CRV_ASSIGN(const PostingFormat* format, FindPostingFormat(settings_.format));
    const auto merged =
        MergeSegments({.format = format, .order = merge.order, .threads = pace.threads}, merge.sources, sink);
    if (!merged.ok()) {
      RemoveSegment(options_.directory, merge.id, *options_.fs).IgnoreError();
      return merged.status();
    }
    CRV_ASSIGN(whole.segment, Segment::Open(path));
    Ranks ranks;
    {
      MutexLock lock(mu_);
      ranks = ranks_;
    }
    whole.ranks = ColumnsOf(*whole.segment, ranks);
  }
  return FinishMerge(merge, std::move(whole));
}

Status IndexWriter::FinishMerge(const Merge& merge, SegmentView whole) {
  MutexLock lock(mu_);
  std::vector<Held> segments;
  std::vector<std::shared_ptr<const LiveDocuments>> saved;
  std::vector<std::shared_ptr<const LiveDocuments>> live;
  for (const Held& held : held_) {
    const bool merged = std::any_of(merge.inputs.begin(), merge.inputs.end(), [&held](const Held& input) {
      return held.id > 0 && input.id == held.id;
    });
    if (!merged) {
      segments.push_back(held);
      continue;
    }
    // Both in their current state: there may have been a commit while the merge ran.
    saved.push_back(held.saved);
    live.push_back(held.view.live);
  }
  if (whole.segment != nullptr) {
    Held held;
    held.id = merge.id;
    held.committed = true;
    held.saved = CarryOver(merge.sources, saved);
    held.view = std::move(whole);
    held.view.live = live == saved ? held.saved : CarryOver(merge.sources, live);
    // Ranks may have been replaced while the merge ran.
    if (!AreColumnsOf(held.view.ranks, ranks_)) held.view.ranks = ColumnsOf(*held.view.segment, ranks_);
    segments.push_back(std::move(held));
  }
  return CommitSegments(std::move(segments), Scope::kCommitted, manifest_.sequence);
}

void IndexWriter::EndMerge(const Status& status) {
  MutexLock lock(mu_);
  merging_ = false;
  if (!status.ok()) {
    merge_status_ = status;
    merges_looked_for_ = true;  // until the next commit
  }
  changed_.notify_all();
}

void IndexWriter::MergeLoop(const std::stop_token& stop) {
  for (;;) {
    {
      MutexLock lock(mu_);
      if (!changed_.wait(mu_, stop, [&]() CRV_REQUIRES(mu_) { return !merges_looked_for_; })) return;
    }
    const std::optional<Merge> merge = BeginMerge(false, stop);
    if (merge)
      EndMerge(RunMerge(*merge, {.bytes_per_second = options_.merge_bytes_per_second, .stop = stop}));
  }
}

Status IndexWriter::MergeAll(const MergeAllOptions& options) {
  std::optional<Merge> merge = BeginMerge(true, {});
  if (!merge) return Status::Ok();
  if (options.arrange) merge->order = options.order;
  const bool is_one = merge->inputs.size() == 1 && merge->inputs[0].saved == nullptr;
  if (is_one && !options.arrange) {
    EndMerge(Status::Ok());
    return Status::Ok();
  }
  const Status arranged = options.arrange ? options.arrange(&merge->sources) : Status::Ok();
  const Status status = arranged.ok() ? RunMerge(*merge, {.threads = options_.threads}) : arranged;
  EndMerge(Status::Ok());
  return status;
}

Status IndexWriter::ReplaceAll(uint64_t segment, std::shared_ptr<const LiveDocuments> live) {
  CRV_TRY(EndBatch());
  Held held;
  held.id = segment;
  if (segment != 0) {
    CRV_ASSIGN(held.view.segment, Segment::Open(SegmentPath(options_.directory, segment)));
  }
  held.view.live = std::move(live);
  MutexLock lock(mu_);
  if (segment != 0) held.view.ranks = ColumnsOf(*held.view.segment, ranks_);
  // A merge in progress would bring back deleted data; none begins before the next commit.
  changed_.wait(mu_, [&]() CRV_REQUIRES(mu_) { return !merging_; });
  held_.clear();
  if (segment != 0) held_.push_back(std::move(held));
  Publish();
  return Status::Ok();
}

Status IndexWriter::WaitForMerges() {
  if (!options_.merge_in_background) {
    while (const std::optional<Merge> merge = BeginMerge(false, {})) {
      const Status status = RunMerge(*merge, {.threads = options_.threads});
      EndMerge(status);
      CRV_TRY(status);
    }
    return Status::Ok();
  }
  MutexLock lock(mu_);
  changed_.wait(mu_, [&]() CRV_REQUIRES(mu_) { return !merging_ && merges_looked_for_; });
  return merge_status_;
}

}  // namespace crivello::index
