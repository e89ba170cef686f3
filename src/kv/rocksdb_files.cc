// SPDX-License-Identifier: Apache-2.0
#include "kv/rocksdb_files.h"

#include <rocksdb/file_system.h>

#include <filesystem>
#include <utility>

namespace crivello::kv {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;
// Inside RocksDB's classes, FileSystem means RocksDB's own.
using OurFileSystem = FileSystem;

std::string FolderOf(const std::string& path) { return std::filesystem::path(path).parent_path(); }

IOStatus ToRocksDb(const Status& status) {
  if (status.ok()) return IOStatus::OK();
  if (status.code() == StatusCode::kNotFound) return IOStatus::PathNotFound(status.message());
  return IOStatus::IOError(status.message());
}

class WritableFile final : public rocksdb::FSWritableFile {
 public:
  WritableFile(const FileOptions& options, FileSystem& fs, std::string path, std::unique_ptr<AppendFile> file,
               uint64_t size)
      : FSWritableFile(options), fs_(fs), path_(std::move(path)), file_(std::move(file)), size_(size) {}

  using FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions&, IODebugContext*) override {
    const Status status = file_->Append(AsBytes({data.data(), data.size()}));
    if (status.ok()) size_ += data.size();
    return ToRocksDb(status);
  }
  IOStatus Truncate(uint64_t size, const IOOptions&, IODebugContext*) override {
    if (size == size_) return IOStatus::OK();  // requested at every close, for file systems that preallocate
    const Status status = fs_.Truncate(path_, size);
    if (status.ok()) size_ = size;
    return ToRocksDb(status);
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    file_.reset();
    return IOStatus::OK();
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return ToRocksDb(file_->Sync()); }
  uint64_t GetFileSize(const IOOptions&, IODebugContext*) override { return size_; }

 private:
  FileSystem& fs_;
  const std::string path_;
  std::unique_ptr<AppendFile> file_;
  uint64_t size_;
};

// A MANIFEST whose bytes are tracked until they are durable.
class WatchedManifest final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  WatchedManifest(std::unique_ptr<rocksdb::FSWritableFile> file, uint64_t number, ManifestWitness& witness)
      : FSWritableFileOwnerWrapper(std::move(file)), follower_(number, witness) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* dbg) override {
    return Follow(data, FSWritableFileOwnerWrapper::Append(data, options, dbg));
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo& info,
                  IODebugContext* dbg) override {
    return Follow(data, FSWritableFileOwnerWrapper::Append(data, options, info, dbg));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    return Synced(FSWritableFileOwnerWrapper::Sync(options, dbg));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return Synced(FSWritableFileOwnerWrapper::Fsync(options, dbg));
  }

 private:
  IOStatus Follow(const Slice& data, IOStatus status) {
    if (status.ok()) follower_.Appended(AsBytes({data.data(), data.size()}));
    return status;
  }
  IOStatus Synced(IOStatus status) {
    if (status.ok()) follower_.Synced();
    return status;
  }

  ManifestFollower follower_;
};

class Directory final : public rocksdb::FSDirectory {
 public:
  Directory(FileSystem& fs, std::string path) : fs_(fs), path_(std::move(path)) {}
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return ToRocksDb(fs_.SyncDirectory(path_)); }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }

 private:
  FileSystem& fs_;
  const std::string path_;
};

class Files final : public rocksdb::FileSystemWrapper {
 public:
  Files(OurFileSystem* changes, std::atomic<bool>* lock_failed, std::unique_ptr<ManifestWitness>* witness)
      : FileSystemWrapper(rocksdb::FileSystem::Default()),
        changes_(changes),
        lock_failed_(lock_failed),
        witness_(witness) {}

  const char* Name() const override { return "crivello"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext* dbg) override {
    IOStatus status = changes_ == nullptr ? FileSystemWrapper::NewWritableFile(path, options, result, dbg)
                                          : Open(path, {.truncate = true}, options, result);
    const uint64_t manifest = ManifestNumber(path);
    if (status.ok() && manifest != 0 && *witness_ != nullptr && (*witness_)->folder() == FolderOf(path)) {
      *result = std::make_unique<WatchedManifest>(std::move(*result), manifest, **witness_);
    }
    return status;
  }
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* result,
                              IODebugContext* dbg) override {
    if (changes_ == nullptr) return FileSystemWrapper::ReopenWritableFile(path, options, result, dbg);
    return Open(path, {.truncate = false}, options, result);
  }
  IOStatus ReuseWritableFile(const std::string& path, const std::string& old_path, const FileOptions& options,
                             std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext* dbg) override {
    if (changes_ == nullptr)
      return FileSystemWrapper::ReuseWritableFile(path, old_path, options, result, dbg);
    const Status renamed = changes_->Rename(old_path, path);
    return renamed.ok() ? Open(path, {.truncate = true}, options, result) : ToRocksDb(renamed);
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* result, IODebugContext* dbg) override {
    const IOStatus status = FileSystemWrapper::NewDirectory(path, options, result, dbg);
    if (status.ok() && changes_ != nullptr) *result = std::make_unique<Directory>(*changes_, path);
    return status;
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* dbg) override {
    if (changes_ == nullptr) return FileSystemWrapper::DeleteFile(path, options, dbg);
    return ToRocksDb(changes_->Remove(path));
  }
  IOStatus Truncate(const std::string& path, size_t size, const IOOptions& options,
                    IODebugContext* dbg) override {
    if (changes_ == nullptr) return FileSystemWrapper::Truncate(path, size, options, dbg);
    return ToRocksDb(changes_->Truncate(path, size));
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* dbg) override {
    if (changes_ == nullptr) return FileSystemWrapper::RenameFile(from, to, options, dbg);
    return ToRocksDb(changes_->Rename(from, to));
  }
  IOStatus LockFile(const std::string& path, const IOOptions& options, rocksdb::FileLock** lock,
                    IODebugContext* dbg) override {
    const IOStatus status = FileSystemWrapper::LockFile(path, options, lock, dbg);
    if (!status.ok() && !status.IsPathNotFound()) *lock_failed_ = true;
    if (!status.ok()) return status;
    auto witness = ManifestWitness::Open(FolderOf(path), changes_ == nullptr ? PosixFileSystem() : *changes_);
    if (!witness.ok()) {
      UnlockFile(*lock, options, dbg).PermitUncheckedError();
      *lock = nullptr;
      return ToRocksDb(witness.status());
    }
    *witness_ = *std::move(witness);
    return status;
  }

 private:
  IOStatus Open(const std::string& path, OurFileSystem::AppendOptions how, const FileOptions& options,
                std::unique_ptr<rocksdb::FSWritableFile>* result) {
    auto file = changes_->OpenForAppend(path, how);
    if (!file.ok()) return ToRocksDb(file.status());
    const Result<uint64_t> size = FileSize(path);
    if (!size.ok()) return ToRocksDb(size.status());
    *result = std::make_unique<WritableFile>(options, *changes_, path, std::move(file).value(), size.value());
    return IOStatus::OK();
  }

  OurFileSystem* const changes_;
  std::atomic<bool>* const lock_failed_;
  std::unique_ptr<ManifestWitness>* const witness_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> MakeRocksDbFiles(FileSystem* changes, std::atomic<bool>* lock_failed,
                                                      std::unique_ptr<ManifestWitness>* witness) {
  return std::make_shared<Files>(changes, lock_failed, witness);
}

}  // namespace crivello::kv
