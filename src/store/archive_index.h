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

// The lines of the index of one WARC file, while that is being written: sorted in bounded memory by runs in a
// scratch file beside the index.  If a run cannot be written, or cannot be read again, the index is made from
// the WARC file instead.  One thread at a time.
class IndexLines {
 public:
  static constexpr size_t kBufferBytes = 4 << 20;

  // `index_path` is where the index is to be.  About `buffer_bytes` are held while lines come, and as
  // much while runs are merged, or 4 KiB for each of them if that is more.
  IndexLines(std::string index_path, FileSystem& fs, size_t buffer_bytes = kBufferBytes);

  void Add(const CdxjEntry& entry);  // sorts and writes a run when the buffer is full
  // Writes the index, atomically; `warc_path` is the file that it is of.  After a failure it can be called
  // again.
  Status Finish(const std::string& warc_path);

 private:
  Status Write();

  std::string index_path_;
  FileSystem* fs_;
  size_t buffer_bytes_;
  std::optional<ExternalSorter> sorter_;  // nothing once lines were lost
  Status lost_;                           // why they were
};

// What a walk over a WARC file found.
struct ArchiveScan {
  uint64_t records = 0;     // good ones
  uint64_t good_bytes = 0;  // up to the end of the last of them
  uint64_t damages = 0;     // before that end
};
// Reads a whole file: about a second for 300 MB stored.  `name` is what the entries call it; `take` has each
// of them, in the order of the file.
Result<ArchiveScan> ScanArchiveFile(const std::string& path, std::string_view name,
                                    const std::function<void(const CdxjEntry&)>& take);

}  // namespace crivello::store
