// SPDX-License-Identifier: Apache-2.0
#include "sieve/mercator_sieve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/file_format.h"
#include "base/image.h"
#include "base/log.h"
#include "base/mutex.h"
#include "sieve/key_block.h"
#include "sieve/mercator_emitter.h"
#include "sieve/mercator_files.h"
#include "sieve/mercator_manifest.h"
#include "sieve/mercator_z.h"
#include "sieve/sieve_files.h"
#include "sieve/z_file.h"

namespace crivello::sieve {
namespace {

constexpr uint64_t kBufferBytes = 12 << 20;  // blocks and windows, for the runs of up to 10^12 keys
constexpr uint64_t kBytesPerKey = 33;        // S twice, 12 for sorting and 4 in bad cases, two marks
constexpr uint64_t kMinBatchKeys = 1 << 10;

uint64_t BatchKeys(const MercatorSieveOptions& options) {
  if (options.batch_keys > 0) return options.batch_keys;
  const uint64_t rest = options.memory_bytes > kBufferBytes ? options.memory_bytes - kBufferBytes : 0;
  return std::clamp<uint64_t>(rest / kBytesPerKey, kMinBatchKeys, ~uint32_t{0});
}

class MercatorSieve final : public Sieve {
 public:
  MercatorSieve(const std::string& folder, const MercatorSieveOptions& options, FileSystem& fs)
      : fs_(fs), files_(folder), batch_keys_(BatchKeys(options)), z_(files_, fs_), emitter_(files_) {}
  ~MercatorSieve() override {
    {
      MutexLock lock(mu_);
      stop_ = true;
      changed_.notify_all();
    }
    if (worker_.joinable()) worker_.join();
  }

  Status Recover();

  Status Offer(std::span<const Key> keys) override;
  Status Sync() override;
  Result<uint64_t> Take(uint64_t limit, const std::function<void(std::string_view)>& visit) override;
  Status Release() override;
  Status Flush(FlushOptions options) override;
  SieveStats stats() const override;
  SievePending pending() const override {
    MutexLock lock(mu_);
    return PendingLocked();
  }
  SievePosition position() const override {
    MutexLock lock(mu_);
    return synced_position_;
  }

 private:
  // The locks, in the order in which they must be taken: take_mu_, commit_mu_, io_mu_, mu_.

  SievePending PendingLocked() const CRV_REQUIRES(mu_);
  // Waits until the filling batch, or its block, has room.
  Status MakeRoom() CRV_EXCLUDES(io_mu_, mu_);
  // Completes what an earlier call began: writes writing_ to the log; after a cut, starts the next log.
  Status Settle() CRV_REQUIRES(io_mu_) CRV_EXCLUDES(mu_);
  Status TrySettle() CRV_REQUIRES(io_mu_) CRV_EXCLUDES(mu_);
  // Passes the block to the log.
  Status WriteBlock() CRV_REQUIRES(io_mu_) CRV_EXCLUDES(mu_);
  // Hands the filling batch to the worker. REQUIRES: the worker has none.
  Status Cut() CRV_REQUIRES(io_mu_) CRV_EXCLUDES(mu_);
  Status SyncLog() CRV_EXCLUDES(io_mu_, mu_);
  // Waits until the worker has no batch; makes it retry if it failed, and returns its error.
  Status AwaitWorker() CRV_EXCLUDES(io_mu_, mu_);

  void Work();
  Status Decide(uint64_t id, std::vector<uint64_t>& signatures);
  // Applies `change` to the manifest and replaces the file.
  Status Commit(const std::function<void(MercatorManifest&)>& change) CRV_EXCLUDES(commit_mu_, mu_);

  CountingFileSystem fs_;
  const MercatorFiles files_;
  const uint64_t batch_keys_;
  MercatorZ z_;  // used only by the worker's thread once that runs

  Mutex take_mu_;
  MercatorEmitter emitter_ CRV_GUARDED_BY(take_mu_);
  uint64_t released_id_ CRV_GUARDED_BY(take_mu_) = 0;  // the position of the last Release()
  uint64_t released_keys_ CRV_GUARDED_BY(take_mu_) = 0;

  Mutex commit_mu_;

  Mutex io_mu_;
  std::optional<LogWriter> log_ CRV_GUARDED_BY(io_mu_);    // A of the filling batch
  std::vector<std::byte> writing_ CRV_GUARDED_BY(io_mu_);  // a block being written to log_
  uint64_t writing_end_ CRV_GUARDED_BY(io_mu_) = 0;        // the value of appended_ when it was taken
  uint64_t written_ CRV_GUARDED_BY(io_mu_) = 0;            // appended_ at the end of log_
  SievePosition writing_position_ CRV_GUARDED_BY(io_mu_);  // the position after writing_
  SievePosition written_position_ CRV_GUARDED_BY(io_mu_);
  bool cut_ CRV_GUARDED_BY(io_mu_) = false;  // log_ still belongs to the cut batch

  mutable Mutex mu_;
  std::condition_variable_any changed_;
  std::vector<std::byte> block_ CRV_GUARDED_BY(mu_);   // keys for the log
  std::vector<uint64_t> filling_ CRV_GUARDED_BY(mu_);  // S of the filling batch
  uint64_t filling_id_ CRV_GUARDED_BY(mu_) = 0;
  uint64_t appended_ CRV_GUARDED_BY(mu_) = 0;  // total number of keys added to blocks
  uint64_t synced_ CRV_GUARDED_BY(mu_) = 0;    // how many of those are durable
  SievePosition synced_position_ CRV_GUARDED_BY(mu_);
  bool syncing_ CRV_GUARDED_BY(mu_) = false;
  std::condition_variable_any sync_ended_;
  bool frozen_ CRV_GUARDED_BY(mu_) = false;        // the worker has a batch, or will get one
  bool frozen_ready_ CRV_GUARDED_BY(mu_) = false;  // its log is complete
  uint64_t frozen_id_ CRV_GUARDED_BY(mu_) = 0;
  uint64_t frozen_keys_ CRV_GUARDED_BY(mu_) = 0;
  std::vector<uint64_t> frozen_s_ CRV_GUARDED_BY(mu_);  // its S; empty: to be read from its log
  bool failed_ CRV_GUARDED_BY(mu_) = false;             // the worker waits for a retry
  uint64_t failures_ CRV_GUARDED_BY(mu_) = 0;
  Status failure_ CRV_GUARDED_BY(mu_);             // the last failure
  bool flush_wanted_ CRV_GUARDED_BY(mu_) = false;  // cut as soon as the worker is idle
  bool stop_ CRV_GUARDED_BY(mu_) = false;
  MercatorManifest manifest_ CRV_GUARDED_BY(mu_);
  SieveStats stats_ CRV_GUARDED_BY(mu_);
  uint64_t taken_ CRV_GUARDED_BY(mu_) = 0;  // how many of the untaken keys were taken
  uint64_t z_bytes_ CRV_GUARDED_BY(mu_) = 0;

  std::thread worker_;
};

Status MercatorSieve::Recover() {
  CRV_ASSIGN(const MercatorFiles::Recovered found, files_.Recover(fs_));
  CRV_TRY(z_.Open(found.manifest.runs));
  MutexLock take(take_mu_);
  MutexLock io(io_mu_);
  MutexLock lock(mu_);
  manifest_ = found.manifest;
  z_bytes_ = z_.size_bytes();
  if (!manifest_.batches.empty()) emitter_.StartAt(manifest_.batches.front(), manifest_.released);
  released_id_ = emitter_.id();
  released_keys_ = emitter_.emitted();
  taken_ = manifest_.released;
  filling_id_ = manifest_.next_batch;
  if (found.undecided == 2) {
    frozen_ = frozen_ready_ = true;
    frozen_id_ = filling_id_++;
  }
  filling_.reserve(batch_keys_);
  const std::string path = files_.Keys(filling_id_);
  CRV_ASSIGN(auto opened, LogWriter::Open(path, kKeyLogKind, SignaturesInto(path, filling_), fs_));
  log_.emplace(std::move(opened.writer));
  synced_position_ = written_position_ = {.batch = filling_id_, .keys = filling_.size()};
  worker_ = std::thread([this] { Work(); });
  return Status::Ok();
}

Status MercatorSieve::Offer(std::span<const Key> keys) {
  CRV_TRY(CheckKeys(keys));
  const uint64_t count = keys.size();
  while (!keys.empty()) {
    {
      MutexLock lock(mu_);
      size_t n = 0;
      while (n < keys.size() && block_.size() < kKeyBlockBytes && filling_.size() < batch_keys_) {
        filling_.push_back(keys[n].signature);
        AppendKey(block_, keys[n]);
        n++;
      }
      appended_ += n;
      keys = keys.subspan(n);
    }
    if (!keys.empty()) CRV_TRY(MakeRoom());
  }
  MutexLock lock(mu_);
  stats_.offered += count;
  return Status::Ok();
}

Status MercatorSieve::MakeRoom() {
  bool full = false;
  {
    MutexLock lock(mu_);
    full = filling_.size() >= batch_keys_;
  }
  if (full) CRV_TRY(AwaitWorker());
  MutexLock io(io_mu_);
  bool busy = false;
  {
    MutexLock lock(mu_);
    full = filling_.size() >= batch_keys_;
    busy = frozen_;
  }
  if (!full) return WriteBlock();
  return busy ? Status::Ok()
              : Cut();  // busy: meanwhile another thread has cut, and added keys; the caller checks again
}

Status MercatorSieve::Settle() {
  const Status status = TrySettle();
  if (status.ok() || !cut_) return status;
  MutexLock lock(mu_);
  failures_++;  // threads waiting for the cut batch must learn that nobody is working on it
  failure_ = status;
  changed_.notify_all();
  return status;
}

Status MercatorSieve::TrySettle() {
  if (!writing_.empty()) {
    CRV_TRY(log_->Append(writing_));
    writing_.clear();
    written_ = writing_end_;
    written_position_ = writing_position_;
  }
  if (!cut_) return Status::Ok();
  // Sync all of the old log first; otherwise a crash could leave a gap before the new one's keys.
  CRV_TRY(log_->Sync());
  uint64_t id = 0;
  {
    MutexLock lock(mu_);
    synced_ = written_;
    synced_position_ = written_position_;
    id = filling_id_;
  }
  CRV_ASSIGN(auto opened, LogWriter::Open(
                              files_.Keys(id), kKeyLogKind, [](Bytes) { return Status::Ok(); }, fs_));
  log_.emplace(std::move(opened.writer));
  cut_ = false;
  MutexLock lock(mu_);
  frozen_ready_ = true;
  changed_.notify_all();
  return Status::Ok();
}

Status MercatorSieve::WriteBlock() {
  CRV_TRY(Settle());
  {
    MutexLock lock(mu_);
    writing_.swap(block_);
    writing_end_ = appended_;
    writing_position_ = {.batch = filling_id_, .keys = filling_.size()};
  }
  return Settle();
}

Status MercatorSieve::Cut() {
  CRV_TRY(Settle());
  {
    // From here on keys go to the next batch, in memory; switching the logs may take several attempts.
    MutexLock lock(mu_);
    if (filling_.empty()) return Status::Ok();
    writing_.swap(block_);
    writing_end_ = appended_;
    writing_position_ = {.batch = filling_id_, .keys = filling_.size()};
    frozen_s_.swap(filling_);
    filling_.clear();
    filling_.reserve(batch_keys_);
    frozen_ = true;
    frozen_ready_ = false;
    frozen_keys_ = frozen_s_.size();
    frozen_id_ = filling_id_++;
    flush_wanted_ = false;
  }
  cut_ = true;
  return Settle();
}

Status MercatorSieve::AwaitWorker() {
  uint64_t failures = 0;  // before Settle(): a cut that fails between it and the wait must count
  {
    MutexLock lock(mu_);
    failures = failures_;
  }
  {
    MutexLock io(io_mu_);
    CRV_TRY(Settle());
  }
  MutexLock lock(mu_);
  if (std::exchange(failed_, false)) changed_.notify_all();
  while (frozen_ && failures_ == failures) changed_.wait(mu_);
  return frozen_ ? failure_ : Status::Ok();
}

Status MercatorSieve::Sync() {
  {
    MutexLock lock(mu_);
    const uint64_t wanted = appended_;
    while (synced_ < wanted && syncing_) sync_ended_.wait(mu_);
    if (synced_ >= wanted) return Status::Ok();  // by the thread that we waited for
    syncing_ = true;
  }
  const Status status = SyncLog();
  MutexLock lock(mu_);
  syncing_ = false;
  sync_ended_.notify_all();
  return status;
}

Status MercatorSieve::SyncLog() {
  MutexLock io(io_mu_);
  CRV_TRY(WriteBlock());
  CRV_TRY(log_->Sync());
  MutexLock lock(mu_);
  synced_ = written_;
  synced_position_ = written_position_;
  return Status::Ok();
}

Status MercatorSieve::Flush(FlushOptions options) {
  uint64_t target = 0;  // batches below it must be decided
  {
    MutexLock lock(mu_);
    target = filling_id_ + (filling_.empty() ? 0 : 1);
  }
  for (;;) {
    bool behind = false;
    {
      MutexLock lock(mu_);
      if (manifest_.next_batch >= target) return Status::Ok();
      behind = !options.wait && frozen_;
      if (behind) {
        // Retrying does not repair a file: a caller that keeps flushing would wait forever.
        if (failed_ && failure_.code() == StatusCode::kCorruption) return failure_;
        flush_wanted_ |= filling_id_ < target;
        if (std::exchange(failed_, false)) changed_.notify_all();
      }
    }
    if (behind) {
      MutexLock io(io_mu_);
      return Settle();
    }
    CRV_TRY(AwaitWorker());
    MutexLock io(io_mu_);
    bool cut = false;
    {
      MutexLock lock(mu_);
      cut = filling_id_ < target && !frozen_;
    }
    if (cut) CRV_TRY(Cut());
  }
}

void MercatorSieve::Work() {
  for (;;) {
    uint64_t id = 0;
    std::vector<uint64_t> signatures;
    {
      MutexLock lock(mu_);
      while (!stop_ && !(frozen_ && frozen_ready_ && !failed_)) changed_.wait(mu_);
      if (stop_) return;
      id = frozen_id_;
      signatures.swap(frozen_s_);
    }
    const Status status = Decide(id, signatures);
    bool cut = false;
    {
      MutexLock lock(mu_);
      signatures.clear();  // consumed, but its memory is reused for the next batch
      frozen_s_.swap(signatures);
      if (status.ok()) {
        frozen_ = frozen_ready_ = false;
        frozen_keys_ = 0;
        stats_.flushes++;
        cut = flush_wanted_;
      } else {
        failed_ = true;
        failures_++;
        failure_ = status;
      }
      changed_.notify_all();
    }
    if (!cut) continue;
    MutexLock io(io_mu_);
    bool busy = false;
    {
      MutexLock lock(mu_);
      busy = frozen_;
    }
    // The waiting calls get the error, and the next call retries.
    if (!busy) Cut().IgnoreError();
  }
}

Status MercatorSieve::Decide(uint64_t id, std::vector<uint64_t>& signatures) {
  const std::string path = files_.Keys(id);
  if (signatures.empty()) {
    signatures.reserve(batch_keys_);
    CRV_ASSIGN(const LogRecovery recovery, ReadLog(path, kKeyLogKind, SignaturesInto(path, signatures)));
    if (recovery.torn_bytes > 0) {
      return Status::Corruption(fmt::format("{}: corrupt at offset {}", path, recovery.good_bytes));
    }
    MutexLock lock(mu_);
    frozen_keys_ = signatures.size();
  }
  const auto stop = [this] {
    MutexLock lock(mu_);
    return stop_;
  };
  CRV_ASSIGN(const MercatorZ::Decision decision, z_.Decide(id, signatures, stop));
  CRV_TRY(Commit([&](MercatorManifest& next) {
    next.runs = decision.runs;
    next.next_batch = id + 1;
    if (decision.passed > 0) {
      next.batches.push_back({.id = id, .keys = signatures.size(), .passed = decision.passed});
    }
  }));
  z_.Accept();
  // A file left over is garbage; the next opening also removes it.
  if (decision.passed == 0) fs_.Remove(path).IgnoreError();
  MutexLock lock(mu_);
  stats_.passed += decision.passed;
  z_bytes_ = z_.size_bytes();
  return Status::Ok();
}

Status MercatorSieve::Commit(const std::function<void(MercatorManifest&)>& change) {
  MutexLock commit(commit_mu_);
  MercatorManifest next;
  {
    MutexLock lock(mu_);
    next = manifest_;
  }
  change(next);
  CRV_TRY(WriteImage(files_.Manifest(), MercatorManifest::kFileKind, next.Encode().bytes(), fs_));
  MutexLock lock(mu_);
  manifest_ = std::move(next);
  return Status::Ok();
}

Result<uint64_t> MercatorSieve::Take(uint64_t limit, const std::function<void(std::string_view)>& visit) {
  MutexLock take(take_mu_);
  uint64_t taken = 0;
  Status status;
  while (taken < limit) {
    if (!emitter_.has_batch()) {
      MutexLock lock(mu_);
      const auto& batches = manifest_.batches;
      const uint64_t from = emitter_.next_id();
      const auto next = std::partition_point(batches.begin(), batches.end(),
                                             [from](const auto& batch) { return batch.id < from; });
      if (next != batches.end()) emitter_.StartAt(*next, 0);
    }
    if (!emitter_.has_batch()) break;
    status = emitter_.Emit(limit - taken, visit, &taken);
    if (!status.ok()) break;
  }
  MutexLock lock(mu_);
  taken_ += taken;
  if (!status.ok() && taken == 0) return status;
  return taken;
}

Status MercatorSieve::Release() {
  MutexLock take(take_mu_);
  const uint64_t id = emitter_.id();
  const uint64_t keys = emitter_.emitted();
  if (id == released_id_ && keys == released_keys_) return Status::Ok();
  std::vector<uint64_t> done;
  uint64_t released = 0;
  CRV_TRY(Commit([&](MercatorManifest& next) {
    size_t n = 0;
    while (n < next.batches.size() &&
           (next.batches[n].id < id || (next.batches[n].id == id && next.batches[n].passed == keys))) {
      done.push_back(next.batches[n].id);
      released += next.batches[n].passed;
      n++;
    }
    next.batches.erase(next.batches.begin(), next.batches.begin() + static_cast<ptrdiff_t>(n));
    next.released = !next.batches.empty() && next.batches.front().id == id ? keys : 0;
  }));
  released_id_ = id;
  released_keys_ = keys;
  for (const uint64_t batch : done) {
    // If left over, they are garbage, which the next opening removes.
    fs_.Remove(files_.Keys(batch)).IgnoreError();
    fs_.Remove(files_.Marks(batch)).IgnoreError();
  }
  MutexLock lock(mu_);
  taken_ -= released;
  return Status::Ok();
}

SievePending MercatorSieve::PendingLocked() const {
  SievePending pending = {.waiting = filling_.size() + frozen_keys_, .known = manifest_.known()};
  for (const auto& batch : manifest_.batches) pending.untaken += batch.passed;
  pending.untaken -= taken_;
  return pending;
}

SieveStats MercatorSieve::stats() const {
  MutexLock lock(mu_);
  SieveStats stats = stats_;
  const SievePending pending = PendingLocked();
  stats.known = pending.known;
  stats.waiting = pending.waiting;
  stats.untaken = pending.untaken;
  stats.written_bytes = fs_.written_bytes();
  stats.disk_bytes = z_bytes_ + files_.KeyBytes(manifest_, filling_id_);
  stats.memory_bytes = kBufferBytes + batch_keys_ * kBytesPerKey;
  return stats;
}

}  // namespace

Result<SieveStanding> PeekMercatorSieve(const std::string& folder) {
  const MercatorFiles files(folder);
  MercatorManifest manifest;
  const auto file = FormatFile::Open(files.Manifest(), MercatorManifest::kFileKind);
  if (file.ok()) {
    auto read = MercatorManifest::FromImage(file->payload());
    if (!read.ok()) return read.status().WithContext(files.Manifest());
    manifest = *std::move(read);
  } else if (file.status().code() != StatusCode::kNotFound) {
    return file.status();
  }
  for (const MercatorManifest::Run& run : manifest.runs) {
    CRV_TRY(ZFile::Open(files.Run(run.id)).status());
  }
  SieveStanding standing;
  standing.pending.known = manifest.known();
  for (const MercatorManifest::Batch& batch : manifest.batches) standing.pending.untaken += batch.passed;
  standing.pending.untaken -= manifest.released;
  standing.position = {.batch = manifest.next_batch, .keys = 0};
  for (uint64_t id = manifest.next_batch; id < manifest.next_batch + 2; ++id) {
    std::vector<uint64_t> signatures;
    const auto log = ReadLog(files.Keys(id), kKeyLogKind, SignaturesInto(files.Keys(id), signatures));
    if (log.status().code() == StatusCode::kNotFound) break;
    CRV_TRY(log.status());
    standing.pending.waiting += signatures.size();
    standing.position = {.batch = id, .keys = signatures.size()};
  }
  return standing;
}

Result<std::unique_ptr<Sieve>> OpenMercatorSieve(const std::string& folder, MercatorSieveOptions options,
                                                 FileSystem& fs) {
  auto sieve = std::make_unique<MercatorSieve>(folder, options, fs);
  CRV_TRY(sieve->Recover());
  return std::unique_ptr<Sieve>(std::move(sieve));
}

}  // namespace crivello::sieve
