// SPDX-License-Identifier: Apache-2.0
#include "store/archive_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <set>

#include "base/ascii.h"
#include "store/byte_source.h"
#include "store/warc_reader.h"

namespace crivello::store {
namespace {

constexpr std::array<std::string_view, 3> kExtensions = {".warc.gz", ".warc.zst", ".warc"};
constexpr size_t kTimeDigits = 14;
constexpr uint64_t kMaxReadBytes = uint64_t{1} << 32;
constexpr uint64_t kMaxHeadBytes = 1 << 14;       // enough for the head of a WARC record
constexpr uint64_t kMaxCompanionBytes = 1 << 18;  // the request and metadata of a capture are small

bool IsNumber(std::string_view text) { return !text.empty() && AllAsciiDigits(text); }

// Parses "PREFIX-TIME-SERIAL" with one of our extensions.
std::optional<ArchiveFile> ParseName(const std::string& name) {
  for (const std::string_view extension : kExtensions) {
    if (!name.ends_with(extension)) continue;
    const std::string_view stem = std::string_view(name).substr(0, name.size() - extension.size());
    // From the right, because a prefix may contain '-'.
    const size_t last = stem.rfind('-');
    if (last == std::string_view::npos || last < kTimeDigits + 2) return std::nullopt;
    const std::string_view serial = stem.substr(last + 1);
    const std::string_view time = stem.substr(last - kTimeDigits, kTimeDigits);
    const size_t before = last - kTimeDigits - 1;
    ArchiveFile file = {.name = name, .index_name = std::string(stem) + ".cdxj"};
    const auto [end, error] = std::from_chars(serial.data(), serial.data() + serial.size(), file.serial);
    if (!IsNumber(time) || stem[before] != '-' || !IsArchivePrefix(stem.substr(0, before)) ||
        !IsNumber(serial) || error != std::errc()) {
      return std::nullopt;
    }
    return file;
  }
  return std::nullopt;
}

// Up to `length` bytes at `offset`.
Result<std::string> ReadAt(const std::string& path, uint64_t offset, uint64_t length) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Status::FromErrno("open", path, errno);
  // The file may be shorter than a damaged locator says: allocate no more than it has.
  const off_t size = ::lseek(fd, 0, SEEK_END);
  const uint64_t there =
      size < 0 || offset >= static_cast<uint64_t>(size) ? 0 : static_cast<uint64_t>(size) - offset;
  std::string bytes(std::min(length, there), '\0');
  size_t done = 0;
  int error = 0;
  while (done < bytes.size()) {
    const ssize_t n =
        ::pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      error = n < 0 ? errno : 0;
      break;
    }
    done += static_cast<size_t>(n);
  }
  ::close(fd);
  if (error != 0) return Status::FromErrno("read", path, error);
  bytes.resize(done);
  return bytes;
}

}  // namespace

std::string ArchiveFileName(std::string_view prefix, int64_t time, uint32_t serial,
                            std::string_view extension) {
  return fmt::format("{}-{}-{:08}{}", prefix, FormatTimestamp14(time), serial, extension);
}

bool IsArchivePrefix(std::string_view prefix) {
  constexpr size_t kMostPrefix = 64;
  for (const char c : prefix) {
    if (!IsAsciiAlnum(c) && c != '-' && c != '_') return false;
  }
  return !prefix.empty() && prefix.size() <= kMostPrefix;
}

Result<std::vector<ArchiveFile>> ListArchive(const std::string& directory) {
  std::error_code error;
  std::vector<ArchiveFile> files;
  std::set<std::string> indexes;
  for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.ends_with(".cdxj")) indexes.insert(name);
    if (auto file = ParseName(name)) files.push_back(std::move(*file));
  }
  if (error) return Status::FromErrno("list folder", directory, error.value());
  for (ArchiveFile& file : files) file.has_index = indexes.contains(file.index_name);
  std::sort(files.begin(), files.end(),
            [](const ArchiveFile& a, const ArchiveFile& b) { return a.serial < b.serial; });
  return files;
}

struct ArchivedRecord::State {
  std::string bytes;
  std::unique_ptr<WarcReader> reader;
  WarcRecord record;
};

ArchivedRecord::ArchivedRecord(std::unique_ptr<State> state) : state_(std::move(state)) {}
ArchivedRecord::ArchivedRecord(ArchivedRecord&&) noexcept = default;
ArchivedRecord& ArchivedRecord::operator=(ArchivedRecord&&) noexcept = default;
ArchivedRecord::~ArchivedRecord() = default;
const WarcRecord& ArchivedRecord::operator*() const { return state_->record; }
const WarcRecord* ArchivedRecord::operator->() const { return &state_->record; }

Result<std::string> ArchiveReader::PathOf(uint32_t serial) const {
  MutexLock lock(mu_);
  auto found = names_.find(serial);
  if (found == names_.end()) {
    CRV_ASSIGN(const std::vector<ArchiveFile> files, ListArchive(directory_));
    for (const ArchiveFile& file : files) names_[file.serial] = file.name;
    found = names_.find(serial);
  }
  if (found == names_.end()) {
    return Status::NotFound(fmt::format("{}: archive file number {} is missing", directory_, serial));
  }
  return directory_ + "/" + found->second;
}

Result<ArchivedRecord> ArchiveReader::Read(const RecordLocator& locator) const {
  CRV_ASSIGN(const std::string path, PathOf(locator.file));
  const auto damaged = [&](std::string_view why) {
    return Status::Corruption(fmt::format("{}: at {}: {}", path, locator.offset, why));
  };
  if (locator.length == 0 || locator.length > kMaxReadBytes)
    return damaged("the locator does not point to a record");
  auto state = std::make_unique<ArchivedRecord::State>();
  CRV_ASSIGN(state->bytes, ReadAt(path, locator.offset, locator.length));
  if (state->bytes.size() != locator.length) {
    return damaged(
        fmt::format("truncated: expected {} bytes, found {}", locator.length, state->bytes.size()));
  }
  state->reader = std::make_unique<WarcReader>(state->bytes, WarcReader::Options{.max_damages = 1});
  auto record = state->reader->Next();
  if (!record || !record->whole || record->offset != 0 || state->reader->damages() > 0 ||
      state->reader->in_damaged_member()) {
    return damaged("incomplete record");
  }
  state->record = std::move(*record);
  state->record.offset = locator.offset;
  return ArchivedRecord(std::move(state));
}

Result<std::vector<ArchivedRecord>> ArchiveReader::ReadCapture(const RecordLocator& locator) const {
  std::vector<ArchivedRecord> records;
  CRV_ASSIGN(ArchivedRecord first, Read(locator));
  const std::string id(first->fields.Find("WARC-Record-ID").value_or(""));
  records.push_back(std::move(first));
  CRV_ASSIGN(const std::string path, PathOf(locator.file));
  const uint64_t behind = locator.offset + locator.length;
  CRV_ASSIGN(const std::string bytes, ReadAt(path, behind, kMaxCompanionBytes));
  WarcReader reader(bytes);
  while (const auto record = reader.Next()) {
    if (record->fields.Find("WARC-Concurrent-To").value_or("") != id || record->stored_bytes == 0) break;
    auto companion =
        Read({.file = locator.file, .offset = behind + record->offset, .length = record->stored_bytes});
    if (!companion.ok()) break;
    records.push_back(std::move(companion).value());
  }
  return records;
}

Result<std::string> ArchiveReader::UrlAt(uint32_t serial, uint64_t offset) const {
  CRV_ASSIGN(const std::string path, PathOf(serial));
  CRV_ASSIGN(const std::string bytes, ReadAt(path, offset, kMaxHeadBytes));
  // Most records are truncated here, after their heads.
  WarcReader reader(bytes, WarcReader::Options{.max_damages = 1});
  const auto record = reader.Next();
  const auto url = record && record->offset == 0 ? record->fields.Find("WARC-Target-URI") : std::nullopt;
  if (!url) return Status::NotFound(fmt::format("{}: no record with a target at {}", path, offset));
  return std::string(*url);
}

}  // namespace crivello::store
