// SPDX-License-Identifier: Apache-2.0
#include "kv/open_rocksdb.h"

#include <fmt/format.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <cstdarg>
#include <cstring>
#include <deque>
#include <filesystem>
#include <limits>
#include <system_error>

#include "base/folder.h"
#include "kv/rocksdb_files.h"

namespace crivello::kv {
namespace {

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

// RocksDB's own recovery from an error keeps a log whose write failed if nothing was in memory, and the next
// write to it aborts the program (an assertion, which Debian's build enables; seen in 7.8.3). So it is
// disabled, and Resume() reopens the database.
class NoRecovery final : public rocksdb::EventListener {
 public:
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status, bool* auto_recovery) override {
    *auto_recovery = false;
  }
};

// RocksDB writes a text log beside the data, which it must not do for a read-only database.
class NoTextLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char* /*format*/, va_list /*arguments*/) override {}
};

// The share of memory_bytes that memtables may use before they are flushed; the rest is cache.
constexpr uint64_t kWriteBufferShare = 3;

std::shared_ptr<rocksdb::Cache> MakeCache(uint64_t bytes) {
  rocksdb::LRUCacheOptions cache;
  cache.capacity = bytes;
  cache.num_shard_bits = 2;  // a shard must have room for many of the largest blocks, even in a small cache
  return rocksdb::NewLRUCache(cache);
}

rocksdb::DBOptions MakeDbOptions(const DatabaseOptions& options, const OpenDatabase& open) {
  rocksdb::DBOptions db;
  db.env = open.env.get();
  db.create_if_missing = options.create_if_missing;
  db.create_missing_column_families = true;
  db.max_open_files = 512;
  db.max_background_jobs = 2;
  const uint64_t write_buffers = options.memory_bytes / kWriteBufferShare;
  db.write_buffer_manager = open.write_buffers;
  db.max_total_wal_size = std::max<uint64_t>(4 * write_buffers, 16 << 20);  // bounds the replay
  db.bytes_per_sync = 1 << 20;  // avoids a burst of writes at the end of a file
  // A log that was closed and synced must exist when the database is opened.
  db.track_and_verify_wals_in_manifest = true;
  db.max_bgerror_resume_count = 0;
  db.listeners = {std::make_shared<NoRecovery>()};
  db.info_log_level = rocksdb::WARN_LEVEL;
  db.max_log_file_size = 1 << 20;
  db.keep_log_file_num = 2;
  db.stats_dump_period_sec = 0;
  db.stats_persist_period_sec = 0;
  db.skip_stats_update_on_db_open = true;
  if (options.read_only) db.info_log = std::make_shared<NoTextLog>();
  return db;
}

rocksdb::ColumnFamilyOptions MakeFamilyOptions(const FamilyOptions& family, uint64_t memory_bytes,
                                               const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = 16 << 10;
  table.format_version = 5;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  // Indexes and filters grow with the data, so they live in the cache, in partitions, not outside it.
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
  // Each family allocates such a block with its first key. With a small budget and many families, blocks of
  // the default size would exhaust it, and everything would be flushed all the time.
  cf.arena_block_size = std::clamp<uint64_t>(cf.write_buffer_size / 64, 16 << 10, 1 << 20);
  cf.max_write_buffer_number = 3;
  cf.target_file_size_base = std::max<uint64_t>(cf.write_buffer_size, 8 << 20);
  cf.max_bytes_for_level_base = 4 * cf.target_file_size_base;
  cf.level_compaction_dynamic_level_bytes = true;
  // Most requested keys are not in memory: a filter is faster at that than the skip list.
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
    // ZSTD at RocksDB's default level would cost a crawl more than everything else that it does to the
    // database.
    cf.blob_compression_type = rocksdb::kLZ4Compression;
    cf.blob_file_size = 64 << 20;
    // A compaction moves the live blobs of the oldest files, this share of them. Blobs are rarely deleted,
    // and a larger share would rewrite most of them again and again.
    cf.enable_blob_garbage_collection = true;
    cf.blob_garbage_collection_age_cutoff = 0.05;
  }
  return cf;
}

// Families keep their numbers for life, so the existing ones must be a prefix of the requested ones. Returns
// how many exist.
Result<size_t> CheckFamilies(const std::string& path, const rocksdb::DBOptions& db,
                             const DatabaseOptions& options) {
  const std::vector<FamilyOptions>& families = options.families;
  std::vector<std::string> present;
  CRV_TRY(FromRocksDb(rocksdb::DB::ListColumnFamilies(db, path, &present), path));
  for (size_t i = kFirstFamilyId; i < present.size(); i++) {
    const size_t family = i - kFirstFamilyId;
    const std::string asked = family < families.size() ? families[family].name : "none";
    if (present[i] != asked) {
      return Status::InvalidArgument(fmt::format("database {}: column family {} is {}, but {} was requested",
                                                 path, family, present[i], asked));
    }
  }
  // Opening for writing creates missing ones, which a newer program may have added.
  const size_t known = present.size() - std::min<size_t>(present.size(), kFirstFamilyId);
  if (options.read_only && known < families.size()) {
    return Status::Corruption(
        fmt::format("database {}: column family {} is missing: its MANIFEST was truncated, or it is of an "
                    "earlier version of the program; in the second case, a command that writes adds it",
                    path, families[known].name));
  }
  return known;
}

}  // namespace

struct MemoryPool::State {
  explicit State(uint64_t bytes)
      : cache(MakeCache(bytes)),
        write_buffers(std::make_shared<rocksdb::WriteBufferManager>(bytes / kWriteBufferShare, cache)) {}
  const std::shared_ptr<rocksdb::Cache> cache;
  const std::shared_ptr<rocksdb::WriteBufferManager> write_buffers;
};

MemoryPool::MemoryPool(uint64_t bytes) : bytes_(bytes), state_(std::make_unique<State>(bytes)) {}
MemoryPool::~MemoryPool() = default;

void OpenDatabase::TakeMemory(const DatabaseOptions& options) {
  const MemoryPool::State own(options.pool == nullptr ? options.memory_bytes : 0);
  const MemoryPool::State& memory = options.pool == nullptr ? own : *options.pool->state_;
  cache = memory.cache;
  write_buffers = memory.write_buffers;
}

Status FromRocksDb(const rocksdb::Status& status) {
  if (status.ok()) return Status::Ok();
  std::string text = status.ToString();
  if (status.IsNotFound()) return Status::NotFound(std::move(text));
  // Not a missing key, but a missing file.
  if (status.IsPathNotFound()) return Status::Corruption(std::move(text));
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

Result<std::shared_ptr<OpenDatabase>> OpenRocksDb(const std::string& path, const DatabaseOptions& options) {
  auto open = std::make_shared<OpenDatabase>();
  open->env = rocksdb::NewCompositeEnv(MakeRocksDbFiles(options.fs, &open->lock_failed, &open->witness));
  open->TakeMemory(options);

  const rocksdb::DBOptions db_options = MakeDbOptions(options, *open);
  std::error_code error;
  size_t present = 0;  // number of existing families
  if (std::filesystem::exists(path + "/CURRENT", error)) {
    CRV_TRY(ManifestWitness::Check(path).WithContext("database " + path));
    CRV_ASSIGN(present, CheckFamilies(path, db_options, options));
  } else if (!options.create_if_missing || options.read_only) {
    return Status::NotFound("database " + path + ": the database does not exist");
  } else {
    CRV_TRY(MakeFolders(path));
    // RocksDB would create a new database from the remains of an old one.
    for (const auto& file : std::filesystem::directory_iterator(path, error)) {
      if (file.path().extension() == ".sst" || file.path().extension() == ".blob") {
        return Status::Corruption(
            "database " + path +
            ": incomplete: it has tables but the file CURRENT is missing; restore it from a backup");
      }
    }
  }

  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  descriptors.emplace_back(rocksdb::kDefaultColumnFamilyName,
                           MakeFamilyOptions({}, options.memory_bytes, open->cache));
  for (const FamilyOptions& family : options.families) {
    descriptors.emplace_back(family.name, MakeFamilyOptions(family, options.memory_bytes, open->cache));
  }
  // RocksDB writes and rereads all options for each family created by opening, but only once for families
  // created together. For 64 new databases that is half of the time.
  const auto first_missing =
      descriptors.begin() + static_cast<ptrdiff_t>(std::min(kFirstFamilyId + present, descriptors.size()));
  std::vector<rocksdb::ColumnFamilyDescriptor> to_make(first_missing, descriptors.end());
  descriptors.erase(first_missing, descriptors.end());
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      options.read_only ? rocksdb::DB::OpenForReadOnly(db_options, path, descriptors, &open->handles, &db)
                        : rocksdb::DB::Open(db_options, path, descriptors, &open->handles, &db);
  if (open->lock_failed) {
    return Status::Unavailable("database " + path + ": already open, in this process or in another (" +
                               status.ToString() + ")");
  }
  CRV_TRY(FromRocksDb(status, path));
  open->db.reset(db);
  if (!to_make.empty()) {
    std::vector<rocksdb::ColumnFamilyHandle*> made;
    const rocksdb::Status status_of_made = db->CreateColumnFamilies(to_make, &made);
    open->handles.insert(open->handles.end(), made.begin(), made.end());
    CRV_TRY(FromRocksDb(status_of_made, path));
  }
  for (size_t i = 0; i < open->handles.size(); i++) {
    if (open->handles[i]->GetID() != i) {
      return Status::Corruption(fmt::format("database {}: column family {} has number {}, expected {}", path,
                                            open->handles[i]->GetName(), open->handles[i]->GetID(), i));
    }
  }
  return open;
}

}  // namespace crivello::kv
