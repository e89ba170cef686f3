// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/mapped_file.h"

namespace crivello {
namespace {

constexpr size_t kLogBufferBytes = 1 << 18;

// A record's header, as in docs/formats/log.md; the payload follows, padded to 8 bytes.
constexpr size_t kRecordHeaderBytes = 24;
constexpr size_t kLengthAt = 0;
constexpr size_t kCheckAt = 4;
constexpr size_t kSyncedAt = 8;
constexpr size_t kPayloadHashAt = 16;

constexpr uint64_t PaddedTo8(uint64_t n) { return (n + 7) & ~uint64_t{7}; }

// Covers the header's other fields and its position, so that a record that is shifted or left over from
// elsewhere is not valid.
uint32_t HeaderCheck(Bytes header, uint64_t offset, uint64_t seed) {
  std::array<std::byte, kRecordHeaderBytes> copy;
  std::memcpy(copy.data(), header.data(), copy.size());
  StoreField(std::span(copy), kCheckAt, uint32_t{0});
  return static_cast<uint32_t>(Hash64(copy, seed ^ Mix64(offset)));
}

struct Record {
  Bytes payload;
  uint64_t synced = 0;
  uint64_t next = 0;  // offset after it
};

// The length of the record whose header is at `offset`, if the header is undamaged.
std::optional<uint32_t> LengthIn(Bytes header, uint64_t offset, uint64_t seed) {
  if (header.size() < kRecordHeaderBytes) return std::nullopt;
  header = header.first(kRecordHeaderBytes);
  if (LoadField<uint32_t>(header, kCheckAt) != HeaderCheck(header, offset, seed)) return std::nullopt;
  return LoadField<uint32_t>(header, kLengthAt);
}

// The record at `offset`, where `bytes` start, if it is complete and undamaged.
std::optional<Record> RecordIn(Bytes bytes, uint64_t offset, uint64_t seed) {
  const auto length = LengthIn(bytes, offset, seed);
  if (!length || bytes.size() - kRecordHeaderBytes < PaddedTo8(*length)) return std::nullopt;
  const Bytes payload = bytes.subspan(kRecordHeaderBytes, *length);
  if (LoadField<uint64_t>(bytes, kPayloadHashAt) != Hash64(payload)) return std::nullopt;
  return Record{.payload = payload,
                .synced = LoadField<uint64_t>(bytes, kSyncedAt),
                .next = offset + kRecordHeaderBytes + PaddedTo8(*length)};
}
std::optional<Record> RecordAt(Bytes file, uint64_t offset, uint64_t seed) {
  return RecordIn(file.subspan(offset), offset, seed);
}

// The first valid record after `bad` that claims that the byte at `bad` was synced, or 0.
uint64_t FindWitness(Bytes file, uint64_t bad, uint64_t seed) {
  for (uint64_t offset = bad + 8; offset + kRecordHeaderBytes <= file.size(); offset += 8) {
    const auto record = RecordAt(file, offset, seed);
    if (record && record->synced > bad) return offset;
  }
  return 0;
}

struct Scan {
  LogRecovery recovery;
  uint64_t seed = 0;
};

Result<Scan> ScanLog(const std::string& path, FileKind kind, const std::function<Status(Bytes)>& visit) {
  CRV_ASSIGN(const MappedFile mapped, MappedFile::Open(path, AccessPattern::kSequential));
  const Bytes file = mapped.bytes();
  CRV_ASSIGN(const FileHeader header, DecodeFileHeader(path, file));
  CRV_TRY(header.Expect(path, kind));
  LogRecovery recovery = {.good_bytes = kHeaderBytes};
  while (const auto record = RecordAt(file, recovery.good_bytes, header.checksum)) {
    CRV_TRY(visit(record->payload));
    recovery.records++;
    recovery.good_bytes = record->next;
  }
  recovery.torn_bytes = file.size() - recovery.good_bytes;
  if (const uint64_t witness = FindWitness(file, recovery.good_bytes, header.checksum); witness != 0) {
    return Status::Corruption(
        fmt::format("{}: corrupt record at offset {}: it was acknowledged (by the record at {}), so this is "
                    "not a torn write",
                    path, recovery.good_bytes, witness));
  }
  return Scan{.recovery = recovery, .seed = header.checksum};
}

}  // namespace

Result<LogRecovery> ReadLog(const std::string& path, FileKind kind,
                            const std::function<Status(Bytes)>& visit) {
  CRV_ASSIGN(const Scan scan, ScanLog(path, kind, visit));
  return scan.recovery;
}

Result<LogReader> LogReader::Open(const std::string& path, FileKind kind) {
  CRV_ASSIGN(InputFile file, InputFile::Open(path));
  std::array<std::byte, kHeaderBytes> bytes;
  CRV_ASSIGN(const size_t read, file.Read(0, bytes));
  CRV_ASSIGN(const FileHeader header, DecodeFileHeader(path, Bytes(bytes).first(read)));
  CRV_TRY(header.Expect(path, kind));
  return LogReader(std::move(file), header.checksum);
}

Result<Bytes> LogReader::Peek(size_t size) {
  if (end_ - begin_ < size) {
    std::copy(buffer_.begin() + static_cast<ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
    if (buffer_.size() < size) buffer_.resize(std::max(size, 2 * kLogBufferBytes));
    CRV_ASSIGN(const size_t read, file_.Read(offset_ + end_, std::span(buffer_).subspan(end_)));
    end_ += read;
  }
  return Bytes(buffer_).subspan(begin_, std::min(size, end_ - begin_));
}

Result<std::optional<Bytes>> LogReader::Next() {
  CRV_ASSIGN(const Bytes header, Peek(kRecordHeaderBytes));
  const auto length = LengthIn(header, offset_, seed_);
  if (!length) return std::optional<Bytes>();
  CRV_ASSIGN(const Bytes bytes, Peek(kRecordHeaderBytes + PaddedTo8(*length)));
  const auto record = RecordIn(bytes, offset_, seed_);
  if (!record) return std::optional<Bytes>();
  begin_ += record->next - offset_;
  offset_ = record->next;
  return std::optional<Bytes>(record->payload);
}

LogWriter::LogWriter(std::string path, uint64_t seed, uint64_t size, std::unique_ptr<AppendFile> file,
                     FileSystem& fs)
    : path_(std::move(path)), seed_(seed), written_(size), synced_(size), file_(std::move(file)), fs_(&fs) {}

Result<LogWriter::Opened> LogWriter::Open(const std::string& path, FileKind kind,
                                          const std::function<Status(Bytes)>& replay, FileSystem& fs) {
  if (FileSize(path).status().code() == StatusCode::kNotFound) {
    CRV_TRY(WriteFileAtomically(path, EncodeFileHeader(kind), fs));
  }
  CRV_ASSIGN(const Scan scan, ScanLog(path, kind, replay));
  const LogRecovery& recovery = scan.recovery;
  if (recovery.torn_bytes > 0) CRV_TRY(fs.Truncate(path, recovery.good_bytes));
  CRV_ASSIGN(auto file, fs.OpenForAppend(path, {}));
  // The data may still be only in the kernel's cache, but new records will claim that it is durable.
  CRV_TRY(file->Sync());
  return Opened{.writer = LogWriter(path, scan.seed, recovery.good_bytes, std::move(file), fs),
                .recovery = recovery};
}

Status LogWriter::Append(Bytes record) {
  if (!broken_.ok()) return broken_;
  if (record.size() > kMaxLogRecordBytes) {
    return Status::InvalidArgument(fmt::format("{}: cannot append a record of {} bytes: the limit is {}",
                                               path_, record.size(), kMaxLogRecordBytes));
  }
  if (buffer_.size() >= kLogBufferBytes) CRV_TRY(Flush());
  const uint64_t offset = size_bytes();
  const size_t at = buffer_.size();
  buffer_.resize(at + kRecordHeaderBytes + PaddedTo8(record.size()));
  const auto header = std::span(buffer_).subspan(at, kRecordHeaderBytes);
  StoreField(header, kLengthAt, static_cast<uint32_t>(record.size()));
  StoreField(header, kSyncedAt, synced_);
  StoreField(header, kPayloadHashAt, Hash64(record));
  StoreField(header, kCheckAt, HeaderCheck(header, offset, seed_));
  if (!record.empty()) std::memcpy(buffer_.data() + at + kRecordHeaderBytes, record.data(), record.size());
  return Status::Ok();
}

Status LogWriter::Flush() {
  if (torn_) {
    CRV_TRY(fs_->Truncate(path_, written_));
    torn_ = false;
  }
  if (Status status = file_->Append(buffer_); !status.ok()) {
    torn_ = true;
    return status;
  }
  written_ += buffer_.size();
  buffer_.clear();
  return Status::Ok();
}

Status LogWriter::Sync() {
  if (!broken_.ok()) return broken_;
  CRV_TRY(Flush());
  broken_ = file_->Sync();
  if (broken_.ok()) synced_ = written_;
  return broken_;
}

}  // namespace crivello
