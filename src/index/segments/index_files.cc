// SPDX-License-Identifier: Apache-2.0
#include "index/segments/index_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "base/folder.h"

namespace crivello::index {
namespace {

namespace fs_std = std::filesystem;

// The paths in a folder; empty if it does not exist.
Result<std::vector<fs_std::path>> ListFiles(const std::string& folder) {
  std::vector<fs_std::path> paths;
  std::error_code error;
  for (fs_std::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    paths.push_back(at->path());
  if (error && error != std::errc::no_such_file_or_directory)
    return Status::FromErrno("list", folder, error.value());
  return paths;
}

Status RemoveIndexFolder(const std::string& folder, FileSystem& fs) {
  CRV_ASSIGN(const auto paths, ListFiles(folder));
  for (const fs_std::path& path : paths) CRV_TRY(fs.Remove(path.string()));
  std::error_code error;
  fs_std::remove(folder, error);
  return error ? Status::FromErrno("remove", folder, error.value()) : Status::Ok();
}

bool IsTemporary(const fs_std::path& path) {
  return path.filename().string().find(".tmp-") != std::string::npos;
}

}  // namespace

Result<IndexLock> IndexLock::Take(const std::string& index) {
  CRV_TRY(MakeFolders(index));
  const std::string path = index + "/lock";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return Status::FromErrno("open", path, errno);
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    ::close(fd);
    return Status::Unavailable(index + " is being written by another process");
  }
  return IndexLock(fd);
}

IndexLock::~IndexLock() {
  if (fd_ >= 0) ::close(fd_);
}

std::string ScratchPath(const std::string& index) { return index + "/scratch"; }

Status RemoveSegment(const std::string& index, uint64_t id, FileSystem& fs) {
  return RemoveIndexFolder(SegmentPath(index, id), fs);
}

Status RemoveStaleFiles(const std::string& index, const Manifest& manifest, FileSystem& fs) {
  CRV_TRY(RemoveIndexFolder(ScratchPath(index), fs));
  CRV_ASSIGN(const auto files, ListFiles(index));
  for (const fs_std::path& path : files) {
    if (IsTemporary(path)) CRV_TRY(fs.Remove(path.string()));
  }
  std::set<std::string> segments;
  std::set<std::string> beside;  // files beside segments: deletions and columns of ranks
  for (const Manifest::Entry& entry : manifest.segments) {
    segments.insert(SegmentPath(index, entry.id));
    if (entry.deletions > 0) beside.insert(DeletionsPath(index, entry));
    for (const Manifest::Rank& rank : manifest.ranks) beside.insert(RankColumnPath(index, entry.id, rank));
  }
  CRV_ASSIGN(const auto folders, ListFiles(SegmentsPath(index)));
  for (const fs_std::path& folder : folders) {
    if (segments.count(folder.string()) == 0) {
      CRV_TRY(RemoveIndexFolder(folder.string(), fs));
      continue;
    }
    CRV_ASSIGN(const auto parts, ListFiles(folder.string()));
    for (const fs_std::path& path : parts) {
      const std::string name = path.filename().string();
      const bool stale =
          (name.starts_with("deleted-") || name.starts_with("rank-")) && beside.count(path.string()) == 0;
      if (stale || IsTemporary(path)) CRV_TRY(fs.Remove(path.string()));
    }
  }
  std::set<std::string> ranks;
  for (const Manifest::Rank& rank : manifest.ranks) ranks.insert(RankPagesPath(index, rank));
  CRV_ASSIGN(const auto rank_files, ListFiles(RanksPath(index)));
  for (const fs_std::path& path : rank_files) {
    if (ranks.count(path.string()) == 0) CRV_TRY(fs.Remove(path.string()));
  }
  return Status::Ok();
}

}  // namespace crivello::index
