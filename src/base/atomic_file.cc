// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"

#include <unistd.h>

#include <atomic>

namespace crivello {
namespace {

constexpr size_t kBufferBytes = 1 << 18;

// Unique among the machine's processes, so that two writers of one path use different temporary files.
std::string TemporaryFor(const std::string& path) {
  static std::atomic<uint64_t> count = 0;
  return path + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(count.fetch_add(1));
}

}  // namespace

AtomicFile::AtomicFile(std::string path, std::unique_ptr<AppendFile> file, FileSystem& fs)
    : path_(std::move(path)), file_(std::move(file)), fs_(&fs) {
  buffer_.reserve(kBufferBytes);
}

Result<AtomicFile> AtomicFile::Create(const std::string& path, FileSystem& fs) {
  std::string temporary = TemporaryFor(path);
  CRV_ASSIGN(auto file, fs.OpenForAppend(temporary, {.truncate = true}));
  AtomicFile result(path, std::move(file), fs);
  result.temporary_ = std::move(temporary);
  return result;
}

AtomicFile::AtomicFile(AtomicFile&&) noexcept = default;

AtomicFile::~AtomicFile() {
  if (file_ == nullptr) return;
  file_.reset();
  fs_->Remove(temporary_).IgnoreError();  // best effort: a left-over temporary file is garbage, not damage
}

Status AtomicFile::Flush() {
  CRV_TRY(file_->Append(buffer_));
  buffer_.clear();
  return Status::Ok();
}

Status AtomicFile::Append(Bytes bytes) {
  size_ += bytes.size();
  if (buffer_.size() + bytes.size() > kBufferBytes) CRV_TRY(Flush());
  if (bytes.size() >= kBufferBytes) return file_->Append(bytes);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  return Status::Ok();
}

Status AtomicFile::Finish() {
  CRV_TRY(Flush());
  CRV_TRY(file_->Sync());
  CRV_TRY(fs_->Rename(temporary_, path_));
  file_.reset();
  return fs_->SyncDirectory(DirectoryOf(path_));
}

Status WriteFileAtomically(const std::string& path, Bytes bytes, FileSystem& fs) {
  CRV_ASSIGN(auto file, AtomicFile::Create(path, fs));
  CRV_TRY(file.Append(bytes));
  return file.Finish();
}

}  // namespace crivello
