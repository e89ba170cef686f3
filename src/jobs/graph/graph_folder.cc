// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/graph_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/folder.h"
#include "graph/names/name_list_writer.h"

namespace crivello::jobs {
namespace {

constexpr std::string_view kNamesEnding = ".urls";

std::string MakingFolder(const std::string& folder, GraphLevel level) {
  return fmt::format("{}/{}.making", folder, GraphFileName(level));
}
std::string MadeFolder(const std::string& folder, GraphLevel level) {
  return fmt::format("{}/{}.made", folder, GraphFileName(level));
}

bool IsThere(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

// Whether a file of the folder belongs to the graph of a level.
bool BelongsTo(GraphLevel level, std::string_view name) {
  const std::string_view stem = name.substr(0, name.rfind('.'));
  const std::string_view base = GraphFileName(level);
  return stem == base || stem == std::string(base) + "-links";
}

Status Rename(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::rename(from, to, error);
  return error ? Status::FromErrno("rename", from, error.value()) : Status::Ok();
}

// A level always has the same files, so those that are moved here replace all of the old graph's.
Status MoveMade(const std::string& folder, GraphLevel level) {
  const std::string made = MadeFolder(folder, level);
  if (!IsThere(made)) return Status::Ok();
  CRV_ASSIGN(const std::vector<std::string> names, ListFolder(made));
  for (const std::string& name : names) CRV_TRY(Rename(made + "/" + name, folder + "/" + name));
  CRV_TRY(PosixFileSystem().SyncDirectory(folder));
  return RemoveFolder(made);
}

Status CompleteAll(const std::string& folder) {
  for (const GraphLevel level : kGraphLevels) {
    CRV_TRY(MoveMade(folder, level));
    CRV_TRY(RemoveFolder(MakingFolder(folder, level)));
  }
  return Status::Ok();
}

}  // namespace

std::string GraphFolder(std::string_view collection) { return std::string(collection) + "/graph"; }

std::string GraphBasename(std::string_view collection, GraphLevel level) {
  return fmt::format("{}/graph/{}", collection, GraphFileName(level));
}

std::string NamesPath(std::string_view basename) { return std::string(basename) + std::string(kNamesEnding); }

std::string LinkCountsBasename(std::string_view basename) { return std::string(basename) + "-links"; }

Result<std::string> RankPath(std::string_view collection, std::string_view name) {
  const bool sound = !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
  if (!sound) {
    return Status::InvalidArgument(
        fmt::format("'{}' cannot be the name of a rank: use 1 to 64 letters, digits, '-' and '_'", name));
  }
  return fmt::format("{}/ranks/{}", collection, name);
}

Result<GraphLock> GraphLock::Take(std::string_view collection) {
  const std::string folder = GraphFolder(collection);
  CRV_TRY(MakeFolders(folder));
  const std::string path = folder + "/lock";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return Status::FromErrno("open", path, errno);
  GraphLock lock(fd);
  while (::flock(fd, LOCK_EX) != 0) {
    if (errno != EINTR) return Status::FromErrno("lock", path, errno);
  }
  CRV_TRY(CompleteAll(folder));
  return lock;
}

GraphLock::~GraphLock() {
  if (fd_ >= 0) ::close(fd_);
}

Result<GraphReplacement> GraphReplacement::Begin(std::string_view collection, GraphLevel level) {
  GraphReplacement replacement(GraphFolder(collection), level);
  CRV_TRY(MakeFolders(MakingFolder(replacement.folder_, level)));
  return replacement;
}

std::string GraphReplacement::basename() const {
  return MakingFolder(folder_, level_) + "/" + std::string(GraphFileName(level_));
}

Status GraphReplacement::Commit() {
  CRV_TRY(PosixFileSystem().SyncDirectory(MakingFolder(folder_, level_)));
  CRV_TRY(Rename(MakingFolder(folder_, level_), MadeFolder(folder_, level_)));
  CRV_TRY(PosixFileSystem().SyncDirectory(folder_));
  return MoveMade(folder_, level_);
}

Status FinishReplacing(std::string_view collection) {
  const std::string folder = GraphFolder(collection);
  const bool any = std::any_of(std::begin(kGraphLevels), std::end(kGraphLevels),
                               [&](GraphLevel level) { return IsThere(MadeFolder(folder, level)); });
  return any ? GraphLock::Take(collection).status() : Status::Ok();
}

Status ForgetInGraphs(std::string_view collection,
                      const std::function<bool(GraphLevel, std::string_view)>& gone) {
  const std::string folder = GraphFolder(collection);
  if (!IsThere(folder)) return Status::Ok();
  CRV_ASSIGN(const GraphLock lock, GraphLock::Take(collection));
  CRV_ASSIGN(const std::vector<std::string> files, ListFolder(folder));
  for (const std::string& file : files) {
    if (file == "lock") continue;
    const std::string path = folder + "/" + file;
    const auto level = std::find_if(std::begin(kGraphLevels), std::end(kGraphLevels),
                                    [&file](GraphLevel of) { return BelongsTo(of, file); });
    if (level != std::end(kGraphLevels) && file.ends_with(kNamesEnding)) {
      const Status removed =
          graph::RemoveNames(path, [&](std::string_view name) { return gone(*level, name); });
      // An unreadable list is removed as a whole.
      if (removed.ok()) continue;
      if (removed.code() != StatusCode::kCorruption) return removed;
    }
    CRV_TRY(RemoveFolder(path));
  }
  return PosixFileSystem().SyncDirectory(folder);
}

}  // namespace crivello::jobs
