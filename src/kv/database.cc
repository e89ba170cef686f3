// SPDX-License-Identifier: Apache-2.0
#include "kv/database.h"

#include <fmt/format.h>
#include <rocksdb/comparator.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/mapped_file.h"
#include "base/mutex.h"
#include "kv/open_rocksdb.h"
#include "kv/rocksdb_files.h"

namespace crivello::kv {
namespace {

// Allows a Batch to be filled without knowing its database: a batch asks the handle of a family only for its
// number and key order.
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

// In the family "default", which contains nothing else.
const rocksdb::Slice kSequenceKey = "sequence";

// Some of RocksDB's file names start with a slash.
std::string_view NameOf(std::string_view name) { return name.substr(name.find_first_not_of('/')); }

Result<uint64_t> ReadSequence(const OpenDatabase& open, const std::string& path) {
  std::string value;
  const rocksdb::Status status = open.db->Get(rocksdb::ReadOptions(), open.handles[0], kSequenceKey, &value);
  if (status.IsNotFound()) return uint64_t{0};
  CRV_TRY(FromRocksDb(status, path));
  uint64_t sequence = 0;
  if (value.size() != sizeof sequence) {
    return Status::Corruption(
        fmt::format("database {}: a sequence number of {} bytes, expected 8", path, value.size()));
  }
  std::memcpy(&sequence, value.data(), sizeof sequence);
  return sequence;
}

// When RocksDB 7.8 replays a log without any writes, it does not record that the log is obsolete, so each
// opening leaves one more until a family is flushed. So flush one: its only key, unchanged.
Status DropOldLogs(const OpenDatabase& open, const std::string& path) {
  constexpr int kMost = 2;  // the current one and the previous one
  int logs = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator file(path, error), end; !error && file != end;
       file.increment(error)) {
    if (file->path().extension() == ".log") logs++;
  }
  if (logs <= kMost) return Status::Ok();
  CRV_ASSIGN(const uint64_t sequence, ReadSequence(open, path));
  char bytes[sizeof sequence];
  std::memcpy(bytes, &sequence, sizeof sequence);
  CRV_TRY(FromRocksDb(
      open.db->Put(rocksdb::WriteOptions(), open.handles[0], kSequenceKey, ToSlice({bytes, sizeof bytes})),
      path));
  return FromRocksDb(open.db->Flush(rocksdb::FlushOptions(), open.handles[0]), path);
}

}  // namespace

struct Batch::State {
  rocksdb::WriteBatch batch;
};

Batch::Batch() : state_(std::make_unique<State>()) {}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

// A batch rejects only keys of 4 GiB, which is a bug of ours and not a runtime error.
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
uint64_t Batch::capacity_bytes() const { return state_->batch.Data().capacity(); }
void Batch::Reserve(uint64_t bytes) {
  if (empty() && capacity_bytes() < bytes) state_->batch = rocksdb::WriteBatch(bytes);
}

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

struct Database::State {
  State(std::string at, DatabaseOptions with) : path(std::move(at)), options(std::move(with)) {}

  const std::string path;
  const DatabaseOptions options;
  mutable Mutex mu;
  std::shared_ptr<OpenDatabase> open CRV_GUARDED_BY(mu);  // null during Resume(), or after it failed
  Mutex sequence_mu;  // held by writes with sync, so that numbers increase in log order. Taken before mu.
  std::atomic<uint64_t> sequence = 0;

  Result<std::shared_ptr<const OpenDatabase>> Get() const {
    // For this thread. Otherwise RocksDB counts every key comparison, which nobody reads.
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
    MutexLock lock(mu);
    if (open == nullptr) return Closed();
    return std::shared_ptr<const OpenDatabase>(open);
  }
  Status OnlyRead() const {
    return Status::InvalidArgument("database " + path + ": it was opened for reading only");
  }
  Status Closed() const {
    return Status::Unavailable("database " + path + ": the database was closed after an earlier error");
  }
};

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::Open(const std::string& path, const DatabaseOptions& options) {
  CRV_ASSIGN(auto open, OpenRocksDb(path, options));
  if (!options.read_only) CRV_TRY(DropOldLogs(*open, path));
  auto state = std::make_unique<State>(path, options);
  CRV_ASSIGN(state->sequence, ReadSequence(*open, path));
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
      return Status::Unavailable("database " + state_->path +
                                 ": cannot close: calls or cursors are still in use");
    }
    old = std::move(state_->open);
  }
  old.reset();
  CRV_ASSIGN(auto open, OpenRocksDb(state_->path, state_->options));
  CRV_ASSIGN(state_->sequence, ReadSequence(*open, state_->path));
  MutexLock lock(state_->mu);
  state_->open = std::move(open);
  return Status::Ok();
}

Status Database::Write(Batch& batch, WriteOptions options) {
  rocksdb::WriteBatch& writes = batch.state_->batch;
  rocksdb::WriteOptions write;
  write.sync = options.sync;
  if (read_only()) return state_->OnlyRead();
  if (!options.sync) {
    CRV_ASSIGN(const auto open, state_->Get());
    return FromRocksDb(open->db->Write(write, &writes), state_->path);
  }
  MutexLock lock(state_->sequence_mu);
  CRV_ASSIGN(const auto open, state_->Get());
  const uint64_t number = state_->sequence + 1;
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  writes.SetSavePoint();
  [[maybe_unused]] auto numbered = writes.Put(open->handles[0], kSequenceKey, ToSlice({bytes, sizeof bytes}));
  assert(numbered.ok());
  const rocksdb::Status status = open->db->Write(write, &writes);
  [[maybe_unused]] auto unnumbered = writes.RollbackToSavePoint();
  assert(unnumbered.ok());
  if (status.ok()) state_->sequence = number;
  return FromRocksDb(status, state_->path);
}

uint64_t Database::sequence() const { return state_->sequence; }
bool Database::read_only() const { return state_->options.read_only; }

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
  struct DeletionsGoOn {
    rocksdb::DB* db = nullptr;
    ~DeletionsGoOn() {
      if (db != nullptr) db->EnableFileDeletions(/*force=*/false).PermitUncheckedError();
    }
  } deletions_go_on;
  if (!read_only()) {  // otherwise nobody deletes files
    CRV_TRY(FromRocksDb(open->db->DisableFileDeletions(), state_->path));
    deletions_go_on.db = open->db.get();
  }
  std::vector<rocksdb::ColumnFamilyMetaData> families;
  open->db->GetAllColumnFamilyMetaData(&families);
  struct File {
    std::string path;
    uint64_t bytes = 0;
    bool table = true;  // otherwise a blob file
  };
  std::vector<File> files;
  uint64_t total = 0;
  for (const rocksdb::ColumnFamilyMetaData& family : families) {
    for (const rocksdb::LevelMetaData& level : family.levels) {
      for (const rocksdb::SstFileMetaData& file : level.files) {
        files.push_back(
            {fmt::format("{}/{}", state_->path, NameOf(file.relative_filename)), file.size, true});
      }
    }
    for (const rocksdb::BlobMetaData& file : family.blob_files) {
      files.push_back(
          {fmt::format("{}/{}", state_->path, NameOf(file.blob_file_name)), file.blob_file_size, false});
    }
  }
  for (const File& file : files) total += file.bytes;
  progress.Start("reading the database", total);
  for (const File& file : files) {
    if (file.table) {
      rocksdb::Options options(open->db->GetDBOptions(), open->db->GetOptions());
      rocksdb::SstFileReader reader(options);
      rocksdb::Status status = reader.Open(file.path);
      if (status.ok()) status = reader.VerifyChecksum();
      if (!status.ok()) note(fmt::format("{}: {}", file.path, status.ToString()));
    } else {
      const Result<MappedFile> mapped = MappedFile::Open(file.path, AccessPattern::kSequential);
      if (mapped.status().code() == StatusCode::kNotFound) {
        note(file.path + ": is missing");
      } else {
        CRV_TRY(mapped.status());
        CheckBlobFile(file.path, AsText(mapped->bytes()), note);
      }
    }
    progress.Advance(file.bytes);
  }
  progress.Finish();
  return Status::Ok();
}

Status Database::Purge(std::span<const Family> families) {
  if (read_only()) return state_->OnlyRead();
  CRV_ASSIGN(const auto open, state_->Get());
  // All families: a log is deleted once no family has data only in memory.
  CRV_TRY(FromRocksDb(open->db->Flush(rocksdb::FlushOptions(), open->handles), state_->path));
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  // A blob file is deleted when all its blobs are dead, so move all live ones.
  options.blob_garbage_collection_policy = rocksdb::BlobGarbageCollectionPolicy::kForce;
  options.blob_garbage_collection_age_cutoff = 1;
  for (const Family family : families) {
    CRV_TRY(
        FromRocksDb(open->db->CompactRange(options, open->Handle(family), nullptr, nullptr), state_->path));
  }
  return Status::Ok();
}

Status Database::Checkpoint(const std::string& path) const {
  if (read_only()) return state_->OnlyRead();
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
    std::error_code gone;  // files appear and disappear meanwhile
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
