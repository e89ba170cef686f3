// SPDX-License-Identifier: Apache-2.0
#include "base/copy_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/mapped_file.h"

namespace crivello {

Status CopyFile(const std::string& from, const std::string& to, FileSystem& fs) {
  constexpr size_t kPiece = 8 << 20;
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(from, AccessPattern::kSequential));
  CRV_ASSIGN(const auto copy, fs.OpenForAppend(to, {.truncate = true}));
  for (Bytes rest = file.bytes(); !rest.empty(); rest = rest.subspan(std::min(kPiece, rest.size()))) {
    CRV_TRY(copy->Append(rest.first(std::min(kPiece, rest.size()))));
  }
  return copy->Sync();
}

Status LinkOrCopy(const std::string& from, const std::string& to, FileSystem& fs) {
  if (::link(from.c_str(), to.c_str()) == 0) return Status::Ok();
  if (errno == ENOENT) return Status::FromErrno("link", from, errno);
  // Another file system, or one without links, or the link limit is reached.
  return CopyFile(from, to, fs);
}

}  // namespace crivello
