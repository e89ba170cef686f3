// SPDX-License-Identifier: Apache-2.0
// What the host queues write to their database: docs/formats/host-queues.md.  Included only by
// host_queues*.cc. Keys are big-endian, so that bytes compare like numbers.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/record.h"
#include "frontier/host_queues.h"

namespace crivello::frontier {

// The counts are stored among the states, before all of them.
constexpr std::string_view kCountsKey = {};
// States of hosts that are looked up at a time.
constexpr size_t kHostsPerLookup = 128;

inline void PutBigEndian(uint64_t value, size_t bytes, char* to) {
  for (size_t i = 0; i < bytes; i++) to[i] = static_cast<char>(value >> (8 * (bytes - 1 - i)));
}
inline uint64_t GetBigEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<uint8_t>(c);
  return value;
}

template <size_t kBytes>
class FixedKey {
 public:
  std::string_view view() const { return {bytes_.data(), kBytes}; }
  operator std::string_view() const { return view(); }  // NOLINT: a key is its bytes

 protected:
  std::array<char, kBytes> bytes_;
};

// The state of a host.
class StateKey : public FixedKey<8> {
 public:
  StateKey(uint64_t host) { PutBigEndian(host, 8, bytes_.data()); }  // NOLINT: implicit, for vectors of keys
  static std::optional<uint64_t> Parse(std::string_view key) {
    if (key.size() != 8) return std::nullopt;
    return GetBigEndian(key);
  }
};

// A block of its queue.
class BlockKey : public FixedKey<13> {
 public:
  BlockKey(uint64_t host, int priority, uint32_t block) {
    PutBigEndian(host, 8, bytes_.data());
    bytes_[8] = static_cast<char>(priority);
    PutBigEndian(block, 4, bytes_.data() + 9);
  }
};

// Its place in the list of hosts with items.  Milliseconds since the epoch, earlier times first.
class SleeperKey : public FixedKey<16> {
 public:
  SleeperKey(WallTime wake, uint64_t host) {
    const int64_t millis = std::chrono::floor<std::chrono::milliseconds>(wake.time_since_epoch()).count();
    PutBigEndian(static_cast<uint64_t>(millis) ^ kSign, 8, bytes_.data());
    PutBigEndian(host, 8, bytes_.data() + 8);
  }
  // After all keys of hosts that may be woken at `now`.
  static SleeperKey After(WallTime now) {
    return SleeperKey(std::chrono::floor<std::chrono::milliseconds>(now) + std::chrono::milliseconds(1), 0);
  }
  struct Parts {
    WallTime wake{};
    uint64_t host = 0;
  };
  static std::optional<Parts> Parse(std::string_view key) {
    if (key.size() != 16) return std::nullopt;
    constexpr int64_t kMax = std::numeric_limits<int64_t>::max() / 1'000'000;
    const auto millis = static_cast<int64_t>(GetBigEndian(key.substr(0, 8)) ^ kSign);
    return Parts{WallTime(std::chrono::milliseconds(std::clamp(millis, -kMax, kMax))),
                 GetBigEndian(key.substr(8))};
  }

 private:
  static constexpr uint64_t kSign = uint64_t{1} << 63;
};

// A record of the journal, by the number of the change.
class JournalKey : public FixedKey<8> {
 public:
  explicit JournalKey(uint64_t change) { PutBigEndian(change, 8, bytes_.data()); }
};

// The states of awake hosts that a change wrote; empty: the host fell asleep, and its state is under its own
// key.
class JournalWriter {
 public:
  // Returns where in the bytes the record begins.
  size_t Add(uint64_t host, std::string_view record);
  bool empty() const { return out_.bytes().empty(); }
  const std::string& bytes() const& { return out_.bytes(); }
  std::string bytes() && { return std::move(out_).bytes(); }

 private:
  RecordWriter out_;
};
// Calls `visit` for each record; false if the bytes are damaged.
bool ReadJournal(std::string_view bytes,
                 const std::function<void(uint64_t host, std::string_view record)>& visit);

inline Status Damaged(uint64_t host, std::string_view what) {
  return Status::Corruption(fmt::format("queue of host {:016x}: {}", host, what));
}

struct CountsRecord {
  uint64_t changes = 0;       // total number written
  uint64_t journal_from = 0;  // the first change whose journal record is valid
  HostQueuesStats counts = {};
};
std::string EncodeCounts(const CountsRecord& record);
std::optional<CountsRecord> DecodeCounts(std::string_view bytes);

}  // namespace crivello::frontier
