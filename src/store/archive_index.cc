// SPDX-License-Identifier: Apache-2.0
#include "store/archive_index.h"

#include <algorithm>
#include <span>

#include "base/mapped_file.h"
#include "store/byte_source.h"
#include "store/warc_reader.h"

namespace crivello::store {
namespace {

// A run is written in pieces of this size, and read in pieces of at least the other.
constexpr size_t kWriteBytes = 1 << 18;
constexpr size_t kLeastReadBytes = 1 << 12;
constexpr std::string_view kRecordEnd = "\r\n\r\n";

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The lines, each with its line break, by bytes.
std::vector<std::string_view> SortedLines(std::string_view lines) {
  std::vector<std::string_view> all;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size() - 1) + 1;
    all.push_back(lines.substr(at, end - at));
    at = end;
  }
  std::sort(all.begin(), all.end());
  return all;
}

// The lines of a run, one after another, through a buffer of its own.
class RunReader {
 public:
  RunReader(const InputFile& file, uint64_t begin, uint64_t end, size_t buffer_bytes)
      : file_(&file), next_(begin), end_(end), buffer_bytes_(buffer_bytes) {}

  std::string_view line() const { return std::string_view(buffer_).substr(at_, line_bytes_); }

  // False at the end.
  Result<bool> Next() {
    at_ += line_bytes_;
    line_bytes_ = 0;
    for (size_t searched = at_;;) {
      const size_t found = buffer_.find('\n', searched);
      if (found != std::string::npos) {
        line_bytes_ = found + 1 - at_;
        return true;
      }
      if (next_ == end_) return false;
      buffer_.erase(0, at_);
      at_ = 0;
      searched = buffer_.size();
      CRV_TRY(Fill());
    }
  }

 private:
  Status Fill() {
    const size_t kept = buffer_.size();
    // A line that fills the buffer has it grow.
    const size_t room = kept < buffer_bytes_ ? buffer_bytes_ - kept : kept;
    buffer_.resize(kept + std::min<uint64_t>(room, end_ - next_));
    const std::span<char> piece = std::span(buffer_).subspan(kept);
    CRV_ASSIGN(const size_t read, file_->Read(next_, std::as_writable_bytes(piece)));
    if (read < piece.size()) return Status::Corruption(file_->path() + ": is shorter than was written");
    next_ += read;
    return Status::Ok();
  }

  const InputFile* file_;
  uint64_t next_;  // to read
  uint64_t end_;
  size_t buffer_bytes_;
  std::string buffer_;
  size_t at_ = 0;  // in it, of the line
  size_t line_bytes_ = 0;
};

}  // namespace

IndexLines::IndexLines(std::string index_path, FileSystem& fs, size_t buffer_bytes)
    : index_path_(std::move(index_path)), fs_(&fs), buffer_bytes_(buffer_bytes) {}

void IndexLines::Add(const CdxjEntry& entry) {
  if (!lost_.ok()) return;
  buffer_ += FormatCdxj(entry);
  buffer_ += '\n';
  if (buffer_.size() >= buffer_bytes_) Flush();
}

void IndexLines::Flush() {
  lost_ = AppendRun();
  buffer_.clear();
  if (lost_.ok()) return;
  // The disk may have wanted room: what is there is of no use without the rest.
  runs_.clear();
  scratch_.reset();
  buffer_ = std::string();
}

Status IndexLines::AppendRun() {
  if (!scratch_) {
    CRV_ASSIGN(scratch_, ScratchFile::Create(DirectoryOf(index_path_), *fs_));
  }
  const uint64_t begin = scratch_->size();
  std::string piece;
  for (const std::string_view line : SortedLines(buffer_)) {
    piece += line;
    if (piece.size() < kWriteBytes) continue;
    CRV_TRY(scratch_->Append(AsBytes(piece)));
    piece.clear();
  }
  if (!piece.empty()) CRV_TRY(scratch_->Append(AsBytes(piece)));
  runs_.push_back({begin, scratch_->size()});
  return Status::Ok();
}

Status IndexLines::Finish(const std::string& warc_path) {
  if (lost_.ok()) {
    const Status written = Write();
    if (written.ok() || lost_.ok()) return written;
  }
  IndexLines anew(index_path_, *fs_, buffer_bytes_);
  CRV_TRY(ScanArchiveFile(warc_path, BaseName(warc_path), [&](const CdxjEntry& entry) { anew.Add(entry); }));
  return anew.Write();
}

Status IndexLines::Write() {
  if (!runs_.empty() && !buffer_.empty()) {
    Flush();
    buffer_ = std::string();  // its memory is now that of the readers
  }
  CRV_TRY(lost_);
  CRV_ASSIGN(AtomicFile index, AtomicFile::Create(index_path_, *fs_));
  if (runs_.empty()) {
    for (const std::string_view line : SortedLines(buffer_)) CRV_TRY(index.Append(AsBytes(line)));
  } else {
    CRV_TRY(Merge(&index));
  }
  return index.Finish();
}

Status IndexLines::Merge(AtomicFile* index) {
  const size_t read_bytes = std::max(kLeastReadBytes, buffer_bytes_ / runs_.size());
  std::vector<RunReader> readers;
  readers.reserve(runs_.size());
  for (const Run& run : runs_) readers.emplace_back(scratch_->input(), run.begin, run.end, read_bytes);
  std::vector<RunReader*> heap;  // the least line is that of the first
  const auto later = [](const RunReader* a, const RunReader* b) { return a->line() > b->line(); };
  const auto push_next = [&](RunReader* reader) -> Status {
    const auto next = reader->Next();
    if (!next.ok()) return lost_ = next.status();
    if (!*next) return Status::Ok();
    heap.push_back(reader);
    std::push_heap(heap.begin(), heap.end(), later);
    return Status::Ok();
  };
  for (RunReader& reader : readers) CRV_TRY(push_next(&reader));
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    RunReader* const least = heap.back();
    heap.pop_back();
    CRV_TRY(index->Append(AsBytes(least->line())));
    CRV_TRY(push_next(least));
  }
  return Status::Ok();
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
      // The two line breaks behind a block are part of the record, as it was written.
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
