// SPDX-License-Identifier: Apache-2.0
#include "care/backup.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>
#include <system_error>

#include "base/civil_time.h"
#include "base/copy_file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "collection/folder_lock.h"
#include "store/archive_reader.h"
#include "store/warc_record.h"

namespace crivello::care {
namespace {

namespace fs = std::filesystem;

constexpr int kCopyTries = 10;

// The regular files and the folders below a folder, as relative paths, sorted.
struct Tree {
  std::vector<std::string> files, folders;
};
Result<Tree> ListTree(const std::string& root) {
  Tree tree;
  std::error_code error;
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    std::string path = fs::relative(it->path(), root, error).string();
    (it->is_directory(error) ? tree.folders : tree.files).push_back(std::move(path));
  }
  if (error) return Status::FromErrno("list folder", root, error.value());
  std::sort(tree.files.begin(), tree.files.end());
  std::sort(tree.folders.begin(), tree.folders.end());
  return tree;
}

bool SameInode(const std::string& a, const std::string& b) {
  struct stat first = {}, second = {};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

Result<uint64_t> Checksum(const std::string& path) {
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(path, AccessPattern::kSequential));
  return Hash64(AsText(file.bytes()));
}

// Collects the state of a collection at one moment in a folder beside it.
class Staging {
 public:
  Staging(collection::Collection& store, const BackupOptions& options)
      : store_(store), options_(options), root_(BackupStagingPath(store.directory())) {}
  ~Staging() { RemoveFolder(root_).IgnoreError(); }

  const std::string& root() const { return root_; }

  Status Run(Progress& progress) {
    progress.Start("gathering files", 0);
    for (int i = 0; i < kCopyTries; ++i) {
      CRV_TRY(RemoveFolder(root_));
      CRV_TRY(MakeFolders(root_));
      std::vector<std::optional<uint64_t>> sequences;
      CRV_TRY(StageIndexes(&sequences));
      CRV_TRY(StageDatabases());
      CRV_ASSIGN(const bool together, IndexesStand(sequences));
      if (!together) continue;
      CRV_TRY(StageArchives());
      CRV_TRY(StageFiles());
      progress.Finish();
      return Status::Ok();
    }
    return Status::Unavailable(store_.directory() +
                               ": cannot back up: the index changes continuously; try again later");
  }

 private:
  // The destination of a part of a tablet; creates its folder.
  Result<std::string> Stage(const collection::Tablet& tablet, std::string_view part) const {
    const std::string folder = collection::Collection::TabletDirectory(root_, tablet.id());
    CRV_TRY(MakeFolders(folder));
    return fmt::format("{}/{}", folder, part);
  }

  Status StageIndexes(std::vector<std::optional<uint64_t>>* sequences) {
    if (!options_.copy_index) return Status::Ok();
    for (collection::Tablet* const tablet : store_.tablets()) {
      CRV_ASSIGN(const std::string to, Stage(*tablet, "index"));
      CRV_ASSIGN(const auto sequence, options_.copy_index(tablet->index_directory(), to));
      sequences->push_back(sequence);
    }
    return Status::Ok();
  }

  // An index is behind its table, and the log of changes has the difference, unless the log was truncated
  // meanwhile, which can happen only after a commit of the index.
  Result<bool> IndexesStand(const std::vector<std::optional<uint64_t>>& sequences) {
    for (size_t i = 0; i < sequences.size(); ++i) {
      CRV_ASSIGN(const auto now, options_.index_sequence(store_.tablets()[i]->index_directory()));
      if (now != sequences[i]) return false;
    }
    return true;
  }

  // Queues and sieves of all tablets at one moment: a link of a committed page is in a sieve or in a
  // queue.
  Status StageDatabases() {
    const collection::Gate::Closed closed(store_.gate());
    for (collection::Tablet* const tablet : store_.tablets()) {
      CRV_ASSIGN(const std::string sieve, Stage(*tablet, "sieve"));
      CRV_TRY(tablet->sieve().CopyTo(tablet->directory() + "/sieve", sieve));
      CRV_ASSIGN(const std::string db, Stage(*tablet, "db"));
      CRV_TRY(tablet->db().Checkpoint(db));
    }
    return Status::Ok();
  }

  // After the databases, so that each row has its record.  Skips files that are being written.
  Status StageArchives() {
    for (collection::Tablet* const tablet : store_.tablets()) {
      if (tablet->archive() != nullptr) {
        CRV_TRY(tablet->archive()->EndFile());
      } else {
        // Writes the missing indexes of files that a crash left.
        CRV_TRY(store::Archive::Open({.directory = tablet->archive_directory()}).status());
      }
      const std::string from = tablet->archive_directory();
      CRV_ASSIGN(const std::string to, Stage(*tablet, "archive"));
      CRV_TRY(MakeFolders(to));
      CRV_ASSIGN(const std::vector<store::ArchiveFile> files, store::ListArchive(from));
      for (const store::ArchiveFile& file : files) {
        if (!file.has_index) continue;
        CRV_TRY(LinkOrCopy(from + "/" + file.name, to + "/" + file.name));
        CRV_TRY(LinkOrCopy(from + "/" + file.index_name, to + "/" + file.index_name));
      }
    }
    return Status::Ok();
  }

  // Copies small files, because users edit some of them.
  Status StageFiles() {
    for (const char* name : {"crivello.toml", "seeds.txt", "exclusions.txt", "forgotten", "seen-texts",
                             "trap-memory", "paused", "offer-again"}) {
      const Status status = CopyFile(store_.directory() + "/" + name, root_ + "/" + name);
      if (status.code() != StatusCode::kNotFound) CRV_TRY(status);
    }
    return Status::Ok();
  }

  collection::Collection& store_;
  const BackupOptions& options_;
  const std::string root_;
};

// An earlier backup to share files with.
struct Previous {
  std::string path;
  std::map<std::string, BackupFile> files;
};
Result<std::optional<Previous>> LastBackup(const std::string& folder) {
  CRV_ASSIGN(const std::vector<std::string> names, ListBackups(folder));
  if (names.empty()) return std::optional<Previous>();
  Previous previous = {.path = folder + "/" + names.back(), .files = {}};
  const auto list = BackupList::Read(previous.path);
  if (!list.ok()) return std::optional<Previous>();  // it cannot be used; `restore` reports that
  for (const BackupFile& file : list->files) previous.files.emplace(file.path, file);
  return std::optional(std::move(previous));
}

// The list of the files in `from`, which may have been renamed to `to` already.
Result<BackupList> Fill(const std::string& from, const std::string& to,
                        const std::optional<Previous>& previous, BackupSummary* summary, Progress& progress) {
  BackupList list;
  CRV_ASSIGN(const Tree tree, ListTree(from));
  CRV_TRY(MakeFolders(to));
  for (const std::string& folder : tree.folders) CRV_TRY(MakeFolders(to + "/" + folder));
  progress.Start("reading files", tree.files.size());
  for (const std::string& path : tree.files) {
    BackupFile file = {.path = path};
    const std::string source = from + "/" + path, target = to + "/" + path;
    CRV_ASSIGN(file.bytes, FileSize(source));
    const BackupFile* before = nullptr;
    if (previous) {
      const auto found = previous->files.find(path);
      if (found != previous->files.end() && found->second.bytes == file.bytes) before = &found->second;
    }
    if (before != nullptr && SameInode(source, previous->path + "/" + path)) {
      file.checksum = before->checksum;  // the very file that was checksummed then
    } else {
      CRV_ASSIGN(file.checksum, Checksum(source));
      if (from != to) {
        const bool same = before != nullptr && before->checksum == file.checksum;
        CRV_TRY(same ? LinkOrCopy(previous->path + "/" + path, target) : CopyFile(source, target));
        if (!same) summary->copied_bytes += file.bytes;
      }
    }
    summary->files++;
    summary->bytes += file.bytes;
    list.files.push_back(std::move(file));
    progress.Advance(1);
  }
  for (const std::string& folder : tree.folders) CRV_TRY(PosixFileSystem().SyncDirectory(to + "/" + folder));
  progress.Finish();
  return list;
}

std::string NameOf(int64_t seconds) {
  const std::string digits = store::FormatTimestamp14(seconds);
  return fmt::format("{}T{}Z", digits.substr(0, 8), digits.substr(8));
}

}  // namespace

std::string BackupStagingPath(const std::string& collection) {
  std::error_code error;
  return fs::absolute(collection, error).string() + "/backup-staging";
}

Result<BackupSummary> Backup(collection::Collection& store, const std::string& folder,
                             const BackupOptions& options, Progress& progress) {
  CRV_ASSIGN(const collection::CareTurns::Turn turn, store.care().Take());
  BackupSummary summary;
  CRV_TRY(MakeFolders(folder));
  CRV_ASSIGN(const int lock, collection::LockFolder(folder));
  struct Unlock {
    int fd;
    ~Unlock() { close(fd); }
  } const unlock{lock};
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with("unfinished-")) continue;
    CRV_TRY(RemoveFolder(it->path().string()));
    summary.removed.push_back(name);
  }
  CRV_ASSIGN(const std::optional<Previous> previous, LastBackup(folder));
  const int64_t made = ToSeconds(options.clock->Wall());
  summary.name = NameOf(made);
  for (int i = 2; fs::exists(folder + "/" + summary.name, error); ++i) {
    summary.name = fmt::format("{}-{:03}", NameOf(made), i);
  }
  const std::string unfinished = folder + "/unfinished-" + summary.name;

  Staging staging(store, options);
  CRV_TRY(staging.Run(progress));
  const bool moved = std::rename(staging.root().c_str(), unfinished.c_str()) == 0;
  if (!moved && errno != EXDEV) return Status::FromErrno("move to", unfinished, errno);
  CRV_ASSIGN(BackupList list,
             Fill(moved ? unfinished : staging.root(), unfinished, previous, &summary, progress));
  list.made = made;
  CRV_ASSIGN(FormatFileWriter file, FormatFileWriter::Create(unfinished + "/backup", BackupList::kFileKind));
  CRV_TRY(file.Append(AsBytes(list.Encode())));
  CRV_TRY(file.Finish());
  CRV_TRY(PosixFileSystem().Rename(unfinished, folder + "/" + summary.name));
  CRV_TRY(PosixFileSystem().SyncDirectory(folder));
  return summary;
}

Result<RestoreSummary> Restore(const std::string& folder, const std::optional<std::string>& name,
                               const std::string& collection, Progress& progress) {
  CRV_ASSIGN(const std::vector<std::string> names, ListBackups(folder));
  if (names.empty()) return Status::NotFound(folder + ": the folder contains no backup");
  RestoreSummary summary = {.name = name.value_or(names.back())};
  if (std::find(names.begin(), names.end(), summary.name) == names.end()) {
    return Status::NotFound(
        fmt::format("{}: there is no backup {}; the newest is {}", folder, summary.name, names.back()));
  }
  std::error_code error;
  if (fs::exists(collection, error) && !fs::is_empty(collection, error)) {
    return Status::InvalidArgument(collection + " already exists; restore the backup into a new folder (-C)");
  }
  const std::string backup = folder + "/" + summary.name;
  CRV_ASSIGN(const BackupList list, BackupList::Read(backup));
  const std::string unfinished = collection + ".unfinished";
  CRV_TRY(RemoveFolder(unfinished));
  CRV_TRY(MakeFolders(unfinished));
  progress.Start("copying files", list.files.size());
  for (const BackupFile& file : list.files) {
    const std::string source = backup + "/" + file.path, target = unfinished + "/" + file.path;
    const auto checksum = Checksum(source);
    if (!checksum.ok() || *checksum != file.checksum) {
      RemoveFolder(unfinished).IgnoreError();
      return Status::Corruption(
          fmt::format("{}: differs from the backup's list of files ({})", source,
                      checksum.ok() ? "its bytes have changed" : checksum.status().message()));
    }
    CRV_TRY(MakeFolders(DirectoryOf(target)));
    CRV_TRY(CopyFile(source, target));
    summary.files++;
    summary.bytes += file.bytes;
    progress.Advance(1);
  }
  CRV_ASSIGN(const Tree tree, ListTree(unfinished));
  for (const std::string& made : tree.folders)
    CRV_TRY(PosixFileSystem().SyncDirectory(unfinished + "/" + made));
  CRV_TRY(PosixFileSystem().SyncDirectory(unfinished));
  CRV_TRY(PosixFileSystem().Rename(unfinished, collection));
  CRV_TRY(PosixFileSystem().SyncDirectory(DirectoryOf(collection)));
  progress.Finish();
  return summary;
}

}  // namespace crivello::care
