// SPDX-License-Identifier: Apache-2.0
#include "sieve/sieve_check.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include "base/file_format.h"
#include "base/input_file.h"
#include "base/log.h"
#include "kv/file_check.h"
#include "sieve/sieve_files.h"
#include "sieve/z_file.h"

namespace crivello::sieve {
namespace {

constexpr std::array<std::string_view, 2> kLogKinds = {"sieve-keys", "sieve-seen"};

// Checks the pages one by one; each has its own checksum, so the place of damage is known.
Status CheckPages(const std::string& path) {
  CRV_ASSIGN(const ZFile file, ZFile::Open(path));
  ZCursor cursor(file);
  do {
    CRV_TRY(cursor.Next());
  } while (cursor.page() != nullptr);
  return Status::Ok();
}

// `last`: whether this is the last file of its kind.
Status CheckFile(const std::string& path, bool last) {
  CRV_ASSIGN(const InputFile file, InputFile::Open(path));
  std::array<std::byte, kHeaderBytes> start = {};
  CRV_ASSIGN(const size_t size, file.Read(0, start));
  CRV_ASSIGN(const FileHeader header, DecodeFileHeader(path, Bytes(start).first(size)));
  for (const std::string_view kind : kLogKinds) {
    if (header.kind != kind) continue;
    CRV_ASSIGN(const LogRecovery log,
               ReadLog(path, {.name = kind, .version = header.version}, [](Bytes) { return Status::Ok(); }));
    // A log is synced before the next one is started, so only the last one can be torn.
    if (last || log.torn_bytes == 0) return Status::Ok();
    return Status::Corruption(fmt::format("{}: corrupt record at offset {}", path, log.good_bytes));
  }
  if (header.kind == ZFile::kFileKind.name) CRV_TRY(CheckPages(path));
  return FormatFile::OpenAny(path, {.pattern = AccessPattern::kSequential}).status();
}

}  // namespace

Status CheckSieveFiles(const std::string& folder, const std::function<void(std::string sentence)>& note) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error)) return Status::Ok();
  if (std::filesystem::exists(folder + "/CURRENT", error)) return kv::CheckLogFiles(folder, note);
  CRV_ASSIGN(const std::vector<std::string> names, ListFolder(folder));
  for (size_t i = 0; i < names.size(); i++) {
    const std::string& name = names[i];
    const std::string path = folder + "/" + name;
    if (name.find(".tmp-") != std::string::npos) continue;  // being written, or left by a crash
    const std::string prefix = name.substr(0, name.find('-') + 1);
    const bool last = prefix.empty() || i + 1 == names.size() || !names[i + 1].starts_with(prefix);
    const Status status = CheckFile(path, last);
    if (status.code() == StatusCode::kNotFound) continue;
    if (status.code() == StatusCode::kCorruption) {
      note(status.message());
    } else {
      CRV_TRY(status);
    }
  }
  return Status::Ok();
}

}  // namespace crivello::sieve
