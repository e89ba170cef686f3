// SPDX-License-Identifier: Apache-2.0
#include "base/file_system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace crivello {
namespace {

class PosixAppendFile final : public AppendFile {
 public:
  PosixAppendFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  ~PosixAppendFile() override { ::close(fd_); }

  Status Append(Bytes bytes) override {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return Status::FromErrno("write", path_, errno);
      bytes = bytes.subspan(static_cast<size_t>(n));
    }
    return Status::Ok();
  }

  Status Sync() override {
    if (::fdatasync(fd_) != 0) return Status::FromErrno("sync", path_, errno);
    return Status::Ok();
  }

 private:
  const int fd_;
  const std::string path_;
};

class Posix final : public FileSystem {
 public:
  Result<std::unique_ptr<AppendFile>> OpenForAppend(const std::string& path, AppendOptions options) override {
    const int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | (options.truncate ? O_TRUNC : 0);
    const int fd = ::open(path.c_str(), flags, 0666);
    if (fd < 0) return Status::FromErrno("open for writing", path, errno);
    return std::unique_ptr<AppendFile>(std::make_unique<PosixAppendFile>(fd, path));
  }

  Status Rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0)
      return Status::FromErrno("rename " + from + " to", to, errno);
    return Status::Ok();
  }

  Status Remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0) return Status::FromErrno("remove", path, errno);
    return Status::Ok();
  }

  Status Truncate(const std::string& path, uint64_t size) override {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return Status::FromErrno("open for writing", path, errno);
    int error = ::ftruncate(fd, static_cast<off_t>(size)) != 0 ? errno : 0;
    if (error == 0 && ::fsync(fd) != 0) error = errno;
    ::close(fd);
    if (error != 0) return Status::FromErrno("truncate", path, error);
    return Status::Ok();
  }

  Status SyncDirectory(const std::string& directory) override {
    const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return Status::FromErrno("open folder", directory, errno);
    const int error = ::fsync(fd) != 0 ? errno : 0;
    ::close(fd);
    if (error != 0) return Status::FromErrno("sync folder", directory, error);
    return Status::Ok();
  }
};

}  // namespace

FileSystem& PosixFileSystem() {
  static Posix posix;
  return posix;
}

std::string DirectoryOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Result<uint64_t> FileSize(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) return Status::FromErrno("stat", path, errno);
  return static_cast<uint64_t>(info.st_size);
}

Result<std::string> ReadFile(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Status::FromErrno("open", path, errno);
  std::string text;
  char buffer[1 << 16];
  ssize_t n = 0;
  while ((n = ::read(fd, buffer, sizeof buffer)) != 0) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    text.append(buffer, static_cast<size_t>(n));
  }
  const int error = n < 0 ? errno : 0;
  ::close(fd);
  if (error != 0) return Status::FromErrno("read", path, error);
  return text;
}

}  // namespace crivello
