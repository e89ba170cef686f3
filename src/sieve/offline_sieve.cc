// SPDX-License-Identifier: Apache-2.0
#include "sieve/offline_sieve.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "base/folder.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/scratch_file.h"
#include "sieve/arrival_queue.h"
#include "sieve/key_block.h"
#include "sieve/offline_manifest.h"
#include "sieve/offline_merge.h"
#include "sieve/sieve_files.h"

namespace crivello::sieve {
namespace {

constexpr std::string_view kBatchPrefix = "a-";

// A consists of logs, the last of which grows. There is more than one only after a crash.
struct Batch {
  std::vector<uint64_t> logs = {};
  uint64_t keys = 0;
  uint64_t bytes = 0;
};

uint64_t FolderBytes(const std::string& folder) {
  uint64_t bytes = 0;
  const auto names = ListFolder(folder);
  if (!names.ok()) return 0;
  for (const auto& name : *names) {
    if (const auto size = FileSize(folder + "/" + name); size.ok()) bytes += *size;
  }
  return bytes;
}

class OfflineSieve final : public Sieve {
 public:
  OfflineSieve(std::string folder, const OfflineSieveOptions& options, OfflineManifest manifest)
      : folder_(std::move(folder)),
        memory_bytes_(options.memory_bytes),
        batch_bytes_(std::max<uint64_t>(options.batch_bytes, 1)),
        fs_(options.fs != nullptr ? *options.fs : PosixFileSystem()),
        queue_(folder_, manifest.released, manifest.queue_end, manifest.queued),
        manifest_(manifest) {}

  ~OfflineSieve() override {
    {
      MutexLock lock(mu_);
      stop_ = true;
    }
    changed_.notify_all();
    if (merger_.joinable()) merger_.join();
  }

  Status Recover() CRV_EXCLUDES(mu_);

  Status Offer(std::span<const Key> keys) override CRV_EXCLUDES(mu_);
  Status Sync() override CRV_EXCLUDES(mu_);
  Result<uint64_t> Take(uint64_t limit, const std::function<void(std::string_view bytes)>& visit) override;
  Status Release() override CRV_EXCLUDES(mu_);
  Status Flush(FlushOptions options) override CRV_EXCLUDES(mu_);
  SieveStats stats() const override CRV_EXCLUDES(mu_);
  SievePending pending() const override CRV_EXCLUDES(mu_) {
    MutexLock lock(mu_);
    return {.waiting = accepted_ - decided_, .untaken = queue_.State().second, .known = manifest_.known};
  }
  SievePosition position() const override CRV_EXCLUDES(mu_) {
    MutexLock lock(mu_);
    return synced_position_;
  }

 private:
  std::string BatchPath(uint64_t number) const { return folder_ + "/" + NumberedName(kBatchPrefix, number); }

  Status RemoveLeftOvers() CRV_REQUIRES(mu_);
  Status BeginLog() CRV_REQUIRES(mu_);
  Status WriteBlock() CRV_REQUIRES(mu_);
  Status SyncLocked() CRV_REQUIRES(mu_);
  Status Freeze() CRV_REQUIRES(mu_);
  Status WaitForRoom() CRV_REQUIRES(mu_);
  void StartMerge() CRV_REQUIRES(mu_);
  void MergeLoop() CRV_EXCLUDES(mu_);
  Status MergeFrozen() CRV_REQUIRES(mu_);
  Status Failure() CRV_REQUIRES(mu_);

  const std::string folder_;
  const uint64_t memory_bytes_;
  const uint64_t batch_bytes_;
  CountingFileSystem fs_;
  ArrivalQueue queue_;
  std::atomic<bool> stop_ = false;
  std::thread merger_;

  mutable Mutex mu_;
  std::condition_variable_any changed_;
  OfflineManifest manifest_ CRV_GUARDED_BY(mu_);  // as on disk
  Batch filling_ CRV_GUARDED_BY(mu_);
  std::optional<Batch> frozen_ CRV_GUARDED_BY(mu_);  // being merged, or waiting for a merge
  uint64_t next_log_ CRV_GUARDED_BY(mu_) = 0;
  std::optional<LogWriter> log_ CRV_GUARDED_BY(mu_);
  bool unsynced_ CRV_GUARDED_BY(mu_) = false;         // log_ has data that is not durable yet
  std::vector<std::byte> block_ CRV_GUARDED_BY(mu_);  // keys of filling_ that are not in a record yet

  // A merge is requested by number of keys, so that each caller waits only for its own keys.
  uint64_t accepted_ CRV_GUARDED_BY(mu_) = 0;  // keys put into an A since Open, including those found by Open
  uint64_t decided_ CRV_GUARDED_BY(mu_) = 0;   // how many of those are decided
  uint64_t wanted_ CRV_GUARDED_BY(mu_) = 0;    // how many should be decided
  bool merge_asked_ CRV_GUARDED_BY(mu_) = false;
  uint64_t failures_ CRV_GUARDED_BY(mu_) = 0;
  Status failure_ CRV_GUARDED_BY(mu_);  // the last failure
  bool failure_told_ CRV_GUARDED_BY(mu_) = true;
  SievePosition synced_position_ CRV_GUARDED_BY(mu_);
  SieveStats stats_ CRV_GUARDED_BY(mu_);
};

Status OfflineSieve::Recover() {
  MutexLock lock(mu_);
  CRV_TRY(RemoveLeftOvers());
  CRV_ASSIGN(const auto names, ListFolder(folder_));
  next_log_ = manifest_.first_batch;
  for (const auto& name : names) {
    if (const auto number = NumberIn(kBatchPrefix, name)) filling_.logs.push_back(*number);
  }
  std::string torn;  // the last log that does not end with a good record
  for (const uint64_t number : filling_.logs) {
    const std::string path = BatchPath(number);
    const auto count = [&](Bytes block) CRV_REQUIRES(mu_) -> Status {
      // A log is synced before keys are written to the next one.
      if (!torn.empty())
        return Status::Corruption(torn + ": corrupt at its end, in data that was acknowledged");
      KeyBlockReader keys(block);
      while (keys.Next()) filling_.keys++;
      filling_.bytes += block.size();
      return keys.whole()
                 ? Status::Ok()
                 : Status::Corruption(path + ": corrupt: found a record that is not a block of keys");
    };
    if (number != filling_.logs.back()) {
      CRV_ASSIGN(const LogRecovery recovery, ReadLog(path, kKeyLogKind, count));
      if (recovery.torn_bytes > 0) torn = path;
      continue;
    }
    CRV_ASSIGN(auto opened, LogWriter::Open(path, kKeyLogKind, count, fs_));
    log_ = std::move(opened.writer);
    next_log_ = number + 1;
  }
  accepted_ = filling_.keys;
  if (!log_) CRV_TRY(BeginLog());
  synced_position_ = {.batch = filling_.logs.back(), .keys = filling_.keys};
  merger_ = std::thread([this] { MergeLoop(); });
  return Status::Ok();
}

// Removes what a crash may have left: files that the manifest does not name.
Status OfflineSieve::RemoveLeftOvers() {
  CRV_TRY(RemoveTemporaries(folder_, fs_));
  CRV_ASSIGN(const auto names, ListFolder(folder_));
  for (const auto& name : names) {
    const auto seen = NumberIn(OfflineManifest::kSeenPrefix, name);
    const auto batch = NumberIn(kBatchPrefix, name);
    const auto segment = NumberIn(ArrivalQueue::kSegmentPrefix, name);
    const bool stale =
        (seen && *seen != manifest_.seen_generation) || (batch && *batch < manifest_.first_batch) ||
        (segment && (*segment < manifest_.released.segment || *segment >= manifest_.queue_end)) ||
        name.starts_with(ScratchFile::kPrefix);
    if (stale) CRV_TRY(fs_.Remove(folder_ + "/" + name));
  }
  return Status::Ok();
}

Status OfflineSieve::BeginLog() {
  const uint64_t number = next_log_++;
  const auto nothing = [](Bytes) { return Status::Ok(); };
  CRV_ASSIGN(auto opened, LogWriter::Open(BatchPath(number), kKeyLogKind, nothing, fs_));
  filling_.logs.push_back(number);
  log_ = std::move(opened.writer);
  unsynced_ = false;
  return Status::Ok();
}

Status OfflineSieve::WriteBlock() {
  if (block_.empty()) return Status::Ok();
  CRV_TRY(log_->Append(block_));
  unsynced_ = true;
  block_.clear();
  return Status::Ok();
}

Status OfflineSieve::SyncLocked() {
  CRV_TRY(WriteBlock());
  if (!unsynced_) return Status::Ok();  // another thread's sync covered ours
  CRV_TRY(log_->Sync());
  unsynced_ = false;
  synced_position_ = {.batch = filling_.logs.back(), .keys = filling_.keys};
  return Status::Ok();
}

Status OfflineSieve::Offer(std::span<const Key> keys) {
  CRV_TRY(CheckKeys(keys));
  MutexLock lock(mu_);
  for (const Key& key : keys) {
    CRV_TRY(WaitForRoom());
    if (filling_.bytes >= batch_bytes_) CRV_TRY(Freeze());
    if (block_.size() >= kKeyBlockBytes) CRV_TRY(WriteBlock());
    const size_t before = block_.size();
    AppendKey(block_, key);
    filling_.bytes += block_.size() - before;
    filling_.keys++;
    accepted_++;
    stats_.offered++;
  }
  return Status::Ok();
}

Status OfflineSieve::Sync() {
  MutexLock lock(mu_);
  return SyncLocked();
}

Status OfflineSieve::Flush(FlushOptions options) {
  MutexLock lock(mu_);
  const uint64_t target = accepted_;
  if (decided_ >= target) return Status::Ok();
  wanted_ = std::max(wanted_, target);
  const uint64_t failures = failures_;
  StartMerge();
  while (options.wait && decided_ < target && failures_ == failures) changed_.wait(mu_);
  // A call that does not wait reports a failure since the last reported one.
  const bool failed = options.wait ? failures_ != failures : !failure_told_;
  return failed ? Failure() : Status::Ok();
}

Result<uint64_t> OfflineSieve::Take(uint64_t limit, const std::function<void(std::string_view)>& visit) {
  return queue_.Take(limit, visit);
}

Status OfflineSieve::Release() {
  MutexLock lock(mu_);
  OfflineManifest manifest = manifest_;
  std::tie(manifest.released, manifest.queued) = queue_.State();
  if (manifest == manifest_) return Status::Ok();
  CRV_TRY(manifest.Write(OfflineManifest::Path(folder_), fs_));
  const uint64_t first = std::exchange(manifest_, manifest).released.segment;
  // A file that could not be removed is removed when the sieve is next opened.
  for (uint64_t number = first; number < manifest.released.segment; number++) {
    fs_.Remove(ArrivalQueue::SegmentPath(folder_, number)).IgnoreError();
  }
  return Status::Ok();
}

// Closes the filling A and starts a new one. REQUIRES: !frozen_.
Status OfflineSieve::Freeze() {
  CRV_TRY(SyncLocked());
  Batch full = std::exchange(filling_, {});
  if (Status status = BeginLog(); !status.ok()) {
    filling_ = std::move(full);
    return status;
  }
  frozen_ = std::move(full);
  StartMerge();
  return Status::Ok();
}

void OfflineSieve::StartMerge() {
  merge_asked_ = true;
  changed_.notify_all();
}

// Waits until the filling A may grow or be frozen. A failed merge is retried; if it fails again, this call
// returns the error.
Status OfflineSieve::WaitForRoom() {
  if (filling_.bytes < batch_bytes_ || !frozen_) return Status::Ok();
  const uint64_t failures = failures_;
  StartMerge();
  while (frozen_ && filling_.bytes >= batch_bytes_ && failures_ == failures) changed_.wait(mu_);
  return failures_ == failures ? Status::Ok() : Failure();
}

// REQUIRES: failures_ > 0.
Status OfflineSieve::Failure() {
  failure_told_ = true;
  return failure_;
}

void OfflineSieve::MergeLoop() {
  MutexLock lock(mu_);
  while (!stop_) {
    if (!merge_asked_) {
      changed_.wait(mu_);
      continue;
    }
    merge_asked_ = false;
    Status status;
    if (!frozen_ && wanted_ > decided_) status = Freeze();
    if (status.ok() && frozen_) status = MergeFrozen();
    // The rest of what was requested, and what was frozen meanwhile.
    if (status.ok() && (frozen_ || wanted_ > decided_)) merge_asked_ = true;
    if (!status.ok()) {
      failures_++;
      failure_told_ = false;
      failure_ = std::move(status);
    }
    changed_.notify_all();
  }
}

Status OfflineSieve::MergeFrozen() {
  OfflineMerge merge;
  for (const uint64_t number : frozen_->logs) merge.batch.push_back(BatchPath(number));
  merge.keys = frozen_->keys;
  merge.seen = manifest_.SeenPath(folder_);
  OfflineManifest next = manifest_;
  next.seen_generation++;
  merge.new_seen = next.SeenPath(folder_);
  merge.segment = ArrivalQueue::SegmentPath(folder_, manifest_.queue_end);
  merge.folder = folder_;
  merge.memory_bytes = memory_bytes_;
  merge.fs = &fs_;
  merge.stop = &stop_;

  mu_.unlock();
  const Result<OfflineMergeResult> result = Run(merge);
  mu_.lock();
  CRV_TRY(result);

  OfflineManifest manifest = manifest_;  // Release() may have changed it
  manifest.first_batch = filling_.logs.front();
  if (result->discovered > 0) {
    manifest.seen_generation = next.seen_generation;
    manifest.known = result->known;
    manifest.queue_end++;
    manifest.queued += result->discovered;
  }
  CRV_TRY(manifest.Write(OfflineManifest::Path(folder_), fs_));
  manifest_ = manifest;
  if (result->discovered > 0) queue_.Extend(result->discovered);
  decided_ += frozen_->keys;
  stats_.passed += result->discovered;
  stats_.flushes++;
  // Files that could not be removed are removed when the sieve is next opened.
  for (const auto& path : merge.batch) fs_.Remove(path).IgnoreError();
  if (result->discovered > 0 && !merge.seen.empty()) fs_.Remove(merge.seen).IgnoreError();
  frozen_.reset();
  return Status::Ok();
}

SieveStats OfflineSieve::stats() const {
  MutexLock lock(mu_);
  SieveStats stats = stats_;
  stats.known = manifest_.known;
  stats.waiting = accepted_ - decided_;
  stats.untaken = queue_.State().second;
  stats.written_bytes = fs_.written_bytes();
  stats.disk_bytes = FolderBytes(folder_);
  stats.memory_bytes = memory_bytes_ + block_.capacity();
  return stats;
}

}  // namespace

Result<std::unique_ptr<Sieve>> OpenOfflineSieve(const std::string& folder,
                                                const OfflineSieveOptions& options) {
  CRV_TRY(MakeFolders(folder));
  CRV_ASSIGN(const OfflineManifest manifest, OfflineManifest::Read(OfflineManifest::Path(folder)));
  auto sieve = std::make_unique<OfflineSieve>(folder, options, manifest);
  CRV_TRY(sieve->Recover());
  return std::unique_ptr<Sieve>(std::move(sieve));
}

}  // namespace crivello::sieve
