// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/record.h"
#include "care/backup.h"

namespace crivello::care {
namespace {

// Whether a path stays below the folder, wherever that is.
bool StaysInside(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return false;
  const std::filesystem::path parts(path);
  return parts.is_relative() && std::none_of(parts.begin(), parts.end(), [](const auto& part) {
           return part == ".." || part == "." || part.empty();
         });
}

}  // namespace

std::string BackupList::Encode() const {
  RecordWriter list;
  list.Signed(made);
  list.Number(files.size());
  for (const BackupFile& file : files) {
    list.Text(file.path);
    list.Number(file.bytes);
    list.Word(file.checksum);
  }
  RecordWriter record;  // preceded by its length, because the envelope pads it
  record.Text(list.bytes());
  return std::move(record).bytes();
}

Result<BackupList> BackupList::Decode(std::string_view payload) {
  RecordReader record(payload);
  RecordReader reader(record.Text());
  BackupList list;
  list.made = reader.Signed();
  const uint64_t count = reader.NumberAtMost(reader.left());
  for (uint64_t i = 0; i < count && reader.ok(); ++i) {
    BackupFile file;
    file.path = reader.Text();
    file.bytes = reader.Number();
    file.checksum = reader.Word();
    if (reader.ok() && !StaysInside(file.path)) {
      return Status::Corruption("the list of a backup names a file that is not in it");
    }
    list.files.push_back(std::move(file));
  }
  if (!record.ok() || !reader.finished()) return Status::Corruption("the list of a backup is damaged");
  return list;
}

Description BackupList::Describe() const {
  uint64_t bytes = 0;
  for (const BackupFile& file : files) bytes += file.bytes;
  return {{"files", uint64_t{files.size()}}, {"bytes", bytes}};
}

Result<BackupList> BackupList::Read(const std::string& backup) {
  CRV_ASSIGN(const FormatFile file, FormatFile::Open(backup + "/backup", kFileKind));
  auto list = Decode(AsText(file.payload()));
  if (!list.ok()) return list.status().WithContext(file.path());
  return list;
}

Result<std::vector<std::string>> ListBackups(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with("unfinished-")) continue;
    if (std::filesystem::exists(it->path() / "backup", error)) names.push_back(name);
    error.clear();
  }
  if (error == std::errc::no_such_file_or_directory)
    return Status::NotFound(folder + ": the folder does not exist");
  if (error) return Status::FromErrno("list folder", folder, error.value());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace crivello::care
