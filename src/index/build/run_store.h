// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/scratch_file.h"
#include "base/status.h"
#include "index/build/posting_run.h"
#include "index/postings/posting_format.h"

namespace crivello::index {

// Keeps the runs of a build until they are merged: in memory up to a budget, and beyond that in a file, which
// is deleted with the object.  One thread at a time.
class RunStore {
 public:
  struct Options {
    std::string scratch = {};  // an existing folder; if empty, all stays in memory
    uint64_t memory_bytes = 0;
    FileSystem* fs = &PosixFileSystem();
  };
  explicit RunStore(const Options& options) : options_(options) {}
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;

  // Adds the runs of the next documents, by field.  New fields may appear later.
  Status Add(DocId documents, std::vector<std::vector<uint8_t>> runs);
  // All runs of a field, including one for all documents before its first run.  Valid until the next call; no
  // runs may be added any more.
  Result<std::vector<RunPlace>> Open(uint32_t field, PostingContents contents);
  // Frees the memory of a field.
  void Drop(uint32_t field);

 private:
  struct Run {
    std::vector<uint8_t> memory;
    uint64_t offset = 0;  // in the file, if it is not in memory
    uint64_t size = 0;
  };
  struct Field {
    DocId before = 0;  // documents before its first run
    std::vector<Run> runs;
  };

  Options options_;
  DocId documents_ = 0;
  std::vector<Field> fields_;
  uint64_t in_memory_ = 0;
  std::optional<ScratchFile> file_;
  std::vector<uint8_t> empty_run_;
};

}  // namespace crivello::index
