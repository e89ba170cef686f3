// SPDX-License-Identifier: Apache-2.0
#include "sieve/memory_sieve.h"

#include <fmt/format.h>

#include <optional>

#include "base/folder.h"
#include "base/log.h"
#include "base/mutex.h"
#include "sieve/key_queue.h"
#include "sieve/sieve_files.h"
#include "sieve/signature_set.h"

namespace crivello::sieve {
namespace {

constexpr FileKind kSeenKind = {.name = "sieve-seen", .version = 1};
constexpr size_t kSeenRecord = 8192;  // signatures

class MemorySieve final : public Sieve {
 public:
  explicit MemorySieve(FileSystem& fs) : fs_(fs) {}

  Status Recover(const std::string& folder, const MemorySieveOptions& options) {
    MutexLock lock(mu_);
    CRV_TRY(MakeFolders(folder));
    CRV_TRY(RemoveTemporaries(folder, fs_));
    CRV_ASSIGN(auto seen, LogWriter::Open(
                              folder + "/seen", kSeenKind,
                              [&](Bytes record) CRV_REQUIRES(mu_) {
                                for (size_t at = 0; at + 8 <= record.size(); at += 8) {
                                  set_.Insert(LoadField<uint64_t>(record, at));
                                }
                                return Status::Ok();
                              },
                              fs_));
    seen_.emplace(std::move(seen.writer));
    CRV_ASSIGN(auto queue, KeyQueue::Open(
                               folder, {.log_bytes = options.log_bytes},
                               [&](uint64_t signature) CRV_REQUIRES(mu_) { set_.Insert(signature); }, fs_));
    queue_.emplace(std::move(queue));
    synced_keys_ = set_.size();
    return Status::Ok();
  }

  Status Offer(std::span<const Key> keys) override {
    CRV_TRY(CheckKeys(keys));
    MutexLock lock(mu_);
    for (const Key& key : keys) {
      stats_.offered++;
      if (set_.Contains(key.signature)) continue;
      CRV_TRY(queue_->Append(key));
      set_.Insert(key.signature);
      stats_.passed++;
    }
    return Status::Ok();
  }

  Status Sync() override {
    MutexLock lock(mu_);
    CRV_TRY(queue_->Sync());
    synced_keys_ = set_.size();
    return Status::Ok();
  }

  SievePosition position() const override {
    MutexLock lock(mu_);
    return {.keys = synced_keys_};
  }

  Result<uint64_t> Take(uint64_t limit, const std::function<void(std::string_view)>& visit) override {
    MutexLock lock(mu_);
    return queue_->Take(limit, visit);
  }

  Status Release() override {
    MutexLock lock(mu_);
    CRV_TRY(queue_->Release());
    if (queue_->released_bytes() == 0) return Status::Ok();
    std::vector<uint64_t> signatures;
    CRV_TRY(queue_->Released([&](uint64_t signature) { signatures.push_back(signature); }));
    for (std::span<const uint64_t> rest = signatures; !rest.empty();) {
      const auto record = rest.first(std::min(rest.size(), kSeenRecord));
      CRV_TRY(seen_->Append(std::as_bytes(record)));
      rest = rest.subspan(record.size());
    }
    CRV_TRY(seen_->Sync());
    return queue_->Drop();
  }

  Status Flush(FlushOptions) override { return Status::Ok(); }  // everything is decided already

  SievePending pending() const override {
    MutexLock lock(mu_);
    return {.untaken = queue_->untaken(), .known = set_.size()};
  }

  SieveStats stats() const override {
    MutexLock lock(mu_);
    SieveStats stats = stats_;
    stats.known = set_.size();
    stats.untaken = queue_->untaken();
    stats.written_bytes = fs_.written_bytes();
    stats.disk_bytes = queue_->disk_bytes() + seen_->size_bytes();
    stats.memory_bytes = set_.memory_bytes() + queue_->memory_bytes();
    return stats;
  }

 private:
  CountingFileSystem fs_;
  mutable Mutex mu_;
  SignatureSet set_ CRV_GUARDED_BY(mu_);
  uint64_t synced_keys_ CRV_GUARDED_BY(mu_) = 0;  // size of the set at the last sync
  std::optional<KeyQueue> queue_ CRV_GUARDED_BY(mu_);
  std::optional<LogWriter> seen_ CRV_GUARDED_BY(mu_);
  SieveStats stats_ CRV_GUARDED_BY(mu_);
};

}  // namespace

Result<std::unique_ptr<Sieve>> OpenMemorySieve(const std::string& folder, MemorySieveOptions options,
                                               FileSystem& fs) {
  auto sieve = std::make_unique<MemorySieve>(fs);
  CRV_TRY(sieve->Recover(folder, options));
  return std::unique_ptr<Sieve>(std::move(sieve));
}

}  // namespace crivello::sieve
