// SPDX-License-Identifier: Apache-2.0
#include "store/archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/civil_time.h"
#include "base/folder.h"
#include "store/archive_reader.h"

namespace crivello::store {
namespace {

std::string_view ExtensionOf(WarcCompression compression) {
  switch (compression) {
    case WarcCompression::kGzip:
      return ".warc.gz";
    case WarcCompression::kZstd:
      return ".warc.zst";
    case WarcCompression::kNone:
      break;
  }
  return ".warc";
}

constexpr uint64_t kMaxLeftoverBytes = 1 << 20;

}  // namespace

std::vector<std::string> ArchiveRecovery::Sentences() const {
  std::vector<std::string> sentences;
  for (const File& file : files) {
    std::string text =
        fmt::format("{}: was not closed properly; rebuilt its index of {} records", file.name, file.records);
    if (file.cut_bytes > 0)
      text += fmt::format("; removed {} bytes of a torn record at its end", file.cut_bytes);
    if (file.damages > 0) text += fmt::format("; left {} corrupt places as they are", file.damages);
    sentences.push_back(std::move(text));
  }
  return sentences;
}

Archive::Archive(ArchiveOptions options)
    : options_(std::move(options)), random_(options_.seed), encoder_(options_.warc, random_) {}

Archive::~Archive() = default;

Result<std::unique_ptr<Archive>> Archive::Open(ArchiveOptions options) {
  if (!options.warc.zstd_dictionary.empty()) {
    return Status::InvalidArgument(
        "an archive cannot use a zstd dictionary, because each record must be readable alone");
  }
  CRV_TRY(MakeFolders(options.directory));
  CRV_TRY(options.fs->SyncDirectory(DirectoryOf(options.directory)));
  std::unique_ptr<Archive> archive(new Archive(std::move(options)));
  CRV_TRY(archive->Recover());
  return archive;
}

// A file without an index was being written when the process ended.
Status Archive::Recover() {
  CRV_ASSIGN(const std::vector<ArchiveFile> files, ListArchive(options_.directory));
  const std::string folder = options_.directory + "/";
  FileSystem& fs = *options_.fs;
  for (const ArchiveFile& file : files) {
    MutexLock lock(mu_);
    next_serial_ = file.serial + 1;
    if (file.has_index) continue;
    IndexLines lines(folder + file.index_name, fs, options_.index_buffer_bytes);
    CRV_ASSIGN(const ArchiveScan scan, ScanArchiveFile(folder + file.name, file.name,
                                                       [&](const CdxjEntry& entry) { lines.Add(entry); }));
    CRV_ASSIGN(const uint64_t size, FileSize(folder + file.name));
    recovery_.files.push_back({.name = file.name,
                               .cut_bytes = size - scan.good_bytes,
                               .damages = scan.damages,
                               .records = scan.records});
    if (scan.records == 0) {
      // Torn while its first record was written. A larger file cannot be left over from a crash.
      if (size > kMaxLeftoverBytes) {
        return Status::Corruption(fmt::format(
            "{}{}: found {} bytes but no record; check the file and move it away", folder, file.name, size));
      }
      CRV_TRY(fs.Remove(folder + file.name));
      continue;
    }
    if (size > scan.good_bytes) CRV_TRY(fs.Truncate(folder + file.name, scan.good_bytes));
    CRV_TRY(lines.Finish(folder + file.name));
  }
  // Temporary files of an unfinished index, and scratch files that a crash left with a name.
  std::error_code error;
  for (std::filesystem::directory_iterator it(options_.directory, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    const bool part = name.ends_with(".cdxj.part");  // older collections kept the lines there
    if (part || name.starts_with("scratch-") || name.find(".cdxj.tmp-") != std::string::npos)
      CRV_TRY(fs.Remove(folder + name));
  }
  if (error) return Status::FromErrno("list folder", options_.directory, error.value());
  return Status::Ok();
}

Status Archive::StartFile() {
  const int64_t now = ToSeconds(options_.clock->Wall());
  const uint32_t serial = next_serial_++;  // used up even if this fails, because the file may exist
  const std::string name =
      ArchiveFileName(options_.prefix, now, serial, ExtensionOf(options_.warc.compression));
  const std::string path = options_.directory + "/" + name;
  FileSystem& fs = *options_.fs;
  CRV_ASSIGN(auto file, fs.OpenForAppend(path, {.truncate = true}));
  CRV_ASSIGN(auto sync, fs.OpenForAppend(path, {}));
  CRV_TRY(fs.SyncDirectory(options_.directory));

  std::string info =
      "format: WARC File Format 1.1\r\n"
      "conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n";
  AppendWarcFields(options_.warcinfo, &info);
  std::string bytes;
  CRV_TRY(encoder_.Append({.type = WarcType::kWarcinfo,
                           .date = now,
                           .content_type = "application/warc-fields",
                           .fields = {{"WARC-Filename", name}},
                           .body = info},
                          &bytes));
  const std::string stem = name.substr(0, name.find('.'));
  IndexLines lines(options_.directory + "/" + stem + ".cdxj", fs, options_.index_buffer_bytes);
  auto current = std::make_unique<Current>(Current{.serial = serial,
                                                   .path = path,
                                                   .file = std::move(file),
                                                   .sync = std::move(sync),
                                                   .lines = std::move(lines)});
  current_ = std::move(current);
  const Status written = AppendBytes(bytes);
  if (!written.ok()) {
    current_.reset();
    fs.Remove(path).IgnoreError();  // if this fails, the next Open() removes it
  }
  return written;
}

Status Archive::AppendBytes(std::string_view bytes) {
  Current& current = *current_;
  if (current.torn) {
    CRV_TRY(options_.fs->Truncate(current.path, current.size));
    current.torn = false;
  }
  current.torn = true;
  CRV_TRY(current.file->Append(AsBytes(bytes)));
  current.torn = false;
  current.size += bytes.size();
  appended_ += bytes.size();
  return Status::Ok();
}

Result<RecordLocator> Archive::Append(const EncodedCapture& capture) {
  RecordLocator locator;
  bool filled = false;
  {
    MutexLock lock(mu_);
    if (closed_) return Status::InvalidArgument(options_.directory + ": the archive is already closed");
    CRV_TRY(broken_);
    if (current_ != nullptr && current_->size >= options_.rotate_bytes) {
      CRV_TRY(FinishFile());
      filled = true;
    }
    if (current_ == nullptr) CRV_TRY(StartFile());
    locator = {.file = current_->serial, .offset = current_->size, .length = capture.response_bytes};
    CRV_TRY(AppendBytes(capture.bytes));
    CdxjEntry entry = capture.entry;
    entry.offset = locator.offset;
    entry.filename = current_->path.substr(current_->path.rfind('/') + 1);
    current_->lines.Add(entry);
  }
  // The capture has been appended. If an index cannot be written now, it is tried again at the next rotation,
  // by Close() and by Open().
  if (filled) WriteIndexes().IgnoreError();
  return locator;
}

Status Archive::Sync() {
  uint64_t wanted = 0;
  {
    MutexLock lock(mu_);
    wanted = appended_;
  }
  // A thread that waits here usually finds that the one before it has synced for both.
  MutexLock sync_lock(sync_mu_);
  std::shared_ptr<AppendFile> file;
  uint64_t appended = 0;
  ArchiveEnd end;
  {
    MutexLock lock(mu_);
    CRV_TRY(broken_);
    if (synced_ >= wanted) return Status::Ok();
    file = current_->sync;  // FinishFile() syncs, so only the current file has unsynced bytes
    appended = appended_;
    end = {.serial = current_->serial, .bytes = current_->size};
  }
  const Status status = file->Sync();
  MutexLock lock(mu_);
  if (status.ok()) {
    synced_ = std::max(synced_, appended);
    synced_end_ = std::max(synced_end_, end);
  } else {
    broken_ = status;
  }
  return status;
}

Status Archive::FinishFile() {
  if (current_->torn) {
    CRV_TRY(options_.fs->Truncate(current_->path, current_->size));
    current_->torn = false;
  }
  broken_ = current_->file->Sync();
  CRV_TRY(broken_);
  synced_ = appended_;
  synced_end_ = {.serial = current_->serial, .bytes = current_->size};
  current_->file.reset();
  full_.push_back(std::move(current_));
  return Status::Ok();
}

Status Archive::WriteIndexes() {
  MutexLock one_at_a_time(index_mu_);  // a caller that returns knows that all are written
  for (;;) {
    std::unique_ptr<Current> full;
    {
      MutexLock lock(mu_);
      if (full_.empty()) return Status::Ok();
      full = std::move(full_.back());
      full_.pop_back();
    }
    const Status status = full->lines.Finish(full->path);
    if (!status.ok()) {
      MutexLock lock(mu_);
      full_.push_back(std::move(full));
      return status;
    }
  }
}

Status Archive::EndFile() {
  {
    MutexLock lock(mu_);
    CRV_TRY(broken_);
    if (current_ != nullptr) CRV_TRY(FinishFile());
  }
  return WriteIndexes();
}

Status Archive::Close() {
  {
    MutexLock lock(mu_);
    if (!closed_) {
      CRV_TRY(broken_);
      if (current_ != nullptr) CRV_TRY(FinishFile());
    }
    closed_ = true;
  }
  return WriteIndexes();
}

ArchiveEnd Archive::synced_end() const {
  MutexLock lock(mu_);
  return synced_end_;
}

uint64_t Archive::appended_bytes() const {
  MutexLock lock(mu_);
  return appended_;
}

}  // namespace crivello::store
