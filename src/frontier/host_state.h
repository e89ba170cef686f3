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

// Where an item stands in the queue of its host and class: the block, and its place in it.
struct QueuePlace {
  uint32_t block = 0;
  uint32_t index = 0;
  friend auto operator<=>(const QueuePlace&, const QueuePlace&) = default;
};

// The queue of one host and class: blocks `head.block` ... `tail` - 1, of which the first head.index items
// are consumed.
struct ClassQueue {
  QueuePlace head = {};
  uint32_t tail = 0;
  uint32_t tail_bytes = 0;  // in block `tail` - 1, if there is one
  uint32_t items = 0;       // left
  friend bool operator==(const ClassQueue&, const ClassQueue&) = default;
};

// What HostQueues keeps in the state of a host.
struct QueuePart {
  std::array<ClassQueue, kPriorityClasses> queues = {};
  uint64_t enqueued = 0;  // items ever let in
  WallTime wake{};        // where the host stands in the list of those with items

  uint64_t queued() const {
    uint64_t sum = 0;
    for (const ClassQueue& queue : queues) sum += queue.items;
    return sum;
  }
  friend bool operator==(const QueuePart&, const QueuePart&) = default;
};

// All that is kept of a host, but for the items of its queue.  A host is a name: a machine is one host to be
// polite to, whatever schemes and ports it answers on.
//
// Times and durations are kept to the millisecond; the epoch itself stands for "none".
//
// Of what a caller stores, HostQueues ignores the name and the QueuePart.
struct HostState {
  std::string name = {};
  std::array<ClassQueue, kPriorityClasses> queues = {};
  uint64_t enqueued = 0;
  WallTime wake{};
  uint64_t fetched = 0;  // requests that were answered
  uint64_t failed = 0;   // that were not
  uint64_t refused = 0;  // items that came to no request: robots, scope
  uint64_t bytes = 0;    // received
  WallTime next_fetch{};
  uint32_t failures = 0;  // in a row
  bool given_up = false;
  std::string last_error = {};  // of the failures in a row; if given up, why
  Duration crawl_delay{};       // as robots.txt asks; 0: it does not
  std::string address = {};     // as text
  WallTime address_until{};
  struct Robots {
    std::string origin = {};  // "https://example.com:8080"
    WallTime until{};
    friend bool operator==(const Robots&, const Robots&) = default;
  };
  std::vector<Robots> robots = {};  // at most kMaxOrigins: the earliest to expire go
  std::string extra = {};           // bytes of the caller's (budgets used): see kMaxExtraBytes

  // A clock that was wrong once, and is right now, has left times that nobody can mean: later than the
  // longest rest there is.  They count as none.  Whether there were any.
  bool ForgetImpossibleTimes(WallTime now);

  QueuePart queue_part() const { return {queues, enqueued, wake}; }
  uint64_t queued() const { return queue_part().queued(); }
  friend bool operator==(const HostState&, const HostState&) = default;
};

// No host rests longer, whatever it asks for (PolitenessOptions), and no robots.txt or address is kept
// longer.
constexpr Duration kLongestRest = std::chrono::hours(24);

constexpr size_t kMaxOrigins = 8;
constexpr size_t kMaxExtraBytes = 4096;

// The record of a state (docs/formats/host-queues.md), some 60 bytes for a common host.  Longer robots and
// extra are cut to their limits.
std::string EncodeHostState(const HostState& state);
// Nothing if the bytes are no such record.
std::optional<HostState> DecodeHostState(std::string_view bytes);

// A record in two: what changes with every visit can be read and written without the rest.
struct HostRecord {
  std::string_view rest = {};  // the name and the caller's part, encoded
  QueuePart queues = {};
};
std::optional<HostRecord> SplitHostRecord(std::string_view bytes);
std::string JoinHostRecord(const HostRecord& record);
std::string EncodeHostRest(const HostState& state, std::string_view name);
// Of a rest that was written by us.
struct HostRestHead {
  std::string_view name = {};
  bool given_up = false;
};
HostRestHead ReadHostRestHead(std::string_view rest);

}  // namespace crivello::frontier
