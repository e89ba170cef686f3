// SPDX-License-Identifier: Apache-2.0
#include "kv/database.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/comparator.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/write_batch.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <deque>
#include <filesystem>
#include <limits>
#include <system_error>

#include "base/folder.h"
#include "base/mapped_file.h"
#include "base/mutex.h"
#include "kv/rocksdb_files.h"

namespace crivello::kv {
namespace {

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

Status FromRocksDb(const rocksdb::Status& status) {
  if (status.ok()) return Status::Ok();
  std::string text = status.ToString();
  if (status.IsNotFound()) return Status::NotFound(std::move(text));
  if (status.IsCorruption()) return Status::Corruption(std::move(text));
  if (status.IsInvalidArgument() || status.IsNotSupported()) return Status::InvalidArgument(std::move(text));
  if (status.IsBusy() || status.IsTimedOut() || status.IsTryAgain() || status.IsIncomplete() ||
      status.IsShutdownInProgress() || status.IsAborted()) {
    return Status::Unavailable(std::move(text));
  }
  return Status::IoError(std::move(text));
}

Status FromRocksDb(const rocksdb::Status& status, const std::string& path) {
  if (status.ok()) return Status::Ok();
  return FromRocksDb(status).WithContext("database " + path);
}

// A family's number in RocksDB is its place in DatabaseOptions, plus one for the "default" that RocksDB
// insists on.  So a Batch can be filled before it knows its database: to name a family a batch asks its
// handle for the number and the order of keys, and for nothing else.
constexpr uint32_t kFirstFamilyId = 1;

class FamilyNumber final : public rocksdb::ColumnFamilyHandle {
 public:
  explicit FamilyNumber(Family family) : id_(family + kFirstFamilyId) {}
  const std::string& GetName() const override { return name_; }
  uint32_t GetID() const override { return id_; }
  rocksdb::Status GetDescriptor(rocksdb::ColumnFamilyDescriptor*) override {
    return rocksdb::Status::NotSupported();
  }
  const rocksdb::Comparator* GetComparator() const override { return rocksdb::BytewiseComparator(); }

 private:
  const uint32_t id_;
  const std::string name_;
};

class Sum final : public rocksdb::AssociativeMergeOperator {
 public:
  const char* Name() const override { return "crivello.sum"; }
  bool Merge(const rocksdb::Slice&, const rocksdb::Slice* existing, const rocksdb::Slice& delta,
             std::string* result, rocksdb::Logger*) const override {
    uint64_t sum = 0;
    for (const rocksdb::Slice* part : {existing, &delta}) {
      if (part == nullptr) continue;
      uint64_t number = 0;
      if (part->size() != sizeof number) return false;  // RocksDB reports Corruption
      std::memcpy(&number, part->data(), sizeof number);
      sum += number;
    }
    result->assign(reinterpret_cast<const char*>(&sum), sizeof sum);
    return true;
  }
};

class Concatenation final : public rocksdb::MergeOperator {
 public:
  const char* Name() const override { return "crivello.append"; }
  bool FullMergeV2(const MergeOperationInput& in, MergeOperationOutput* out) const override {
    if (in.existing_value == nullptr && in.operand_list.size() == 1) {
      out->existing_operand = in.operand_list[0];
      return true;
    }
    std::string& value = out->new_value;
    size_t size = in.existing_value == nullptr ? 0 : in.existing_value->size();
    for (const rocksdb::Slice& part : in.operand_list) size += part.size();
    value.clear();
    value.reserve(size);
    if (in.existing_value != nullptr) value.append(ToView(*in.existing_value));
    for (const rocksdb::Slice& part : in.operand_list) value.append(ToView(part));
    return true;
  }
  bool PartialMergeMulti(const rocksdb::Slice&, const std::deque<rocksdb::Slice>& parts, std::string* value,
                         rocksdb::Logger*) const override {
    value->clear();
    for (const rocksdb::Slice& part : parts) value->append(ToView(part));
    return true;
  }
};

}  // namespace

struct Batch::State {
  rocksdb::WriteBatch batch;
};

Batch::Batch() : state_(std::make_unique<State>()) {}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

// What a batch itself can refuse (keys of 4 GiB) is a broken promise of ours, not an outcome.
void Batch::Put(Family family, std::string_view key, std::string_view value) {
  FamilyNumber handle(family);
  [[maybe_unused]] const auto status = state_->batch.Put(&handle, ToSlice(key), ToSlice(value));
  assert(status.ok());
}

void Batch::Delete(Family family, std::string_view key) {
  FamilyNumber handle(family);
  [[maybe_unused]] const auto status = state_->batch.Delete(&handle, ToSlice(key));
  assert(status.ok());
}

void Batch::DeleteRange(Family family, std::string_view begin, std::string_view end) {
  FamilyNumber handle(family);
  [[maybe_unused]] const auto status = state_->batch.DeleteRange(&handle, ToSlice(begin), ToSlice(end));
  assert(status.ok());
}

void Batch::Add(Family family, std::string_view key, uint64_t delta) {
  FamilyNumber handle(family);
  char bytes[sizeof delta];
  std::memcpy(bytes, &delta, sizeof delta);
  [[maybe_unused]] const auto status =
      state_->batch.Merge(&handle, ToSlice(key), ToSlice({bytes, sizeof bytes}));
  assert(status.ok());
}

void Batch::Append(Family family, std::string_view key, std::string_view bytes) {
  FamilyNumber handle(family);
  [[maybe_unused]] const auto status = state_->batch.Merge(&handle, ToSlice(key), ToSlice(bytes));
  assert(status.ok());
}

void Batch::Clear() { state_->batch.Clear(); }
bool Batch::empty() const { return state_->batch.Count() == 0; }
uint64_t Batch::size_bytes() const { return state_->batch.GetDataSize(); }
void Batch::Reserve(uint64_t bytes) {
  if (empty()) state_->batch = rocksdb::WriteBatch(bytes);
}

namespace {

// RocksDB's own recovery from an error leaves the log in which a write failed in place if nothing was in
// memory, and the next write to it ends the program (an assertion, and Debian builds RocksDB with them;
// seen in 7.8.3).  So it never starts, and Resume() opens the database anew.
class NoRecovery final : public rocksdb::EventListener {
 public:
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status, bool* auto_recovery) override {
    *auto_recovery = false;
  }
};

// An open RocksDB; each call holds it while it lasts, each cursor for its life.
struct OpenDatabase {
  std::atomic<bool> lock_failed = false;
  std::unique_ptr<rocksdb::Env> env;
  std::shared_ptr<rocksdb::Cache> cache;
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;  // of the default family, then of ours

  ~OpenDatabase() {
    if (db == nullptr) return;
    for (rocksdb::ColumnFamilyHandle* handle : handles) {
      db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
    }
    db->Close().PermitUncheckedError();  // what was acknowledged is in the log: nothing can be lost here
  }
  rocksdb::ColumnFamilyHandle* Handle(Family family) const {
    assert(family + kFirstFamilyId < handles.size());
    return handles[family + kFirstFamilyId];
  }
};

}  // namespace

struct Cursor::State {
  std::shared_ptr<const OpenDatabase> open;
  std::string end;
  rocksdb::Slice end_slice;  // of `end`; RocksDB keeps a pointer to it
  std::unique_ptr<rocksdb::Iterator> iterator;
  Status status;  // if there is no iterator
};

Cursor::Cursor(std::unique_ptr<State> state) : state_(std::move(state)) {}
Cursor::~Cursor() = default;
Cursor::Cursor(Cursor&&) noexcept = default;
Cursor& Cursor::operator=(Cursor&&) noexcept = default;

bool Cursor::valid() const { return state_->iterator != nullptr && state_->iterator->Valid(); }
std::string_view Cursor::key() const { return ToView(state_->iterator->key()); }
std::string_view Cursor::value() const { return ToView(state_->iterator->value()); }
void Cursor::Next() { state_->iterator->Next(); }
void Cursor::SeekTo(std::string_view key) {
  if (state_->iterator != nullptr) state_->iterator->Seek(ToSlice(key));
}
Status Cursor::status() const {
  return state_->iterator == nullptr ? state_->status : FromRocksDb(state_->iterator->status());
}

namespace {

// Of memory_bytes, what memtables may take before they are written out; the rest is cache.
constexpr uint64_t kWriteBufferShare = 3;

rocksdb::DBOptions MakeDbOptions(const DatabaseOptions& options, rocksdb::Env* env,
                                 const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::DBOptions db;
  db.env = env;
  db.create_if_missing = options.create_if_missing;
  db.create_missing_column_families = true;
  db.max_open_files = 512;
  db.max_background_jobs = 2;
  const uint64_t write_buffers = options.memory_bytes / kWriteBufferShare;
  db.write_buffer_manager = std::make_shared<rocksdb::WriteBufferManager>(write_buffers, cache);
  db.max_total_wal_size = std::max<uint64_t>(4 * write_buffers, 16 << 20);  // bounds what opening replays
  db.bytes_per_sync = 1 << 20;  // no burst of writes at the end of a file
  // A log that was closed and synced must be there when the database is opened.
  db.track_and_verify_wals_in_manifest = true;
  db.max_bgerror_resume_count = 0;
  db.listeners = {std::make_shared<NoRecovery>()};
  db.info_log_level = rocksdb::WARN_LEVEL;
  db.max_log_file_size = 1 << 20;
  db.keep_log_file_num = 2;
  db.stats_dump_period_sec = 0;
  db.stats_persist_period_sec = 0;
  db.skip_stats_update_on_db_open = true;
  return db;
}

rocksdb::ColumnFamilyOptions MakeFamilyOptions(const FamilyOptions& family, uint64_t memory_bytes,
                                               const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = 16 << 10;
  table.format_version = 5;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  // Indexes and filters grow with the data: they live in the cache, in pieces, and not beside it.
  table.cache_index_and_filter_blocks = true;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  table.metadata_block_size = 4096;
  for (const auto role :
       {rocksdb::CacheEntryRole::kFilterConstruction, rocksdb::CacheEntryRole::kBlockBasedTableReader,
        rocksdb::CacheEntryRole::kFileMetadata}) {
    table.cache_usage_options.options_overrides[role].charged =
        rocksdb::CacheEntryRoleOptions::Decision::kEnabled;
  }

  rocksdb::ColumnFamilyOptions cf;
  cf.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  cf.write_buffer_size = std::clamp<uint64_t>(memory_bytes / kWriteBufferShare / 2, 1 << 20, 64 << 20);
  // Each family takes such a piece with its first key: with a small budget and many families, pieces of the
  // default size alone would fill it, and everything would be written out all the time.
  cf.arena_block_size = std::clamp<uint64_t>(cf.write_buffer_size / 64, 16 << 10, 1 << 20);
  cf.max_write_buffer_number = 3;
  cf.target_file_size_base = std::max<uint64_t>(cf.write_buffer_size, 8 << 20);
  cf.max_bytes_for_level_base = 4 * cf.target_file_size_base;
  cf.level_compaction_dynamic_level_bytes = true;
  // Most keys that are asked for are not in memory: a filter says so sooner than the skip list.
  cf.memtable_prefix_bloom_size_ratio = 0.02;
  cf.memtable_whole_key_filtering = true;
  cf.compression = rocksdb::kLZ4Compression;
  cf.bottommost_compression = family.rewritten ? rocksdb::kLZ4Compression : rocksdb::kZSTD;
  if (family.short_lived) {
    cf.compression = cf.bottommost_compression = rocksdb::kNoCompression;
    cf.level0_file_num_compaction_trigger = 12;
  }
  cf.optimize_filters_for_hits = family.point_lookups_hit;
  assert(!family.counters || !family.appends);
  if (family.counters) cf.merge_operator = std::make_shared<Sum>();
  if (family.appends) cf.merge_operator = std::make_shared<Concatenation>();
  if (family.blobs) {
    cf.enable_blob_files = true;
    cf.min_blob_size = 1 << 10;
    // ZSTD, at the level that RocksDB gives it, costs a crawl more than all else that it does to the
    // database.
    cf.blob_compression_type = rocksdb::kLZ4Compression;
    cf.blob_file_size = 64 << 20;
    // A compaction moves what is alive in the oldest files, this part of them: blobs are seldom deleted, and
    // a larger part would write most of them again and again.
    cf.enable_blob_garbage_collection = true;
    cf.blob_garbage_collection_age_cutoff = 0.05;
  }
  return cf;
}

// Families keep their numbers for life: what is there must be the beginning of what is asked for.
Status CheckFamilies(const std::string& path, const rocksdb::DBOptions& db,
                     const std::vector<FamilyOptions>& families) {
  std::vector<std::string> present;
  CRV_TRY(FromRocksDb(rocksdb::DB::ListColumnFamilies(db, path, &present), path));
  for (size_t i = kFirstFamilyId; i < present.size(); i++) {
    const size_t family = i - kFirstFamilyId;
    const std::string asked = family < families.size() ? families[family].name : "none";
    if (present[i] != asked) {
      return Status::InvalidArgument(
          fmt::format("database {}: family {} is {}, asked for as {}", path, family, present[i], asked));
    }
  }
  return Status::Ok();
}

Result<std::shared_ptr<OpenDatabase>> OpenRocksDb(const std::string& path, const DatabaseOptions& options) {
  auto open = std::make_shared<OpenDatabase>();
  open->env = rocksdb::NewCompositeEnv(MakeRocksDbFiles(options.fs, &open->lock_failed));
  rocksdb::LRUCacheOptions cache;
  cache.capacity = options.memory_bytes;
  cache.num_shard_bits = 2;  // a shard must hold the largest blocks many times, also in a small cache
  open->cache = rocksdb::NewLRUCache(cache);

  const rocksdb::DBOptions db_options = MakeDbOptions(options, open->env.get(), open->cache);
  std::error_code error;
  if (std::filesystem::exists(path + "/CURRENT", error)) {
    CRV_TRY(CheckFamilies(path, db_options, options.families));
  } else if (!options.create_if_missing) {
    return Status::NotFound("database " + path + ": not there");
  } else {
    CRV_TRY(MakeFolders(path));
    // RocksDB would make a new database of what is left of one.
    for (const auto& file : std::filesystem::directory_iterator(path, error)) {
      if (file.path().extension() == ".sst" || file.path().extension() == ".blob") {
        return Status::Corruption("database " + path + ": has tables, and CURRENT is missing");
      }
    }
  }

  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  descriptors.emplace_back(rocksdb::kDefaultColumnFamilyName,
                           MakeFamilyOptions({}, options.memory_bytes, open->cache));
  for (const FamilyOptions& family : options.families) {
    descriptors.emplace_back(family.name, MakeFamilyOptions(family, options.memory_bytes, open->cache));
  }
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(db_options, path, descriptors, &open->handles, &db);
  if (open->lock_failed) {
    return Status::Unavailable("database " + path + ": open elsewhere, in this process or in another (" +
                               status.ToString() + ")");
  }
  CRV_TRY(FromRocksDb(status, path));
  open->db.reset(db);
  for (size_t i = 0; i < open->handles.size(); i++) {
    if (open->handles[i]->GetID() != i) {
      return Status::Corruption(fmt::format("database {}: family {} has number {}, expected {}", path,
                                            open->handles[i]->GetName(), open->handles[i]->GetID(), i));
    }
  }
  return open;
}

}  // namespace

struct Database::State {
  State(std::string at, DatabaseOptions with) : path(std::move(at)), options(std::move(with)) {}

  const std::string path;
  const DatabaseOptions options;
  mutable Mutex mu;
  std::shared_ptr<OpenDatabase> open CRV_GUARDED_BY(mu);  // null while or after Resume() failed

  Result<std::shared_ptr<const OpenDatabase>> Get() const {
    MutexLock lock(mu);
    if (open == nullptr) return Closed();
    return std::shared_ptr<const OpenDatabase>(open);
  }
  Status Closed() const { return Status::Unavailable("database " + path + ": closed after an error"); }
};

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::Open(const std::string& path, const DatabaseOptions& options) {
  CRV_ASSIGN(auto open, OpenRocksDb(path, options));
  auto state = std::make_unique<State>(path, options);
  {
    MutexLock lock(state->mu);
    state->open = std::move(open);
  }
  return std::unique_ptr<Database>(new Database(std::move(state)));
}

Status Database::Resume() {
  std::shared_ptr<OpenDatabase> old;
  {
    MutexLock lock(state_->mu);
    if (state_->open.use_count() > 1) {
      return Status::Unavailable("database " + state_->path + ": calls or cursors are under way");
    }
    old = std::move(state_->open);
  }
  old.reset();
  CRV_ASSIGN(auto open, OpenRocksDb(state_->path, state_->options));
  MutexLock lock(state_->mu);
  state_->open = std::move(open);
  return Status::Ok();
}

Status Database::Write(Batch& batch, WriteOptions options) {
  CRV_ASSIGN(const auto open, state_->Get());
  rocksdb::WriteOptions write;
  write.sync = options.sync;
  return FromRocksDb(open->db->Write(write, &batch.state_->batch), state_->path);
}

Result<std::optional<std::string>> Database::Get(Family family, std::string_view key) const {
  CRV_ASSIGN(const auto open, state_->Get());
  rocksdb::PinnableSlice value;
  const rocksdb::Status status =
      open->db->Get(rocksdb::ReadOptions(), open->Handle(family), ToSlice(key), &value);
  if (status.IsNotFound()) return std::optional<std::string>();
  CRV_TRY(FromRocksDb(status, state_->path));
  return std::optional<std::string>(ToView(value));
}

Result<std::vector<std::optional<std::string>>> Database::Get(Family family,
                                                              std::span<const std::string_view> keys) const {
  CRV_ASSIGN(const auto open, state_->Get());
  std::vector<rocksdb::Slice> slices;
  slices.reserve(keys.size());
  for (const std::string_view key : keys) slices.push_back(ToSlice(key));
  std::vector<rocksdb::PinnableSlice> found(keys.size());
  std::vector<rocksdb::Status> statuses(keys.size());
  open->db->MultiGet(rocksdb::ReadOptions(), open->Handle(family), keys.size(), slices.data(), found.data(),
                     statuses.data());
  std::vector<std::optional<std::string>> values(keys.size());
  for (size_t i = 0; i < keys.size(); i++) {
    if (statuses[i].IsNotFound()) continue;
    CRV_TRY(FromRocksDb(statuses[i], state_->path));
    values[i] = ToView(found[i]);
  }
  return values;
}

Result<std::optional<std::string>> Database::LastKey(Family family) const {
  CRV_ASSIGN(const auto open, state_->Get());
  const std::unique_ptr<rocksdb::Iterator> iterator(
      open->db->NewIterator(rocksdb::ReadOptions(), open->Handle(family)));
  iterator->SeekToLast();
  CRV_TRY(FromRocksDb(iterator->status(), state_->path));
  if (!iterator->Valid()) return std::optional<std::string>();
  return std::optional<std::string>(iterator->key().ToString());
}

Cursor Database::Scan(Family family, std::string_view begin, std::string_view end) const {
  auto cursor = std::make_unique<Cursor::State>();
  auto open = state_->Get();
  if (!open.ok()) {
    cursor->status = open.status();
    return Cursor(std::move(cursor));
  }
  cursor->open = *open;
  rocksdb::ReadOptions read;
  if (!end.empty()) {
    cursor->end = end;
    cursor->end_slice = ToSlice(cursor->end);
    read.iterate_upper_bound = &cursor->end_slice;
  }
  cursor->iterator.reset(cursor->open->db->NewIterator(read, cursor->open->Handle(family)));
  cursor->iterator->Seek(ToSlice(begin));
  return Cursor(std::move(cursor));
}

Status Database::CheckFiles(const NoteDamage& note, Progress& progress) const {
  CRV_ASSIGN(const auto open, state_->Get());
  CRV_TRY(FromRocksDb(open->db->DisableFileDeletions(), state_->path));
  struct DeletionsGoOn {
    rocksdb::DB& db;
    ~DeletionsGoOn() { db.EnableFileDeletions(/*force=*/false).PermitUncheckedError(); }
  } const deletions_go_on{*open->db};
  std::vector<rocksdb::LiveFileStorageInfo> files;
  rocksdb::LiveFilesStorageInfoOptions live;
  live.wal_size_for_flush = std::numeric_limits<uint64_t>::max();
  CRV_TRY(FromRocksDb(open->db->GetLiveFilesStorageInfo(live, &files), state_->path));
  uint64_t total = 0;
  for (const auto& file : files) total += file.size;
  progress.Start("reading the database", total);
  for (const auto& file : files) {
    const std::string path = file.directory + "/" + file.relative_filename;
    if (file.file_type == rocksdb::kTableFile) {
      rocksdb::Options options(open->db->GetDBOptions(), open->db->GetOptions());
      rocksdb::SstFileReader reader(options);
      rocksdb::Status status = reader.Open(path);
      if (status.ok()) status = reader.VerifyChecksum();
      if (!status.ok()) note(fmt::format("{}: {}", path, status.ToString()));
    } else if (file.file_type == rocksdb::kBlobFile) {
      CRV_ASSIGN(const MappedFile mapped, MappedFile::Open(path, AccessPattern::kSequential));
      CheckBlobFile(path, AsText(mapped.bytes()), note);
    }
    progress.Advance(file.size);
  }
  progress.Finish();
  return Status::Ok();
}

Status Database::Purge(std::span<const Family> families) {
  CRV_ASSIGN(const auto open, state_->Get());
  // All families: a log goes when no family has anything in it that is only in memory.
  CRV_TRY(FromRocksDb(open->db->Flush(rocksdb::FlushOptions(), open->handles), state_->path));
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  // A blob file goes when none of its blobs is alive, so all of them move.
  options.blob_garbage_collection_policy = rocksdb::BlobGarbageCollectionPolicy::kForce;
  options.blob_garbage_collection_age_cutoff = 1;
  for (const Family family : families) {
    CRV_TRY(
        FromRocksDb(open->db->CompactRange(options, open->Handle(family), nullptr, nullptr), state_->path));
  }
  return Status::Ok();
}

Status Database::Checkpoint(const std::string& path) const {
  CRV_ASSIGN(const auto open, state_->Get());
  rocksdb::Checkpoint* made = nullptr;
  CRV_TRY(FromRocksDb(rocksdb::Checkpoint::Create(open->db.get(), &made), state_->path));
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  return FromRocksDb(checkpoint->CreateCheckpoint(path), path);
}

uint64_t Database::MemoryBytes() const {
  const auto open = state_->Get();
  return open.ok() ? (*open)->cache->GetUsage() : 0;
}

uint64_t Database::DiskBytes() const {
  uint64_t total = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator file(state_->path, error), end; !error && file != end;
       file.increment(error)) {
    std::error_code gone;  // files come and go meanwhile
    const uint64_t size = file->file_size(gone);
    if (!gone) total += size;
  }
  return total;
}

bool Database::Busy() const {
  const auto open = state_->Get();
  if (!open.ok()) return false;
  for (rocksdb::ColumnFamilyHandle* handle : (*open)->handles) {
    for (const std::string& property :
         {rocksdb::DB::Properties::kNumRunningFlushes, rocksdb::DB::Properties::kNumRunningCompactions,
          rocksdb::DB::Properties::kMemTableFlushPending, rocksdb::DB::Properties::kCompactionPending}) {
      uint64_t value = 0;
      if ((*open)->db->GetIntProperty(handle, property, &value) && value > 0) return true;
    }
  }
  return false;
}

}  // namespace crivello::kv
