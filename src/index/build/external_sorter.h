// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::index {

// Sorts byte strings, by their bytes, in constant memory: what does not fit is written in sorted runs, which
// are merged as they are read.  Equal records all come out.
//
// Add() any number of times, then Sort(), then Next() until it is false.  The runs are files of this process
// in a folder of the caller's, which go with the sorter; a crash leaves them to whoever owns the folder.
// Memory: the budget, and 64 KiB for each run while it is read: a terabyte in runs of 256 MiB is 4,096 of
// them.  One thread at a time.
class ExternalSorter {
 public:
  struct Options {
    std::string folder;  // made if it is missing
    uint64_t memory_bytes = 64 << 20;
    FileSystem* fs = &PosixFileSystem();
  };
  explicit ExternalSorter(Options options);
  ~ExternalSorter();
  ExternalSorter(const ExternalSorter&) = delete;
  ExternalSorter& operator=(const ExternalSorter&) = delete;

  Status Add(std::string_view record);
  Status Sort();

  // To the first record, and then to the next; false at the end, or on an error that status() tells.
  bool Next();
  std::string_view record() const { return record_; }  // until the next call
  const Status& status() const { return status_; }

  uint64_t runs() const { return runs_.size(); }

 private:
  class Run;
  struct Place {
    uint64_t offset = 0;
    uint32_t size = 0;
  };

  std::string_view At(const Place& place) const { return {bytes_.data() + place.offset, place.size}; }
  void SortPlaces();
  Status Spill();

  const Options options_;
  std::vector<char> bytes_;    // of the records in memory, one after the other
  std::vector<Place> places_;  // theirs, sorted once Sort() was called
  size_t next_ = 0;            // of places_
  std::vector<std::unique_ptr<Run>> runs_;
  std::vector<Run*> heap_;  // of runs that have a record, the least in front
  Run* current_ = nullptr;  // whose record was given out
  std::string_view record_;
  Status status_;
};

}  // namespace crivello::index
