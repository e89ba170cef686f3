// SPDX-License-Identifier: Apache-2.0
#include "kv/manifest_end.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "base/record.h"

namespace crivello::kv {
namespace {

constexpr uint64_t kEndVersion = 1;

// The last record about the MANIFEST with this number. Reading stops at a damaged record; the records before
// it are still valid.
std::optional<ManifestEnd> LastEnd(const std::string& path, uint64_t number) {
  std::optional<ManifestEnd> last;
  auto reader = LogReader::Open(path, ManifestWitness::kFileKind);
  while (reader.ok()) {
    const auto record = reader->Next();
    if (!record.ok() || !*record) break;
    const auto end = DecodeManifestEnd(**record);
    if (!end.ok()) break;
    if (end->number == number) last = *end;
  }
  return last;
}

// The MANIFEST named by the file CURRENT; empty if there is none, which RocksDB reports.
std::string CurrentManifest(const std::string& folder) {
  const auto current = ReadFile(folder + "/CURRENT");
  if (!current.ok()) return "";
  const std::string_view name = std::string_view(*current).substr(0, current->find('\n'));
  return ManifestNumber(std::string(name)) == 0 ? "" : std::string(name);
}

}  // namespace

uint64_t ManifestNumber(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename();
  constexpr std::string_view kPrefix = "MANIFEST-";
  if (!name.starts_with(kPrefix)) return 0;
  uint64_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [stopped, error] = std::from_chars(name.data() + kPrefix.size(), end, number);
  return error == std::errc() && stopped == end ? number : 0;
}

std::string EncodeManifestEnd(const ManifestEnd& end) {
  RecordWriter writer;
  for (const uint64_t word : {kEndVersion, end.number, end.bytes, end.hash}) writer.Word(word);
  return std::move(writer).bytes();
}

Result<ManifestEnd> DecodeManifestEnd(Bytes record) {
  RecordReader reader(AsText(record));
  const uint64_t version = reader.Word();
  ManifestEnd end;
  end.number = reader.Word();
  end.bytes = reader.Word();
  end.hash = reader.Word();
  if (!reader.finished() || version != kEndVersion) {
    return Status::Corruption("a record that is not the end of a MANIFEST");
  }
  return end;
}

Status ManifestWitness::Check(const std::string& folder) {
  const std::string name = CurrentManifest(folder);
  if (name.empty()) return Status::Ok();
  const auto end = LastEnd(folder + "/" + kFileName, ManifestNumber(name));
  if (!end) return Status::Ok();
  const auto bytes = ReadFile(folder + "/" + name);
  if (bytes.status().code() == StatusCode::kNotFound) return Status::Ok();  // RocksDB reports it
  CRV_TRY(bytes.status());
  const std::string_view synced = std::string_view(*bytes).substr(0, end->bytes);
  if (synced.size() == end->bytes && Hash64(synced) == end->hash) return Status::Ok();
  return Status::Corruption(
      fmt::format("{}/{}: was truncated or overwritten: its first {} bytes are not those that were written, "
                  "of {} that are "
                  "there; restore a backup, or run 'crivello check --repair'",
                  folder, name, end->bytes, bytes->size()));
}

Status ManifestWitness::CheckRecords(const std::string& folder) {
  const auto read = ReadLog(folder + "/" + kFileName, kFileKind,
                            [](Bytes record) { return DecodeManifestEnd(record).status(); });
  return read.status().code() == StatusCode::kNotFound ? Status::Ok() : read.status();
}

Result<std::unique_ptr<ManifestWitness>> ManifestWitness::Open(const std::string& folder, FileSystem& fs) {
  const std::string path = folder + "/" + kFileName, fresh = path + ".new";
  const auto last = LastEnd(path, ManifestNumber(CurrentManifest(folder)));
  const auto nothing = [](Bytes) { return Status::Ok(); };
  std::error_code error;
  if (std::filesystem::exists(fresh, error)) CRV_TRY(fs.Remove(fresh));  // left by a crash
  {
    CRV_ASSIGN(auto opened, LogWriter::Open(fresh, kFileKind, nothing, fs));
    if (last) CRV_TRY(opened.writer.Append(AsBytes(EncodeManifestEnd(*last))));
    CRV_TRY(opened.writer.Sync());
  }
  CRV_TRY(fs.Rename(fresh, path));
  CRV_ASSIGN(auto opened, LogWriter::Open(path, kFileKind, nothing, fs));
  return std::unique_ptr<ManifestWitness>(new ManifestWitness(folder, std::move(opened.writer)));
}

void ManifestWitness::Record(const ManifestEnd& end) {
  MutexLock lock(mu_);
  if (log_.Append(AsBytes(EncodeManifestEnd(end))).ok()) log_.Flush().IgnoreError();
}

void ManifestFollower::Appended(Bytes bytes) {
  hasher_.Update(bytes);
  end_.bytes += bytes.size();
}

void ManifestFollower::Synced() {
  end_.hash = hasher_.Digest();
  witness_.Record(end_);
}

}  // namespace crivello::kv
