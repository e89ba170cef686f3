// SPDX-License-Identifier: Apache-2.0
#include "cluster/fence/shared_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/folder.h"

namespace crivello::cluster {
namespace {

Status CopyFrom(int file, const std::string& from, const std::string& to, FileSystem& fs) {
  CRV_ASSIGN(const auto copy, fs.OpenForAppend(to, {.truncate = true}));
  std::vector<std::byte> buffer(1 << 20);
  for (;;) {
    const ssize_t got = ::read(file, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Status::FromErrno("read", from, errno);
    if (got == 0) return copy->Sync();
    CRV_TRY(copy->Append(Bytes(buffer).first(static_cast<size_t>(got))));
  }
}

}  // namespace

Result<std::vector<std::string>> PosixSharedFiles::List(const std::string& folder, Look) {
  // Both looks open the folder, which asks the server.
  DIR* const opened = ::opendir(folder.c_str());
  if (opened == nullptr) return Status::FromErrno("list folder", folder, errno);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(opened)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  const int error = errno;
  ::closedir(opened);
  if (error != 0) return Status::FromErrno("list folder", folder, error);
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::vector<SharedFile>> PosixSharedFiles::Tree(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<SharedFile> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().string();
    struct stat info = {};
    // What is removed meanwhile is not there; the caller lists again.
    if (::lstat(path.c_str(), &info) != 0 || S_ISDIR(info.st_mode)) continue;
    files.push_back({.path = path.substr(folder.size() + 1), .id = info.st_ino});
  }
  if (error) return Status::FromErrno("list folder", folder, error.value());
  std::sort(files.begin(), files.end(),
            [](const SharedFile& a, const SharedFile& b) { return a.path < b.path; });
  return files;
}

Result<std::string> PosixSharedFiles::Read(const std::string& path) { return ReadFile(path); }

Status PosixSharedFiles::Write(const std::string& path, std::string_view bytes) {
  CRV_ASSIGN(const auto file, fs_.OpenForAppend(path, {.truncate = true}));
  return file->Append(AsBytes(bytes));
}

Status PosixSharedFiles::Sync(const std::string& path) {
  CRV_ASSIGN(const auto file, fs_.OpenForAppend(path, {}));
  return file->Sync();
}

Status PosixSharedFiles::SyncFolder(const std::string& folder) { return fs_.SyncDirectory(folder); }

Result<bool> PosixSharedFiles::Link(const std::string& from, const std::string& to) {
  if (::link(from.c_str(), to.c_str()) == 0) return true;
  if (errno == EEXIST) return false;
  return Status::FromErrno("link " + from + " to", to, errno);
}

// Reads what is there, however the file changes meanwhile: it is not mapped, because an old owner may cut it.
Status PosixSharedFiles::Copy(const std::string& from, const std::string& to) {
  const int file = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return Status::FromErrno("open", from, errno);
  const Status copied = CopyFrom(file, from, to, fs_);
  ::close(file);
  return copied;
}

Status PosixSharedFiles::MakeFolder(const std::string& path) { return MakeFolders(path); }

Status PosixSharedFiles::Remove(const std::string& path) { return fs_.Remove(path); }

Status PosixSharedFiles::RemoveTree(const std::string& folder) { return RemoveFolder(folder); }

}  // namespace crivello::cluster
