// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "store/cdxj.h"

namespace crivello::store {

// The lines of the index of one WARC file, while it is being written: they go, unsorted and unsynced, to a
// file of their own beside it, so that a gigabyte of archive does not keep a hundred megabytes of memory; if
// that fails the index is made from the WARC file instead.  One thread at a time.
class IndexLines {
 public:
  // `index_path` is where the index is to be; the lines wait in index_path + ".part".
  IndexLines(std::string index_path, FileSystem& fs);

  void Add(const CdxjEntry& entry);
  // Sorts the lines into the index of `warc_path`, atomically, and removes the part.
  Status Finish(const std::string& warc_path);

 private:
  void Flush();

  std::string index_path_;
  FileSystem* fs_;
  std::unique_ptr<AppendFile> part_;  // null until the first flush
  std::string buffer_;
  bool lost_ = false;  // lines are missing
};

// What a walk over a WARC file found.
struct ArchiveScan {
  uint64_t records = 0;     // good ones
  uint64_t good_bytes = 0;  // up to the end of the last of them
  uint64_t damages = 0;     // before that end
  std::string lines;        // of the index, sorted
};
// Reads a whole file: about a second for 300 MB stored.  `name` is what the lines call it.
Result<ArchiveScan> ScanArchiveFile(const std::string& path, std::string_view name);

// Sorts lines, each with its line break, by bytes.
std::string SortLines(std::string_view lines);

}  // namespace crivello::store
