// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "frontier/url_record.h"

namespace crivello::frontier {

// The position of an item in the queue of its host and class: the block, and the index in it.
struct QueuePlace {
  uint32_t block = 0;
  uint32_t index = 0;
  friend auto operator<=>(const QueuePlace&, const QueuePlace&) = default;
};

// The queue of one host and class: blocks `head.block` ... `tail` - 1, where the first head.index items of
// the first block are consumed.
struct ClassQueue {
  QueuePlace head = {};
  uint32_t tail = 0;
  uint32_t tail_bytes = 0;  // in block `tail` - 1, if there is one
  uint32_t items = 0;       // left
  friend bool operator==(const ClassQueue&, const ClassQueue&) = default;
};

// The part of a host's state that HostQueues maintains.
struct QueuePart {
  std::array<ClassQueue, kPriorityClasses> queues = {};
  uint64_t enqueued = 0;  // total number of items so far
  WallTime wake{};        // the host's place in the list of those with items

  uint64_t queued() const {
    uint64_t sum = 0;
    for (const ClassQueue& queue : queues) sum += queue.items;
    return sum;
  }
  friend bool operator==(const QueuePart&, const QueuePart&) = default;
};

// Everything that is stored about a host, except the items of its queue.  A host is a name: whatever schemes
// and ports it serves, it counts as one host for politeness.
//
// Times and durations have millisecond precision; the epoch itself means "none".
//
// HostQueues ignores the name and the QueuePart that a caller passes to Store().
struct HostState {
  std::string name = {};
  std::array<ClassQueue, kPriorityClasses> queues = {};
  uint64_t enqueued = 0;
  WallTime wake{};
  uint64_t fetched = 0;  // requests that were answered
  uint64_t failed = 0;   // requests without an answer
  uint64_t refused = 0;  // items that led to no request: robots, scope
  uint64_t bytes = 0;    // received
  WallTime next_fetch{};
  uint32_t failures = 0;  // in a row
  bool given_up = false;
  std::string last_error = {};  // of the consecutive failures; if given up, the reason
  Duration crawl_delay{};       // requested by robots.txt; 0: none
  std::string address = {};     // as text
  WallTime address_until{};
  struct Robots {
    std::string origin = {};  // "https://example.com:8080"
    WallTime until{};
    friend bool operator==(const Robots&, const Robots&) = default;
  };
  std::vector<Robots> robots = {};  // at most kMaxOrigins: the earliest to expire are dropped
  std::string extra = {};           // the caller's bytes (budgets used): see kMaxExtraBytes

  // A clock that was wrong once may have left impossible times, later than the longest allowed rest.  This
  // resets them to none.  Returns whether there were any.
  bool ForgetImpossibleTimes(WallTime now);

  QueuePart queue_part() const { return {queues, enqueued, wake}; }
  uint64_t queued() const { return queue_part().queued(); }
  friend bool operator==(const HostState&, const HostState&) = default;
};

// No host rests longer, whatever it requests (PolitenessOptions), and no robots.txt or address is kept
// longer.
constexpr Duration kLongestRest = std::chrono::hours(24);

constexpr size_t kMaxOrigins = 8;
constexpr size_t kMaxExtraBytes = 4096;

// Encodes a state (docs/formats/host-queues.md), some 60 bytes for a typical host.  Longer robots and extra
// are cut to their limits.
std::string EncodeHostState(const HostState& state);
// Nullopt if the bytes are not such a record.
std::optional<HostState> DecodeHostState(std::string_view bytes);

// A record in two parts, so that what changes with every visit can be read and written alone.
struct HostRecord {
  std::string_view rest = {};  // the name and the caller's part, encoded
  QueuePart queues = {};
};
std::optional<HostRecord> SplitHostRecord(std::string_view bytes);
std::string JoinHostRecord(const HostRecord& record);
std::string EncodeHostRest(const HostState& state, std::string_view name);
// REQUIRES: the rest was written by this program.
struct HostRestHead {
  std::string_view name = {};
  bool given_up = false;
};
HostRestHead ReadHostRestHead(std::string_view rest);

}  // namespace crivello::frontier
