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

// The notes' file F: keys that came through, in order of first arrival, waiting to be taken. It is a sequence
// of segments `f-1`, `f-2`, ..., each written completely by one merge and removed when all its keys have been
// released. The queue itself stores nothing else: its owner commits which segments exist and what was
// released (Position), in the same file as the rest of its state. Format: docs/formats/sieve-offline.md.

// Writes a segment, which appears completely or not at all. One thread at a time.
class QueueSegmentWriter {
 public:
  static constexpr FileKind kFileKind = {"sieve-queue", 1};

  // REQUIRES: exactly `keys` keys are appended.
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
  // The position of a key: its segment, and the offset in it.
  struct Position {
    uint64_t segment = 1;
    uint64_t keys = 0;   // keys of the segment before this position
    uint64_t bytes = 0;  // payload bytes of the segment before it; 0: at its start
    friend bool operator==(const Position&, const Position&) = default;
  };

  // A queue of `untaken` keys, from `start` to the end of segment `end` - 1.
  ArrivalQueue(std::string folder, Position start, uint64_t end, uint64_t untaken);
  ~ArrivalQueue();

  static constexpr std::string_view kSegmentPrefix = "f-";
  static std::string SegmentPath(const std::string& folder, uint64_t segment);

  // Adds the next segment, which is at its path and has `keys` keys.
  void Extend(uint64_t keys);

  // Passes the next keys, at most `limit`, to `visit` and returns their number. Corruption names the file.
  // Holds no lock during `visit`.
  Result<uint64_t> Take(uint64_t limit, const std::function<void(std::string_view)>& visit);

  // The position of the next key to be taken, and how many keys are left from there.
  std::pair<Position, uint64_t> State() const;

 private:
  struct Segment;
  // Sets open_ to the segment of `at`.
  Status OpenSegment(const Position& at);

  const std::string folder_;
  const uint64_t own_;             // this process wrote the segments from here on
  std::unique_ptr<Segment> open_;  // used only by the taking thread

  mutable Mutex mu_;
  Position position_ CRV_GUARDED_BY(mu_);
  uint64_t end_ CRV_GUARDED_BY(mu_);
  uint64_t untaken_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::sieve
