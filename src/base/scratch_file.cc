// SPDX-License-Identifier: Apache-2.0
#include "base/scratch_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <utility>

namespace crivello {

Result<ScratchFile> ScratchFile::Create(const std::string& folder, FileSystem& fs) {
  // While it has a name, the name is unique to this process and file: others may use the same folder.
  static std::atomic<uint64_t> made = 0;
  const std::string path =
      fmt::format("{}/{}{}-{}", folder, kPrefix, ::getpid(), made.fetch_add(1, std::memory_order_relaxed));
  CRV_ASSIGN(std::unique_ptr<AppendFile> file, fs.OpenForAppend(path, {.truncate = true}));
  CRV_ASSIGN(InputFile input, InputFile::Open(path));
  CRV_TRY(fs.Remove(path));
  return ScratchFile(std::move(file), std::make_unique<InputFile>(std::move(input)));
}

Status ScratchFile::Append(Bytes bytes) {
  CRV_TRY(file_->Append(bytes));
  size_ += bytes.size();
  return Status::Ok();
}

}  // namespace crivello
