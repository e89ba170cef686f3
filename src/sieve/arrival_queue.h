// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/file_format.h"
#include "base/file_system.h"
#include "base/mutex.h"
#include "base/status.h"

namespace crivello::sieve {

// The notes' file F: keys that came through, in order of first arrival, waiting to be taken.  It is a row of
// segments `f-1`, `f-2`, ..., each written whole by one merge and removed when all of its keys are released.
// The queue itself stores nothing else: its owner commits which segments there are and what was released
// (Position), in the same file as the rest of its state.  Format: docs/formats/sieve-offline.md.

// Writes a segment.  It appears whole or not at all.  One thread at a time.
class QueueSegmentWriter {
 public:
  static constexpr FileKind kFileKind = {"sieve-queue", 1};

  // REQUIRES: exactly `keys` keys follow.
  static Result<QueueSegmentWriter> Create(const std::string& path, uint64_t keys, FileSystem& fs);
  Status Append(std::string_view bytes);
  Status Finish() { return file_.Finish(); }

 private:
  explicit QueueSegmentWriter(FormatFileWriter file) : file_(std::move(file)) {}
  FormatFileWriter file_;
};

// Thread-safe, but only one thread at a time may Take().
class ArrivalQueue {
 public:
  // The place of a key: which segment, and how far into it.
  struct Position {
    uint64_t segment = 1;
    uint64_t keys = 0;   // of the segment before it
    uint64_t bytes = 0;  // of the segment's payload before it; 0: at its start
    friend bool operator==(const Position&, const Position&) = default;
  };

  // A queue from `start` to the end of segment `end` - 1, of `untaken` keys.
  ArrivalQueue(std::string folder, Position start, uint64_t end, uint64_t untaken);
  ~ArrivalQueue();

  static constexpr std::string_view kSegmentPrefix = "f-";
  static std::string SegmentPath(const std::string& folder, uint64_t segment);

  // The next segment, of `keys` keys stands at its path.
  void Extend(uint64_t keys);

  // Gives the next keys to `visit`, at most `limit`; how many.  Corruption names the file.  No lock is held
  // during `visit`.
  Result<uint64_t> Take(uint64_t limit, const std::function<void(std::string_view)>& visit);

  // Where the next key to be taken stands, and how many there are from it on.
  std::pair<Position, uint64_t> State() const;

 private:
  struct Segment;
  // Makes open_ the segment of `at`.
  Status OpenSegment(const Position& at);

  const std::string folder_;
  const uint64_t own_;             // segments from here on were written by this process
  std::unique_ptr<Segment> open_;  // the taker's own

  mutable Mutex mu_;
  Position position_ CRV_GUARDED_BY(mu_);
  uint64_t end_ CRV_GUARDED_BY(mu_);
  uint64_t untaken_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::sieve
