// SPDX-License-Identifier: Apache-2.0
#include "jobs/duplicates/duplicates_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/folder.h"
#include "dedup/discovery/duplicate_files.h"
#include "graph/names/name_list.h"

namespace crivello::jobs {
namespace {

constexpr std::string_view kDuplicatesLock = "lock";

bool FolderIsThere(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

Status CheckNames(const std::string& path) {
  CRV_ASSIGN(const auto names, Mapped<graph::NameList>::Open(path));
  return names->Check().WithContext(path);
}

// Left by a write that a crash interrupted.
bool IsTemporary(std::string_view name) { return name.find(".tmp-") != std::string::npos; }

Status RemoveTemporaries(const std::string& folder) {
  if (!FolderIsThere(folder)) return Status::Ok();
  CRV_ASSIGN(const std::vector<std::string> names, ListFolder(folder));
  for (const std::string& name : names) {
    const std::string path = folder + "/" + name;
    if (IsTemporary(name)) {
      CRV_TRY(RemoveFolder(path));
    } else {
      CRV_TRY(RemoveTemporaries(path));
    }
  }
  return Status::Ok();
}

Status CheckDuplicatesFile(const std::string& path, std::string_view name) {
  if (name.starts_with("run-")) return Mapped<dedup::FingerprintRun>::Open(path).status();
  if (name.starts_with("pages-") || name == "by-page") return CheckNames(path);
  if (name == "clusters") return Mapped<dedup::DuplicateClusters>::Open(path).status();
  return Mapped<dedup::DuplicatePairs>::Open(path).status();
}

Status CheckFolder(const std::string& folder, std::vector<Status>* damage) {
  if (!FolderIsThere(folder)) return Status::Ok();
  CRV_ASSIGN(const std::vector<std::string> names, ListFolder(folder));
  for (const std::string& name : names) {
    const std::string path = folder + "/" + name;
    if (FolderIsThere(path)) {
      CRV_TRY(CheckFolder(path, damage));
      continue;
    }
    if (name == kDuplicatesLock || IsTemporary(name)) continue;
    const Status status = CheckDuplicatesFile(path, name);
    if (status.code() == StatusCode::kCorruption) damage->push_back(status);
  }
  return Status::Ok();
}

}  // namespace

std::string DuplicatesFolder(std::string_view collection) { return std::string(collection) + "/duplicates"; }
std::string DuplicatesFolder(std::string_view collection, dedup::Method method) {
  return fmt::format("{}/duplicates/{}", collection, dedup::MethodName(method));
}
std::string RunPath(std::string_view folder, size_t number) {
  return fmt::format("{}/run-{:05}", folder, number);
}
std::string RunPagesPath(std::string_view folder, size_t number) {
  return fmt::format("{}/pages-{:05}", folder, number);
}
std::string ClustersOfTabletPath(std::string_view folder) { return std::string(folder) + "/by-page"; }

std::vector<std::string> DuplicateFolders(collection::Collection& store) {
  std::vector<std::string> folders;
  for (const collection::Tablet* const tablet : store.tablets()) {
    folders.push_back(tablet->duplicates_directory());
  }
  return folders;
}

Result<DuplicatesLock> DuplicatesLock::Take(std::string_view collection,
                                            std::span<const std::string> tablet_folders) {
  const std::string folder = DuplicatesFolder(collection);
  CRV_TRY(MakeFolders(folder));
  const std::string path = fmt::format("{}/{}", folder, kDuplicatesLock);
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return Status::FromErrno("open", path, errno);
  DuplicatesLock lock(fd);
  while (::flock(fd, LOCK_EX) != 0) {
    if (errno != EINTR) return Status::FromErrno("lock", path, errno);
  }
  CRV_TRY(RemoveTemporaries(folder));
  for (const std::string& tablet : tablet_folders) CRV_TRY(RemoveTemporaries(tablet));
  return lock;
}

DuplicatesLock::~DuplicatesLock() {
  if (fd_ >= 0) ::close(fd_);
}

Status RemoveDuplicates(const std::string& collection, std::span<const std::string> tablet_folders) {
  const std::string folder = DuplicatesFolder(collection);
  if (!FolderIsThere(folder)) return Status::Ok();
  CRV_ASSIGN(const DuplicatesLock lock, DuplicatesLock::Take(collection, tablet_folders));
  for (const std::string& tablet : tablet_folders) {
    if (!FolderIsThere(tablet)) continue;
    CRV_TRY(RemoveFolder(tablet));
    CRV_TRY(PosixFileSystem().SyncDirectory(std::filesystem::path(tablet).parent_path().string()));
  }
  CRV_ASSIGN(const std::vector<std::string> names, ListFolder(folder));
  for (const std::string& name : names) {
    if (name != kDuplicatesLock) CRV_TRY(RemoveFolder(folder + "/" + name));
  }
  return PosixFileSystem().SyncDirectory(folder);
}

Result<std::vector<Status>> CheckDuplicates(const std::string& collection,
                                            std::span<const std::string> tablet_folders) {
  std::vector<Status> damage;
  CRV_TRY(CheckFolder(DuplicatesFolder(collection), &damage));
  for (const std::string& tablet : tablet_folders) CRV_TRY(CheckFolder(tablet, &damage));
  return damage;
}

}  // namespace crivello::jobs
