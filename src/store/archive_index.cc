// SPDX-License-Identifier: Apache-2.0
#include "store/archive_index.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/atomic_file.h"
#include "base/mapped_file.h"
#include "store/byte_source.h"
#include "store/warc_reader.h"

namespace crivello::store {
namespace {

constexpr size_t kBufferBytes = 1 << 16;
constexpr std::string_view kRecordEnd = "\r\n\r\n";

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

IndexLines::IndexLines(std::string index_path, FileSystem& fs)
    : index_path_(std::move(index_path)), fs_(&fs) {}

void IndexLines::Add(const CdxjEntry& entry) {
  if (lost_) return;
  buffer_ += FormatCdxj(entry);
  buffer_ += '\n';
  if (buffer_.size() >= kBufferBytes) Flush();
}

void IndexLines::Flush() {
  if (part_ == nullptr) {
    auto part = fs_->OpenForAppend(index_path_ + ".part", {.truncate = true});
    if (part.ok()) part_ = std::move(part).value();
  }
  lost_ = part_ == nullptr || !part_->Append(AsBytes(buffer_)).ok();
  buffer_.clear();
}

Status IndexLines::Finish(const std::string& warc_path) {
  std::string lines;
  if (part_ != nullptr && !lost_) {
    CRV_ASSIGN(lines, ReadFile(index_path_ + ".part"));
  }
  if (lost_) {
    CRV_ASSIGN(ArchiveScan scan, ScanArchiveFile(warc_path, BaseName(warc_path)));
    lines = std::move(scan.lines);
  } else {
    lines = SortLines(lines + buffer_);
  }
  CRV_TRY(WriteFileAtomically(index_path_, AsBytes(lines), *fs_));
  if (part_ != nullptr) fs_->Remove(index_path_ + ".part").IgnoreError();  // else opening removes it
  return Status::Ok();
}

std::string SortLines(std::string_view lines) {
  std::vector<std::string_view> all;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size() - 1) + 1;
    all.push_back(lines.substr(at, end - at));
    at = end;
  }
  std::sort(all.begin(), all.end());
  std::string sorted;
  sorted.reserve(lines.size());
  for (const std::string_view line : all) sorted += line;
  return sorted;
}

Result<ArchiveScan> ScanArchiveFile(const std::string& path, std::string_view name) {
  CRV_ASSIGN(const MappedFile mapped, MappedFile::Open(path, AccessPattern::kSequential));
  const std::string_view file = AsText(mapped.bytes());
  WarcReader reader(file, {.max_block_bytes = uint64_t{1} << 32, .max_damages = 1});
  ArchiveScan scan;
  std::string lines;
  while (const auto record = reader.Next()) {
    if (!record->whole || reader.in_damaged_member()) continue;
    uint64_t stored = record->stored_bytes > 0 ? record->stored_bytes
                                               : StoredLength(file.substr(record->offset)).value_or(0);
    if (ContainerOf(file.substr(record->offset)) == Container::kPlain) {
      // The two line breaks behind a block are part of the record, as it was written.
      if (!file.substr(record->offset + stored).starts_with(kRecordEnd)) continue;
      stored += kRecordEnd.size();
    }
    scan.records++;
    scan.good_bytes = record->offset + stored;
    scan.damages = reader.damages();
    if (auto entry = MakeCdxjEntry(*record, name)) {
      entry->length = stored;
      lines += FormatCdxj(*entry) + "\n";
    }
  }
  scan.lines = SortLines(lines);
  return scan;
}

}  // namespace crivello::store
