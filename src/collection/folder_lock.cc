// SPDX-License-Identifier: Apache-2.0
#include "collection/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace crivello::collection {

namespace {

// Closes the file, and returns the error for a lock that another process holds.
Status InUse(int lock, const std::string& directory) {
  // Only readers share a lock.
  const bool by_readers = flock(lock, LOCK_SH | LOCK_NB) == 0;
  char owner[32] = {};
  const ssize_t size = pread(lock, owner, sizeof owner - 1, 0);
  close(lock);
  if (by_readers) {
    return Status::Unavailable(
        fmt::format("'{}' is being read by another process; try again when it has ended", directory));
  }
  std::string name(owner, static_cast<size_t>(std::max<ssize_t>(size, 0)));
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return Status::Unavailable(
      fmt::format("'{}' is in use by process {}; stop it first, or use a command that only reads", directory,
                  name.empty() ? "(not yet known)" : name));
}

}  // namespace

// The file stays when the lock is released: removing it would let two processes lock two files of the same
// name. A symbolic link is refused, because it would let others choose which file is written.
Result<int> LockFolder(const std::string& directory) {
  const std::string path = directory + "/lock";
  const int lock = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (lock < 0) return Status::FromErrno("open", path, errno);
  if (flock(lock, LOCK_EX | LOCK_NB) != 0) return InUse(lock, directory);
  const std::string pid = fmt::format("{}\n", getpid());
  if (ftruncate(lock, 0) != 0 || pwrite(lock, pid.data(), pid.size(), 0) < 0) {
    const int error = errno;
    close(lock);
    return Status::FromErrno("write", path, error);
  }
  return lock;
}

Result<int> LockFolderToRead(const std::string& directory) {
  const std::string path = directory + "/lock";
  const int lock = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (lock < 0 && (errno == ENOENT || errno == EACCES)) return -1;
  if (lock < 0) return Status::FromErrno("open", path, errno);
  if (flock(lock, LOCK_SH | LOCK_NB) != 0) return InUse(lock, directory);
  return lock;
}

}  // namespace crivello::collection
