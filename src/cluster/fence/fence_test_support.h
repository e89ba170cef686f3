// SPDX-License-Identifier: Apache-2.0
// A shared disk in memory for the tests of the fence: it loses what was not synced, gives stale listings, and
// lets a stale owner write late.  A plain value, so that a test can explore all that may happen from a state.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "cluster/fence/shared_files.h"

namespace crivello::cluster {

// What the file server has, and what each of the machines holds of it.
template <int kMachines>
class ModelDiskOf {
 public:
  static constexpr int kHosts = kMachines;

  struct File {
    std::string durable;                    // after a power cut
    std::string written;                    // what other machines read
    std::array<std::string, kHosts> dirty;  // what a machine wrote and did not hand on
    std::array<bool, kHosts> is_dirty = {};
  };
  struct Name {
    int file = -1;  // -1: a folder
    bool durable = false;
  };

  std::map<std::string, Name> names;
  std::map<int, File> files;
  int next_file = 0;
  std::array<std::map<std::string, std::vector<std::string>>, kHosts> cached;  // listings of folders

  // The machine's cache is written back, which may happen at any time.
  void WriteBack(int host) {
    for (auto& [id, file] : files) {
      if (!file.is_dirty[static_cast<size_t>(host)]) continue;
      file.written = file.dirty[static_cast<size_t>(host)];
      file.is_dirty[static_cast<size_t>(host)] = false;
      file.dirty[static_cast<size_t>(host)].clear();
    }
  }
  bool IsDirty(int host) const {
    return std::any_of(files.begin(), files.end(), [host](const auto& entry) {
      return entry.second.is_dirty[static_cast<size_t>(host)];
    });
  }
  void Crash(int host) {
    for (auto& [id, file] : files) {
      file.is_dirty[static_cast<size_t>(host)] = false;
      file.dirty[static_cast<size_t>(host)].clear();
    }
    cached[static_cast<size_t>(host)].clear();
  }
  // All machines and the server lose what is not durable.
  void PowerCut() {
    for (int host = 0; host < kHosts; host++) Crash(host);
    std::set<std::string> lost;
    for (const auto& [path, name] : names) {
      bool gone = !name.durable;
      for (const std::string& folder : lost) gone |= path.starts_with(folder + "/");
      if (gone) lost.insert(path);
    }
    for (const std::string& path : lost) names.erase(path);
    for (auto& [id, file] : files) file.written = file.durable;
  }
  // Two disks on which all that follows is the same give the same text.
  void Serialise(std::string& out) const {
    std::map<int, size_t> numbers;  // of files, by their first name: when they were made does not matter
    for (const auto& [path, name] : names) {
      out += path + (name.durable ? "!" : "?");
      if (name.file < 0) continue;
      const auto [at, added] = numbers.try_emplace(name.file, numbers.size());
      out += std::to_string(at->second);
      if (!added) continue;
      const File& file = files.at(name.file);
      out += ":" + file.durable + "|" + file.written;
      for (size_t host = 0; host < kHosts; host++) out += file.is_dirty[host] ? "|" + file.dirty[host] : "-";
    }
    for (size_t host = 0; host < kHosts; host++) {
      for (const auto& [folder, listing] : cached[host]) {
        out += "c" + folder + ":";
        for (const std::string& name : listing) out += name + ",";
      }
      out += "-";
    }
  }
};

// What goes wrong on purpose; each must be found by the exploration.
enum class FenceBug {
  kNone,
  kLinkReplaces,           // Link() replaces the name, as a rename does
  kNoSyncOfName,           // the claim's name is not made durable
  kNoSyncOfLog,            // acknowledged without a sync
  kAcknowledgeBeforeSync,  // confirmed first, synced then
  kNoFence,                // the epoch is not looked at before a confirmation
  kFenceBeforeSync,        // it is looked at before the sync
  kFenceFromCache,         // it is looked at in a stale listing
  kReadBeforeClaim,        // the last epoch is read before the claim is made
  kLogIsLinked,            // the log is shared with the old owner
  kReadyIsNotAskedFor,     // an epoch that was never ready counts as the last one
  kReadyBeforeCopies,      // copies are not synced before READY is
};
constexpr FenceBug kFenceBugs[] = {
    FenceBug::kLinkReplaces,          FenceBug::kNoSyncOfName,     FenceBug::kNoSyncOfLog,
    FenceBug::kAcknowledgeBeforeSync, FenceBug::kNoFence,          FenceBug::kFenceBeforeSync,
    FenceBug::kFenceFromCache,        FenceBug::kReadBeforeClaim,  FenceBug::kLogIsLinked,
    FenceBug::kReadyIsNotAskedFor,    FenceBug::kReadyBeforeCopies};
inline std::string_view FenceBugName(FenceBug bug) {
  switch (bug) {
    case FenceBug::kNone:
      return "none";
    case FenceBug::kLinkReplaces:
      return "claim by a rename, which replaces";
    case FenceBug::kNoSyncOfName:
      return "name of the claim not synced";
    case FenceBug::kNoSyncOfLog:
      return "log not synced";
    case FenceBug::kAcknowledgeBeforeSync:
      return "acknowledged before the sync";
    case FenceBug::kNoFence:
      return "no look for a higher epoch";
    case FenceBug::kFenceBeforeSync:
      return "look for a higher epoch before the sync";
    case FenceBug::kFenceFromCache:
      return "look for a higher epoch in a cached listing";
    case FenceBug::kReadBeforeClaim:
      return "last epoch read before the claim";
    case FenceBug::kLogIsLinked:
      return "log linked instead of copied";
    case FenceBug::kReadyIsNotAskedFor:
      return "unfinished epoch taken for the last one";
    case FenceBug::kReadyBeforeCopies:
      return "READY durable before the copies";
  }
  return "";
}

// The disk as one machine sees it, for one step.
template <int kMachines>
class ModelFilesOf final : public SharedFiles {
 public:
  using Disk = ModelDiskOf<kMachines>;
  ModelFilesOf(Disk& disk, int host, FenceBug bug)
      : disk_(disk), host_(static_cast<size_t>(host)), bug_(bug) {}

  Result<std::vector<std::string>> List(const std::string& folder, Look look) override {
    // A cached listing is as old as it can be.
    if (look == Look::kCached || bug_ == FenceBug::kFenceFromCache) {
      const auto at = disk_.cached[host_].find(folder);
      if (at != disk_.cached[host_].end()) return at->second;
    }
    std::vector<std::string> names;
    for (const auto& [path, name] : disk_.names) {
      if (path.starts_with(folder + "/") && path.find('/', folder.size() + 1) == std::string::npos) {
        names.push_back(path.substr(folder.size() + 1));
      }
    }
    disk_.cached[host_][folder] = names;
    return names;
  }
  Result<std::vector<SharedFile>> Tree(const std::string& folder) override {
    std::vector<SharedFile> paths;
    for (const auto& [path, name] : disk_.names) {
      if (path.starts_with(folder + "/") && name.file >= 0)
        paths.push_back({.path = path.substr(folder.size() + 1), .id = static_cast<uint64_t>(name.file)});
    }
    return paths;
  }
  Result<std::string> Read(const std::string& path) override {
    if (bug_ == FenceBug::kReadyIsNotAskedFor && path.ends_with("/READY")) return std::string();
    const auto at = disk_.names.find(path);
    if (at == disk_.names.end()) return Status::NotFound(path);
    const typename Disk::File& file = disk_.files.at(at->second.file);
    return file.is_dirty[host_] ? file.dirty[host_] : file.written;
  }
  Status Write(const std::string& path, std::string_view bytes) override {
    const auto [at, added] = disk_.names.try_emplace(path);
    if (added) at->second.file = disk_.next_file++;
    typename Disk::File& file = disk_.files[at->second.file];
    file.dirty[host_] = bytes;
    file.is_dirty[host_] = true;
    return Status::Ok();
  }
  Status Sync(const std::string& path) override {
    if (bug_ == FenceBug::kNoSyncOfLog && path.ends_with("/log")) return Status::Ok();
    typename Disk::File& file = disk_.files.at(disk_.names.at(path).file);
    if (file.is_dirty[host_]) file.written = file.dirty[host_];
    file.is_dirty[host_] = false;
    file.dirty[host_].clear();
    file.durable = file.written;
    return Status::Ok();
  }
  Status SyncFolder(const std::string& folder) override {
    for (auto& [path, name] : disk_.names) {
      const bool inside =
          path.starts_with(folder + "/") && path.find('/', folder.size() + 1) == std::string::npos;
      const bool forgotten = bug_ == FenceBug::kNoSyncOfName && path.find("/EPOCH-") != std::string::npos;
      if (inside && !forgotten) name.durable = true;
    }
    return Status::Ok();
  }
  Result<bool> Link(const std::string& from, const std::string& to) override {
    const auto source = disk_.names.find(from);
    if (source == disk_.names.end()) return Status::NotFound(from);
    const bool exists = disk_.names.contains(to);
    if (exists && bug_ != FenceBug::kLinkReplaces) return false;
    disk_.names[to] = {.file = source->second.file, .durable = false};
    return true;
  }
  Status Copy(const std::string& from, const std::string& to) override {
    CRV_ASSIGN(const std::string bytes, Read(from));
    CRV_TRY(Write(to, bytes));
    return bug_ == FenceBug::kReadyBeforeCopies ? Status::Ok() : Sync(to);
  }
  Status MakeFolder(const std::string& path) override {
    disk_.names.try_emplace(path);
    return Status::Ok();
  }
  Status Remove(const std::string& path) override {
    disk_.names.erase(path);
    return Status::Ok();
  }
  Status RemoveTree(const std::string& folder) override {
    std::erase_if(disk_.names, [&folder](const auto& entry) {
      return entry.first == folder || entry.first.starts_with(folder + "/");
    });
    return Status::Ok();
  }

 private:
  Disk& disk_;
  const size_t host_;
  const FenceBug bug_;
};

}  // namespace crivello::cluster
