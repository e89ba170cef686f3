// SPDX-License-Identifier: Apache-2.0
#include "collection/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace crivello::collection {

// The file stays when the lock goes: removing it would let two processes hold locks on two files of one name.
Result<int> LockFolder(const std::string& directory) {
  const std::string path = directory + "/lock";
  const int lock = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock < 0) return Status::FromErrno("open", path, errno);
  if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
    char owner[32] = {};
    const ssize_t size = read(lock, owner, sizeof owner - 1);
    close(lock);
    std::string name(owner, static_cast<size_t>(std::max<ssize_t>(size, 0)));
    while (!name.empty() && name.back() == '\n') name.pop_back();
    return Status::Unavailable(
        fmt::format("'{}' is in use by process {}; stop it first, or use a command that only reads",
                    directory, name.empty() ? "(not yet known)" : name));
  }
  const std::string pid = fmt::format("{}\n", getpid());
  if (ftruncate(lock, 0) != 0 || pwrite(lock, pid.data(), pid.size(), 0) < 0) {
    const int error = errno;
    close(lock);
    return Status::FromErrno("write", path, error);
  }
  return lock;
}

}  // namespace crivello::collection
