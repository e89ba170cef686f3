// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::sieve {

// Sorts records that need not fit in memory, by (major, minor), then by order of arrival; `bytes` travel
// along.
//
// Records fill a buffer; a full one is sorted and written to a temporary file, a run.  When kFanIn runs of
// one size have come together they are merged into one of the next size, so a record is written log(n /
// memory) / log(kFanIn) times, rounded up, all reads and writes are sequential, and few files are open at a
// time.  What fits in memory never touches the disk.  (Knuth, TAOCP 3, §5.4.1: merging with a loser tree
// costs log2(runs) comparisons a record.)
//
// A run loses its name as soon as it is made: the files of a process that was killed are gone with it.  They
// are read only by the process that wrote them, so they carry no header.
//
// One thread at a time.
struct SortRecord {
  uint64_t major = 0;
  uint64_t minor = 0;
  std::string_view bytes = {};
};

struct ExternalSortOptions {
  std::string folder = {};            // of the temporary files
  uint64_t memory_bytes = 64u << 20;  // at least kMinSortMemory is taken
  bool unique = false;                // of the records of one major, only the first comes out
  FileSystem* fs = nullptr;           // null: the machine's own
};

constexpr uint64_t kMinSortMemory = 1u << 16;
// Of the names of temporary files, should a crash leave one in the moment before it loses it.
constexpr std::string_view kSortPrefix = "sort-";

class ExternalSorter {
 public:
  explicit ExternalSorter(ExternalSortOptions options);
  ~ExternalSorter();
  ExternalSorter(const ExternalSorter&) = delete;
  ExternalSorter& operator=(const ExternalSorter&) = delete;

  // InvalidArgument if the record alone is larger than the memory.  After an error the sorter is of no more
  // use.
  Status Add(const SortRecord& record);
  // No more records come; Next() may be called.
  Status Finish();

  // Moves to the next record in order: false at the end, or on an error that status() then tells.
  bool Next();
  // REQUIRES: Next() returned true.  Its bytes stay until the next call.
  const SortRecord& record() const { return record_; }
  const Status& status() const { return status_; }

  uint64_t spilled_bytes() const { return spilled_bytes_; }  // written to runs, merges included

 private:
  struct Slot;
  class Run;
  class RunWriter;
  class Merge;

  static constexpr size_t kFanIn = 64;

  void SortSlots();
  Status Spill();
  // Makes one run of those from `first` on.
  Status MergeRuns(size_t first);
  std::span<Slot> slots();

  ExternalSortOptions options_;
  // Records from the front, slots that point at them from the back; a spill comes when they would meet.
  std::unique_ptr<std::byte[]> memory_;
  uint64_t memory_bytes_ = 0;
  uint64_t record_end_ = 0;
  uint64_t slot_count_ = 0;
  std::vector<std::unique_ptr<Run>> runs_;  // oldest first, and so largest first
  std::unique_ptr<Merge> merge_;            // of all runs, after Finish()
  uint64_t next_slot_ = 0;                  // if there are none
  SortRecord record_;
  bool any_ = false;  // record_ is one that came out
  Status status_;
  uint64_t spilled_bytes_ = 0;
};

}  // namespace crivello::sieve
