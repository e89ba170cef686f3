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

// Keeps the runs of a build until they are merged: in memory, and behind a budget in a file, which goes with
// the object.  One thread at a time.
class RunStore {
 public:
  struct Options {
    std::string scratch = {};  // a folder that there is; without one all is kept in memory
    uint64_t memory_bytes = 0;
    FileSystem* fs = &PosixFileSystem();
  };
  explicit RunStore(const Options& options) : options_(options) {}
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;

  // The runs of the next documents, by field.  Fields that they do not have yet may come later.
  Status Add(DocId documents, std::vector<std::vector<uint8_t>> runs);
  // All runs of a field, one for all documents before its first one too.  Good until the next call; no runs
  // may be added any more.
  Result<std::vector<RunPlace>> Open(uint32_t field, PostingContents contents);
  // Frees the memory of a field.
  void Drop(uint32_t field);

 private:
  struct Run {
    std::vector<uint8_t> memory;
    uint64_t offset = 0;  // in the file, if there is none in memory
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
