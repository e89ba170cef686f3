// SPDX-License-Identifier: Apache-2.0
#include "kv/file_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "base/mapped_file.h"
#include "kv/manifest_end.h"

namespace crivello::kv {
namespace {

// CRC-32C (Castagnoli), with RocksDB's masking.
constexpr std::array<uint32_t, 256> kCrcTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78u : 0);
    table[i] = crc;
  }
  return table;
}();

uint32_t MaskedCrc(std::string_view bytes) {
  uint32_t crc = 0xffffffffu;
  for (const char c : bytes) crc = (crc >> 8) ^ kCrcTable[(crc ^ static_cast<uint8_t>(c)) & 0xff];
  crc = ~crc;
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

template <typename T>
T Load(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// A log consists of blocks of 32 KiB. A record, or a part of one, is within a block: checksum, length, type
// (for recycled logs also the log's number), bytes. The checksum covers everything after the length.
constexpr size_t kLogBlockBytes = 32 << 10;
constexpr size_t kLogHeaderBytes = 7;
constexpr size_t kRecycledHeaderBytes = 11;
constexpr size_t kLogLengthAt = 4;
constexpr size_t kLogTypeAt = 6;
constexpr uint8_t kFirstRecycledType = 5;
constexpr uint8_t kLastRecycledType = 8;

// The length of the record at the start of `block`, including its header; nullopt if it is not a record.
struct LogRecord {
  size_t bytes = 0;
  bool good = false;
};
std::optional<LogRecord> ReadLogRecord(std::string_view block) {
  if (block.size() < kLogHeaderBytes) return std::nullopt;
  const auto type = static_cast<uint8_t>(block[kLogTypeAt]);
  const bool recycled = type >= kFirstRecycledType && type <= kLastRecycledType;
  const size_t size =
      (recycled ? kRecycledHeaderBytes : kLogHeaderBytes) + Load<uint16_t>(block, kLogLengthAt);
  if (size > block.size()) return std::nullopt;
  return LogRecord{size, Load<uint32_t>(block, 0) == MaskedCrc(block.substr(kLogTypeAt, size - kLogTypeAt))};
}

// A blob file is a header, records, and a footer once it is full. A record is the lengths of key and value,
// its expiration, a checksum of these, a checksum of key and value, the key and the value.
constexpr size_t kBlobHeaderBytes = 30;
constexpr size_t kBlobFooterBytes = 32;
constexpr size_t kBlobRecordHeaderBytes = 32;
constexpr size_t kBlobHeaderCrcAt = 24;
constexpr size_t kBlobCrcAt = 28;
constexpr uint32_t kBlobMagic = 2395959;

}  // namespace

void CheckLog(const std::string& path, std::string_view bytes, const NoteDamage& note) {
  std::vector<uint64_t> bad;  // since the last good record
  for (uint64_t start = 0; start < bytes.size(); start += kLogBlockBytes) {
    const std::string_view block = bytes.substr(start, kLogBlockBytes);
    size_t at = 0;
    while (block.size() - at >= kLogHeaderBytes) {
      const std::string_view rest = block.substr(at);
      // Preallocated space that was never written.
      if (rest.find_first_not_of('\0') == std::string_view::npos) break;
      const auto record = ReadLogRecord(rest);
      if (!record || !record->good) bad.push_back(start + at);
      if (!record) break;  // the next block starts with a record again
      if (record->good) {
        for (const uint64_t place : bad) {
          note(fmt::format("{}: corrupt record at offset {}", path, place));
        }
        bad.clear();
      }
      at += record->bytes;
    }
  }
}

void CheckBlobFile(const std::string& path, std::string_view bytes, const NoteDamage& note) {
  if (bytes.size() < kBlobHeaderBytes || Load<uint32_t>(bytes, 0) != kBlobMagic) {
    note(path + ": corrupt header");
    return;
  }
  size_t at = kBlobHeaderBytes;
  while (at < bytes.size()) {
    const std::string_view rest = bytes.substr(at);
    if (rest.size() == kBlobFooterBytes && Load<uint32_t>(rest, 0) == kBlobMagic) {
      if (Load<uint32_t>(rest, kBlobFooterBytes - 4) == MaskedCrc(rest.substr(0, kBlobFooterBytes - 4)))
        return;
      break;
    }
    if (rest.size() < kBlobRecordHeaderBytes ||
        Load<uint32_t>(rest, kBlobHeaderCrcAt) != MaskedCrc(rest.substr(0, kBlobHeaderCrcAt))) {
      break;
    }
    const uint64_t key = Load<uint64_t>(rest, 0);
    const uint64_t value = Load<uint64_t>(rest, 8);
    const uint64_t room = rest.size() - kBlobRecordHeaderBytes;
    if (key > room || value > room - key) break;
    if (Load<uint32_t>(rest, kBlobCrcAt) != MaskedCrc(rest.substr(kBlobRecordHeaderBytes, key + value))) {
      note(fmt::format("{}: corrupt value at offset {}", path, at));
    }
    at += kBlobRecordHeaderBytes + key + value;
  }
  // Records can no longer be located, or the file has no end.
  note(fmt::format("{}: corrupt: no record starts at offset {}", path, at));
}

Status CheckLogFiles(const std::string& folder, const NoteDamage& note) {
  std::error_code error;
  std::vector<std::string> paths;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    const bool is_log = name.ends_with(".log") || name.starts_with("MANIFEST-");
    if (is_log && it->is_regular_file()) paths.push_back(it->path().string());
  }
  if (error) return Status::FromErrno("read folder", folder, error.value());
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    const Result<MappedFile> file = MappedFile::Open(path, AccessPattern::kSequential);
    if (file.status().code() == StatusCode::kNotFound) continue;  // its owner has removed it
    CRV_TRY(file.status());
    CheckLog(path, AsText(file->bytes()), note);
  }
  for (const auto check : {&ManifestWitness::Check, &ManifestWitness::CheckRecords}) {
    const Status checked = check(folder);
    if (checked.code() == StatusCode::kCorruption) {
      note(checked.message());
    } else {
      CRV_TRY(checked);
    }
  }
  return Status::Ok();
}

}  // namespace crivello::kv
