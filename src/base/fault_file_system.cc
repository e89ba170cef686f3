// SPDX-License-Identifier: Apache-2.0
#include "base/fault_file_system.h"

#include <fmt/format.h>

namespace crivello {

class FaultAppendFile final : public AppendFile {
 public:
  FaultAppendFile(FaultFileSystem& fs, std::string path, std::unique_ptr<AppendFile> file)
      : fs_(fs), path_(std::move(path)), file_(std::move(file)) {}

  Status Append(Bytes bytes) override {
    Status status = fs_.Next("write", path_);
    if (status.ok()) return file_->Append(bytes);
    if (fs_.options_.tear && fs_.changes() == fs_.options_.fail_at) {
      CRV_TRY(file_->Append(bytes.first(bytes.size() / 2)));
    }
    return status;
  }

  Status Sync() override {
    CRV_TRY(fs_.Next("sync", path_, /*is_sync=*/true));
    CRV_TRY(file_->Sync());
    fs_.NoteSynced(path_);
    return Status::Ok();
  }

 private:
  FaultFileSystem& fs_;
  const std::string path_;
  const std::unique_ptr<AppendFile> file_;
};

Status FaultFileSystem::Next(const std::string& doing, const std::string& path, bool is_sync) {
  MutexLock lock(mu_);
  const bool counts = is_sync || !options_.only_syncs;
  if (counts) changes_++;
  const bool fails = options_.fail_at != 0 && (options_.stay_down ? changes_ >= options_.fail_at
                                                                  : counts && changes_ == options_.fail_at);
  if (!fails) return Status::Ok();
  if (failed_.empty()) failed_ = doing + " " + path;
  return Status::IoError(fmt::format("cannot {} {}: injected fault at change {}", doing, path, changes_));
}

std::string FaultFileSystem::failed() const {
  MutexLock lock(mu_);
  return failed_;
}

void FaultFileSystem::NoteSynced(const std::string& path) {
  const Result<uint64_t> size = FileSize(path);
  MutexLock lock(mu_);
  if (size.ok()) synced_bytes_[path] = *size;
}

uint64_t FaultFileSystem::changes() const {
  MutexLock lock(mu_);
  return changes_;
}

Result<std::unique_ptr<AppendFile>> FaultFileSystem::OpenForAppend(const std::string& path,
                                                                   AppendOptions options) {
  CRV_TRY(Next("open for writing", path));
  CRV_ASSIGN(auto file, base_.OpenForAppend(path, options));
  CRV_ASSIGN(const uint64_t size, FileSize(path));
  {
    MutexLock lock(mu_);
    if (options.truncate) synced_bytes_[path] = 0;
    synced_bytes_.try_emplace(path, size);  // bytes written by others count as synced
  }
  return std::unique_ptr<AppendFile>(std::make_unique<FaultAppendFile>(*this, path, std::move(file)));
}

Status FaultFileSystem::Rename(const std::string& from, const std::string& to) {
  CRV_TRY(Next("rename " + from + " to", to));
  CRV_TRY(base_.Rename(from, to));
  MutexLock lock(mu_);
  if (auto node = synced_bytes_.extract(from)) {
    synced_bytes_.erase(to);
    node.key() = to;
    synced_bytes_.insert(std::move(node));
  }
  return Status::Ok();
}

Status FaultFileSystem::Remove(const std::string& path) {
  CRV_TRY(Next("remove", path));
  CRV_TRY(base_.Remove(path));
  MutexLock lock(mu_);
  synced_bytes_.erase(path);
  return Status::Ok();
}

Status FaultFileSystem::Truncate(const std::string& path, uint64_t size) {
  CRV_TRY(Next("truncate", path));
  CRV_TRY(base_.Truncate(path, size));
  NoteSynced(path);
  return Status::Ok();
}

Status FaultFileSystem::SyncDirectory(const std::string& directory) {
  CRV_TRY(Next("sync folder", directory));
  return base_.SyncDirectory(directory);
}

Status FaultFileSystem::DropUnsynced() {
  MutexLock lock(mu_);
  for (const auto& [path, size] : synced_bytes_) {
    const Result<uint64_t> now = FileSize(path);
    if (now.ok() && *now > size) CRV_TRY(base_.Truncate(path, size));
  }
  return Status::Ok();
}

}  // namespace crivello
