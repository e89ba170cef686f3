// SPDX-License-Identifier: Apache-2.0
#include "base/sort_run.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/folder.h"

namespace crivello {

Result<ScratchFile> CreateSortFile(const std::string& folder, FileSystem& fs) {
  CRV_TRY(MakeFolders(folder));
  return ScratchFile::Create(folder, fs);
}

Status SortRunWriter::Flush() {
  CRV_TRY(file_.Append(AsBytes(buffer_)));
  buffer_.clear();
  return Status::Ok();
}

Result<SortRun> SortRunWriter::Finish() {
  if (!buffer_.empty()) CRV_TRY(Flush());
  return SortRun{begin_, file_.size()};
}

Status SortRunReader::Fill(size_t size) {
  std::memmove(buffer_.data(), buffer_.data() + at_, have_ - at_);
  have_ -= at_;
  at_ = 0;
  if (buffer_.size() < size) buffer_.resize(size);
  const size_t wanted = static_cast<size_t>(std::min<uint64_t>(buffer_.size() - have_, end_ - next_));
  CRV_ASSIGN(const size_t got,
             file_->Read(next_, std::as_writable_bytes(std::span(buffer_).subspan(have_, wanted))));
  next_ += got;
  have_ += got;
  if (got == wanted && have_ >= size) return Status::Ok();
  return Status::IoError(file_->path() + ": the temporary file is shorter than what was written to it");
}

}  // namespace crivello
