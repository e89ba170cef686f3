// SPDX-License-Identifier: Apache-2.0
// For tests only: writes zip archives.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <string>
#include <utility>
#include <vector>

namespace crivello::text {

using ZipEntries = std::vector<std::pair<std::string, std::string>>;

// An archive of these entries in this order, deflated. An entry called "mimetype" is stored uncompressed, as
// odt and epub require.
inline std::string MakeZip(const ZipEntries& entries) {
  size_t room = 65536;
  for (const auto& entry : entries) room += entry.first.size() * 2 + entry.second.size() + 1024;
  std::string bytes(room, '\0');
  size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_set_format_zip(writer);
  archive_write_set_bytes_in_last_block(writer, 1);
  archive_write_open_memory(writer, bytes.data(), bytes.size(), &used);
  for (const auto& entry : entries) {
    if (entry.first == "mimetype") {
      archive_write_zip_set_compression_store(writer);
    } else {
      archive_write_zip_set_compression_deflate(writer);
    }
    archive_entry* header = archive_entry_new();
    archive_entry_set_pathname(header, entry.first.c_str());
    archive_entry_set_size(header, static_cast<la_int64_t>(entry.second.size()));
    archive_entry_set_filetype(header, AE_IFREG);
    archive_entry_set_perm(header, 0644);
    archive_write_header(writer, header);
    archive_write_data(writer, entry.second.data(), entry.second.size());
    archive_entry_free(header);
  }
  archive_write_close(writer);
  archive_write_free(writer);
  bytes.resize(used);
  return bytes;
}

}  // namespace crivello::text
