// SPDX-License-Identifier: Apache-2.0
#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace crivello {

Result<MappedFile> MappedFile::Open(const std::string& path, AccessPattern pattern) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Status::FromErrno("open", path, errno);
  struct stat info = {};
  int error = ::fstat(fd, &info) != 0 ? errno : 0;
  if (error == 0 && !S_ISREG(info.st_mode)) error = S_ISDIR(info.st_mode) ? EISDIR : ENODEV;
  const auto size = static_cast<size_t>(info.st_size);
  void* data = nullptr;
  if (error == 0 && size > 0) {  // an empty file cannot be mapped, and does not need to be
    data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED) error = errno;
  }
  ::close(fd);
  if (error != 0) return Status::FromErrno("map", path, error);
  if (data != nullptr && pattern != AccessPattern::kNormal) {
    // Only a hint: a kernel that ignores it still reads the file.
    ::madvise(data, size, pattern == AccessPattern::kRandom ? MADV_RANDOM : MADV_SEQUENTIAL);
  }
  return MappedFile(path, {static_cast<const std::byte*>(data), data == nullptr ? 0 : size});
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace crivello
