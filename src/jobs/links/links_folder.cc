// SPDX-License-Identifier: Apache-2.0
#include "jobs/links/links_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <vector>

#include "base/folder.h"

namespace crivello::jobs {
namespace {

constexpr std::string_view kFile = "by-target";
constexpr std::string_view kLock = "lock";

// Removes everything except `keep` and the lock: another process could lock a new file of that name as well.
Status RemoveAllBut(const std::string& folder, std::string_view keep, FileSystem& fs) {
  CRV_ASSIGN(const std::vector<std::string> names, ListFolder(folder));
  for (const std::string& name : names) {
    if (name != kLock && name != keep) CRV_TRY(RemoveFolder(folder + "/" + name));
  }
  return fs.SyncDirectory(folder);
}

}  // namespace

std::string LinksPath(const std::string& folder) { return folder + "/" + std::string(kFile); }

std::string LinksScratchPath(const std::string& folder) { return folder + "/scratch"; }

Result<LinksLock> LinksLock::Take(std::span<const std::string> folders) {
  for (const std::string& folder : folders) CRV_TRY(MakeFolders(folder));
  const std::string path = folders.front() + "/" + std::string(kLock);
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return Status::FromErrno("open", path, errno);
  LinksLock lock(fd);
  while (::flock(fd, LOCK_EX) != 0) {
    if (errno != EINTR) return Status::FromErrno("lock", path, errno);
  }
  return lock;
}

LinksLock::~LinksLock() {
  if (fd_ >= 0) ::close(fd_);
}

Status RemoveLeftovers(const std::string& folder, FileSystem& fs) { return RemoveAllBut(folder, kFile, fs); }

Status RemoveLinks(std::span<const std::string> folders) {
  std::error_code error;
  std::vector<std::string> there;
  for (const std::string& folder : folders) {
    if (std::filesystem::exists(folder, error)) there.push_back(folder);
  }
  if (there.empty()) return Status::Ok();
  CRV_ASSIGN(const LinksLock lock, LinksLock::Take(folders));
  for (const std::string& folder : folders) CRV_TRY(RemoveAllBut(folder, "", PosixFileSystem()));
  return Status::Ok();
}

}  // namespace crivello::jobs
