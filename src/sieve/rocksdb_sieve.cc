// SPDX-License-Identifier: Apache-2.0
#include "sieve/rocksdb_sieve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/folder.h"
#include "base/mutex.h"
#include "kv/database.h"
#include "sieve/key_block.h"
#include "sieve/sieve_files.h"

namespace crivello::sieve {
namespace {

// In the order of DatabaseOptions::families.
constexpr kv::Family kSignatures = 0;
constexpr kv::Family kQueue = 1;
constexpr kv::Family kState = 2;
constexpr std::string_view kStateKey = "state";

constexpr uint64_t kBatchBytes = 1 << 20;
constexpr size_t kProbeBytes = 1 << 16;

// Big-endian, so that keys sort by number.
std::array<char, 8> NumberKey(uint64_t number) {
  return std::bit_cast<std::array<char, 8>>(__builtin_bswap64(number));
}
std::string_view View(const std::array<char, 8>& key) { return {key.data(), key.size()}; }

// The state stored in the database; written with every change.
struct State {
  uint64_t known = 0;
  uint64_t next_block = 0;
  uint64_t queued = 0;          // unreleased keys in the queue
  uint64_t released_block = 0;  // the block of the first of those
  uint64_t released_keys = 0;   // keys of that block before it
};
using StateBytes = std::array<char, sizeof(State)>;
static_assert(std::has_unique_object_representations_v<State>);

class RocksDbSieve final : public Sieve {
 public:
  RocksDbSieve(std::string folder, const RocksDbSieveOptions& options)
      : folder_(std::move(folder)),
        batch_keys_(std::max<uint64_t>(options.batch_keys, 1)),
        fs_(options.fs != nullptr ? *options.fs : PosixFileSystem()) {}

  Status Recover(uint64_t memory_bytes);

  Status Offer(std::span<const Key> keys) override;
  Status Sync() override;
  Result<uint64_t> Take(uint64_t limit, const std::function<void(std::string_view bytes)>& visit) override;
  Status Release() override;
  Status Flush(FlushOptions options) override;
  Status CopyTo(const std::string&, const std::string& to) override { return db_->Checkpoint(to); }
  SieveStats stats() const override;
  SievePending pending() const override {
    MutexLock lock(mu_);
    return {.waiting = pending_keys_, .untaken = state_.queued - taken_, .known = state_.known};
  }
  SievePosition position() const override { return {.keys = db_->sequence()}; }

 private:
  Status ReadState() CRV_REQUIRES(mu_);
  Status Probe() CRV_REQUIRES(mu_);
  Status Mend() CRV_REQUIRES(mu_);
  Status Decide(bool sync) CRV_REQUIRES(mu_);
  Status OpenBlock() CRV_REQUIRES(mu_);
  Status Write(const State& state, kv::Batch& batch, bool sync) CRV_REQUIRES(mu_);

  const std::string folder_;
  const uint64_t batch_keys_;
  CountingFileSystem fs_;
  std::unique_ptr<kv::Database> db_;

  mutable Mutex mu_;
  State state_ CRV_GUARDED_BY(mu_);                     // as in the database
  bool failed_ CRV_GUARDED_BY(mu_) = false;             // whether the last write failed
  bool unsynced_ CRV_GUARDED_BY(mu_) = false;           // something was written since the last sync
  std::vector<std::byte> pending_ CRV_GUARDED_BY(mu_);  // a block of undecided keys
  uint64_t pending_keys_ CRV_GUARDED_BY(mu_) = 0;

  // Where Take() continues, and the block at that position.
  uint64_t take_block_ CRV_GUARDED_BY(mu_) = 0;
  uint64_t take_keys_ CRV_GUARDED_BY(mu_) = 0;
  std::unique_ptr<const std::string> block_ CRV_GUARDED_BY(mu_);
  std::optional<KeyBlockReader> reader_ CRV_GUARDED_BY(mu_);  // reads block_
  uint64_t taken_ CRV_GUARDED_BY(mu_) = 0;                    // taken but not released
  SieveStats stats_ CRV_GUARDED_BY(mu_);
};

Status RocksDbSieve::Recover(uint64_t memory_bytes) {
  CRV_TRY(MakeFolders(folder_));
  kv::DatabaseOptions options;
  options.families = {
      {.name = "signatures"}, {.name = "queue", .point_lookups_hit = true}, {.name = "state"}};
  options.memory_bytes = memory_bytes;
  options.fs = &fs_;
  CRV_ASSIGN(db_, kv::Database::Open(folder_, options));
  MutexLock lock(mu_);
  CRV_TRY(ReadState());
  take_block_ = state_.released_block;
  take_keys_ = state_.released_keys;
  return Status::Ok();
}

Status RocksDbSieve::ReadState() {
  CRV_ASSIGN(const auto bytes, db_->Get(kState, kStateKey));
  if (!bytes) return Status::Ok();
  if (bytes->size() != sizeof(State)) {
    return Status::Corruption(
        fmt::format("{}: corrupt: unexpected state of {} bytes", folder_, bytes->size()));
  }
  std::memcpy(&state_, bytes->data(), sizeof state_);
  return Status::Ok();
}

// Whether the disk has room. Opening a database only to find that there is none costs a thousand times as
// much.
Status RocksDbSieve::Probe() {
  const std::string path = folder_ + "/probe";
  Status status;
  {
    CRV_ASSIGN(auto file, fs_.OpenForAppend(path, {.truncate = true}));
    status = file->Append(std::vector<std::byte>(kProbeBytes));
  }
  CRV_TRY(fs_.Remove(path));
  return status;
}

// After a failed write: opens the database again. The write may turn out to have succeeded.
Status RocksDbSieve::Mend() {
  if (!failed_) return Status::Ok();
  CRV_TRY(Probe());
  CRV_TRY(db_->Resume());
  const uint64_t known = state_.known;
  CRV_TRY(ReadState());
  stats_.passed += state_.known - known;
  if (state_.released_block == take_block_ && state_.released_keys == take_keys_) taken_ = 0;
  failed_ = false;
  return Status::Ok();
}

Status RocksDbSieve::Offer(std::span<const Key> keys) {
  CRV_TRY(CheckKeys(keys));
  MutexLock lock(mu_);
  for (const Key& key : keys) {
    if (pending_keys_ >= batch_keys_ || pending_.size() >= kBatchBytes) CRV_TRY(Decide(false));
    AppendKey(pending_, key);
    pending_keys_++;
    stats_.offered++;
  }
  return Status::Ok();
}

// Adds the pending keys that are new to the database. After an error they stay pending.
Status RocksDbSieve::Decide(bool sync) {
  if (pending_keys_ == 0) return Status::Ok();
  CRV_TRY(Mend());
  std::vector<Key> first;  // the first key of each signature
  {
    std::unordered_set<uint64_t> signatures;
    signatures.reserve(pending_keys_);
    for (KeyBlockReader keys(pending_); keys.Next();) {
      if (signatures.insert(keys.key().signature).second) first.push_back(keys.key());
    }
  }
  std::vector<std::array<char, 8>> names;
  for (const Key& key : first) names.push_back(NumberKey(key.signature));
  std::vector<std::string_view> views;
  for (const auto& name : names) views.push_back(View(name));
  CRV_ASSIGN(const auto found, db_->Get(kSignatures, views));

  State state = state_;
  kv::Batch batch;
  std::vector<std::byte> block;
  for (size_t i = 0; i < first.size(); i++) {
    if (found[i]) continue;
    batch.Put(kSignatures, views[i], {});
    AppendKey(block, first[i]);
    state.known++;
    state.queued++;
  }
  const uint64_t passed = state.known - state_.known;
  if (passed > 0) {
    batch.Put(kQueue, View(NumberKey(state.next_block++)), AsText(block));
    CRV_TRY(Write(state, batch, sync));
  }
  stats_.passed += passed;
  stats_.flushes++;
  pending_.clear();
  pending_keys_ = 0;
  return Status::Ok();
}

Status RocksDbSieve::Write(const State& state, kv::Batch& batch, bool sync) {
  const auto bytes = std::bit_cast<StateBytes>(state);
  batch.Put(kState, kStateKey, {bytes.data(), bytes.size()});
  const Status status = db_->Write(batch, {.sync = sync});
  failed_ = !status.ok();
  CRV_TRY(status);
  state_ = state;
  unsynced_ = !sync;
  return Status::Ok();
}

Status RocksDbSieve::Sync() {
  MutexLock lock(mu_);
  CRV_TRY(Mend());
  CRV_TRY(Decide(true));
  if (!unsynced_) return Status::Ok();
  // A synced write makes all earlier writes durable.
  kv::Batch nothing_new;
  return Write(state_, nothing_new, true);
}

Status RocksDbSieve::Flush(FlushOptions) {
  MutexLock lock(mu_);
  return Decide(false);
}

// Loads the block where Take() continues, and a reader at that position.
Status RocksDbSieve::OpenBlock() {
  CRV_ASSIGN(auto block, db_->Get(kQueue, View(NumberKey(take_block_))));
  if (!block) {
    return Status::Corruption(
        fmt::format("{}: block {} of the sieve's queue is missing", folder_, take_block_));
  }
  block_ = std::make_unique<std::string>(*std::move(block));
  reader_.emplace(AsBytes(*block_));
  for (uint64_t i = 0; i < take_keys_; i++) reader_->Next();
  return Status::Ok();
}

Result<uint64_t> RocksDbSieve::Take(uint64_t limit, const std::function<void(std::string_view)>& visit) {
  MutexLock lock(mu_);
  CRV_TRY(Mend());
  uint64_t taken = 0;
  while (taken < limit && take_block_ < state_.next_block) {
    if (!block_) CRV_TRY(OpenBlock());
    for (; taken < limit && reader_->Next(); taken++) {
      visit(reader_->key().bytes);
      take_keys_++;
    }
    if (taken == limit) break;
    take_block_++;
    take_keys_ = 0;
    block_.reset();
  }
  taken_ += taken;
  return taken;
}

Status RocksDbSieve::Release() {
  MutexLock lock(mu_);
  CRV_TRY(Mend());
  State state = state_;
  state.released_block = take_block_;
  state.released_keys = take_keys_;
  state.queued -= taken_;
  kv::Batch batch;
  for (uint64_t block = state_.released_block; block < take_block_; block++) {
    batch.Delete(kQueue, View(NumberKey(block)));
  }
  if (std::memcmp(&state, &state_, sizeof state) == 0) return Status::Ok();
  CRV_TRY(Write(state, batch, true));
  taken_ = 0;
  return Status::Ok();
}

SieveStats RocksDbSieve::stats() const {
  MutexLock lock(mu_);
  SieveStats stats = stats_;
  stats.known = state_.known;
  stats.waiting = pending_keys_;
  stats.untaken = state_.queued - taken_;
  stats.written_bytes = fs_.written_bytes();
  stats.disk_bytes = db_->DiskBytes();
  stats.memory_bytes = db_->MemoryBytes() + pending_.capacity();
  return stats;
}

}  // namespace

Result<std::unique_ptr<Sieve>> OpenRocksDbSieve(const std::string& folder,
                                                const RocksDbSieveOptions& options) {
  auto sieve = std::make_unique<RocksDbSieve>(folder, options);
  CRV_TRY(sieve->Recover(options.memory_bytes));
  return std::unique_ptr<Sieve>(std::move(sieve));
}

}  // namespace crivello::sieve
