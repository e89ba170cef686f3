// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/external_sorter.h"
#include "base/file_system.h"
#include "store/cdxj.h"

namespace crivello::store {

// The lines of the index of one WARC file, collected while that file is being written. They are sorted in
// bounded memory, by runs in a scratch file beside the index. If a run cannot be written or read back, the
// index is made from the WARC file instead. One thread at a time.
class IndexLines {
 public:
  static constexpr size_t kBufferBytes = 4 << 20;

  // The index will be written to `index_path`. While lines are added, about `buffer_bytes` of memory are
  // held. Merging holds as much again, or 4 KiB per run if that is more.
  IndexLines(std::string index_path, FileSystem& fs, size_t buffer_bytes = kBufferBytes);

  void Add(const CdxjEntry& entry);  // sorts and writes a run when the buffer is full
  // Writes the index, atomically. `warc_path` is the file that it describes. After a failure the call can be
  // repeated.
  Status Finish(const std::string& warc_path);

 private:
  Status Write();

  std::string index_path_;
  FileSystem* fs_;
  size_t buffer_bytes_;
  std::optional<ExternalSorter> sorter_;  // nullopt once lines were lost
  Status lost_;                           // why they were lost
};

// What a scan of a WARC file found.
struct ArchiveScan {
  uint64_t records = 0;     // good ones
  uint64_t good_bytes = 0;  // where the last good record ends
  uint64_t damages = 0;     // before that end
};
// Reads a whole file: about a second for 300 MB stored. `name` is the file name in the entries. Calls `take`
// for each entry, in file order.
Result<ArchiveScan> ScanArchiveFile(const std::string& path, std::string_view name,
                                    const std::function<void(const CdxjEntry&)>& take);

}  // namespace crivello::store
