// SPDX-License-Identifier: Apache-2.0
#include "store/archive_index.h"

#include <utility>

#include "base/atomic_file.h"
#include "base/mapped_file.h"
#include "store/byte_source.h"
#include "store/warc_reader.h"

namespace crivello::store {
namespace {

constexpr std::string_view kRecordEnd = "\r\n\r\n";

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

IndexLines::IndexLines(std::string index_path, FileSystem& fs, size_t buffer_bytes)
    : index_path_(std::move(index_path)),
      fs_(&fs),
      buffer_bytes_(buffer_bytes),
      sorter_(
          std::in_place,
          ExternalSortOptions{.folder = DirectoryOf(index_path_), .memory_bytes = buffer_bytes, .fs = fs_}) {}

void IndexLines::Add(const CdxjEntry& entry) {
  if (!sorter_) return;
  lost_ = sorter_->Add(FormatCdxj(entry) + '\n');
  // The disk may be full. The lines so far are useless without the rest.
  if (!lost_.ok()) sorter_.reset();
}

Status IndexLines::Finish(const std::string& warc_path) {
  if (sorter_) {
    const Status written = Write();
    if (sorter_) return written;
  }
  IndexLines again(index_path_, *fs_, buffer_bytes_);
  CRV_TRY(ScanArchiveFile(warc_path, BaseName(warc_path), [&](const CdxjEntry& entry) { again.Add(entry); }));
  return again.Write();
}

Status IndexLines::Write() {
  CRV_TRY(lost_);
  lost_ = sorter_->Sort();
  if (lost_.ok()) {
    CRV_ASSIGN(AtomicFile index, AtomicFile::Create(index_path_, *fs_));
    while (sorter_->Next()) CRV_TRY(index.Append(AsBytes(sorter_->record())));
    lost_ = sorter_->status();
    if (lost_.ok()) return index.Finish();
  }
  sorter_.reset();
  return lost_;
}

Result<ArchiveScan> ScanArchiveFile(const std::string& path, std::string_view name,
                                    const std::function<void(const CdxjEntry&)>& take) {
  CRV_ASSIGN(const MappedFile mapped, MappedFile::Open(path, AccessPattern::kSequential));
  const std::string_view file = AsText(mapped.bytes());
  WarcReader reader(file, {.max_block_bytes = uint64_t{1} << 32, .max_damages = 1});
  ArchiveScan scan;
  while (const auto record = reader.Next()) {
    if (!record->whole || reader.in_damaged_member()) continue;
    uint64_t stored = record->stored_bytes > 0 ? record->stored_bytes
                                               : StoredLength(file.substr(record->offset)).value_or(0);
    if (ContainerOf(file.substr(record->offset)) == Container::kPlain) {
      // The two line breaks after a block are part of the record as written.
      if (!file.substr(record->offset + stored).starts_with(kRecordEnd)) continue;
      stored += kRecordEnd.size();
    }
    scan.records++;
    scan.good_bytes = record->offset + stored;
    scan.damages = reader.damages();
    if (auto entry = MakeCdxjEntry(*record, name)) {
      entry->length = stored;
      take(*entry);
    }
  }
  return scan;
}

}  // namespace crivello::store
