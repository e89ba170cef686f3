// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/status.h"
#include "store/archive_reader.h"
#include "store/table.h"

namespace crivello::store {

// What `check` finds in a tablet. Each problem is a sentence that names the file and the place. At most
// kMaxProblems are kept; all are counted.
struct StoreCheck {
  static constexpr uint64_t kMaxProblems = 1000;

  uint64_t files = 0;
  uint64_t records = 0;
  uint64_t rows = 0;
  uint64_t problems = 0;
  std::vector<std::string> sentences = {};

  void Note(std::string sentence);
};

// Reads every record of an archive, verifies digests, and compares each index with its file. A file that a
// running process is writing has no index and may end in an incomplete record: neither is a problem.
Status CheckArchive(const std::string& directory, StoreCheck* check, Progress& progress);

// Reads all cells of each version of each row and its record, and compares the URL and the digest.
Status CheckRows(const Table& table, const ArchiveReader& reader, StoreCheck* check, Progress& progress);

}  // namespace crivello::store
