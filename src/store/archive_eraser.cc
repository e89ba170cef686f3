// SPDX-License-Identifier: Apache-2.0
#include "store/archive_eraser.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/atomic_file.h"
#include "base/mapped_file.h"
#include "store/archive_reader.h"
#include "store/cdxj.h"
#include "store/tombstone.h"

namespace crivello::store {
namespace {

WarcCompression CompressionOf(std::string_view name) {
  if (name.ends_with(".gz")) return WarcCompression::kGzip;
  return name.ends_with(".zst") ? WarcCompression::kZstd : WarcCompression::kNone;
}

// Calls take(line), with its line break, for each line.
template <typename Take>
Status ForEachLine(std::string_view text, Take take) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    CRV_TRY(take(text.substr(0, end)));
    text.remove_prefix(end);
  }
  return Status::Ok();
}

Result<std::vector<ArchiveFile>> FilesOf(const std::string& directory) {
  std::error_code error;
  if (!std::filesystem::exists(directory, error)) return std::vector<ArchiveFile>();
  return ListArchive(directory);
}

// Removes what a crash left of BlankFile().
Status RemoveTemporaries(const std::string& directory, FileSystem& fs) {
  std::error_code error;
  for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.find(".warc") != std::string::npos && name.find(".tmp-") != std::string::npos) {
      CRV_TRY(fs.Remove(directory + "/" + name));
    }
  }
  return error ? Status::FromErrno("list folder", directory, error.value()) : Status::Ok();
}

// Writes a new copy of the file, with tombstones for `records`, which are sorted and all from this file.
Status BlankFile(const std::string& path, const std::vector<RecordLocator>& records, int64_t date,
                 Random& random, FileSystem& fs) {
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(path, AccessPattern::kSequential));
  CRV_ASSIGN(AtomicFile copy, AtomicFile::Create(path, fs));
  uint64_t at = 0;
  for (const RecordLocator& record : records) {
    if (record.offset < at || record.length > file.bytes().size() ||
        record.offset > file.bytes().size() - record.length) {
      return Status::Corruption(fmt::format("{}: corrupt: no record of {} bytes fits at offset {}", path,
                                            record.length, record.offset));
    }
    CRV_TRY(copy.Append(file.bytes().subspan(at, record.offset - at)));
    CRV_TRY(copy.Append(AsBytes(MakeTombstone(CompressionOf(path), record.length, date, random))));
    at = record.offset + record.length;
  }
  CRV_TRY(copy.Append(file.bytes().subspan(at)));
  return copy.Finish();
}

// Writes the index without the lines of records at these offsets.
Status BlankIndex(const std::string& path, const std::set<uint64_t>& offsets, FileSystem& fs) {
  CRV_ASSIGN(const std::string lines, ReadFile(path));
  std::string kept;
  CRV_TRY(ForEachLine(lines, [&](std::string_view line) {
    const auto entry = ParseCdxj(line);
    if (!entry.ok() || !entry->offset || !offsets.contains(*entry->offset)) kept += line;
    return Status::Ok();
  }));
  return WriteFileAtomically(path, AsBytes(kept), fs);
}

}  // namespace

Result<std::vector<RecordLocator>> RecordsOfCapture(const ArchiveReader& reader,
                                                    const RecordLocator& locator) {
  std::vector<RecordLocator> records = {locator};
  const auto capture = reader.ReadCapture(locator);
  // A record that cannot be read still has its place.
  if (capture.status().code() == StatusCode::kCorruption) return records;
  CRV_TRY(capture.status());
  for (size_t i = 1; i < capture->size(); ++i) {
    const WarcRecord& record = *(*capture)[i];
    records.push_back({.file = locator.file, .offset = record.offset, .length = record.stored_bytes});
  }
  return records;
}

Result<std::vector<RecordLocator>> FindCaptures(const std::string& directory,
                                                const std::function<bool(std::string_view url)>& wanted) {
  std::vector<RecordLocator> records;
  const ArchiveReader reader(directory);
  CRV_ASSIGN(const std::vector<ArchiveFile> files, FilesOf(directory));
  for (const ArchiveFile& file : files) {
    if (!file.has_index) continue;
    CRV_ASSIGN(const MappedFile index, MappedFile::Open(directory + "/" + file.index_name));
    CRV_TRY(ForEachLine(AsText(index.bytes()), [&](std::string_view line) -> Status {
      const auto entry = ParseCdxj(line);
      if (!entry.ok() || !entry->offset || !entry->length || !wanted(entry->url)) return Status::Ok();
      CRV_ASSIGN(const std::vector<RecordLocator> capture,
                 RecordsOfCapture(reader,
                                  {.file = file.serial, .offset = *entry->offset, .length = *entry->length}));
      records.insert(records.end(), capture.begin(), capture.end());
      return Status::Ok();
    }));
  }
  return records;
}

Status EraseRecords(const std::string& directory, std::vector<RecordLocator> records, int64_t date,
                    Random& random, Progress& progress, FileSystem& fs) {
  const auto place = [](const RecordLocator& r) { return std::pair(r.file, r.offset); };
  std::sort(records.begin(), records.end(),
            [&](const RecordLocator& a, const RecordLocator& b) { return place(a) < place(b); });
  records.erase(std::unique(records.begin(), records.end()), records.end());
  CRV_ASSIGN(const std::vector<ArchiveFile> files, FilesOf(directory));
  if (!files.empty()) CRV_TRY(RemoveTemporaries(directory, fs));
  progress.Start("blanking records", records.size());
  for (const ArchiveFile& file : files) {
    std::vector<RecordLocator> here;
    std::set<uint64_t> offsets;
    for (const RecordLocator& record : records) {
      if (record.file != file.serial) continue;
      here.push_back(record);
      offsets.insert(record.offset);
    }
    if (here.empty()) continue;
    if (!file.has_index) {
      return Status::InvalidArgument(fmt::format("{}/{}: is still being written", directory, file.name));
    }
    CRV_TRY(BlankFile(directory + "/" + file.name, here, date, random, fs));
    CRV_TRY(BlankIndex(directory + "/" + file.index_name, offsets, fs));
    progress.Advance(here.size());
  }
  progress.Finish();
  return Status::Ok();
}

}  // namespace crivello::store
