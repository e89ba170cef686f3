// SPDX-License-Identifier: Apache-2.0
#include "text/formats/zip.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <memory>

namespace crivello::text {
namespace {

constexpr uint64_t kFreeBytes = uint64_t{1} << 20;

Status Damaged(archive* reader) {
  const char* why = archive_error_string(reader);
  return Status::Corruption(fmt::format("zip: {}", why == nullptr ? "damaged" : why));
}

}  // namespace

Result<std::map<std::string, std::string>> ReadZip(std::string_view bytes, const ZipLimits& limits,
                                                   const std::function<bool(std::string_view name)>& wanted) {
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), &archive_read_free);
  if (reader == nullptr) return Status::IoError("zip: out of memory");
  archive_read_support_format_zip(reader.get());
  if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) {
    return Damaged(reader.get());
  }
  std::map<std::string, std::string> found;
  size_t entries = 0;
  uint64_t unpacked = 0;
  for (;;) {
    archive_entry* entry = nullptr;
    const int next = archive_read_next_header(reader.get(), &entry);
    if (next == ARCHIVE_EOF) return found;
    if (next != ARCHIVE_OK && next != ARCHIVE_WARN) return Damaged(reader.get());
    if (++entries > limits.max_entries) {
      return Status::Corruption(fmt::format("zip: more than {} entries", limits.max_entries));
    }
    const char* name = archive_entry_pathname_utf8(entry);
    if (name == nullptr) name = archive_entry_pathname(entry);
    if (name == nullptr || archive_entry_filetype(entry) != AE_IFREG || !wanted(name)) continue;
    if (archive_entry_is_encrypted(entry) != 0)
      return Status::Corruption(fmt::format("zip: {} is encrypted", name));
    std::string& text = found[name];
    for (;;) {
      char buffer[16384];
      const la_ssize_t size = archive_read_data(reader.get(), buffer, sizeof buffer);
      if (size < 0) return Damaged(reader.get());
      if (size == 0) break;
      text.append(buffer, static_cast<size_t>(size));
      unpacked += static_cast<uint64_t>(size);
      if (text.size() > limits.max_entry_bytes) {
        return Status::Corruption(
            fmt::format("zip: {} unpacks to more than {} bytes", name, limits.max_entry_bytes));
      }
      if (unpacked > limits.max_unpacked_bytes) {
        return Status::Corruption(
            fmt::format("zip: unpacks to more than {} bytes", limits.max_unpacked_bytes));
      }
      if (unpacked > kFreeBytes && unpacked / limits.max_ratio > bytes.size()) {
        return Status::Corruption(
            fmt::format("zip: unpacks to more than {} times its size", limits.max_ratio));
      }
    }
  }
}

}  // namespace crivello::text
