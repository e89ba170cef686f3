// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::sieve {

// A sieve lets each key through once, ever, in order of first arrival.  What makes a key is its signature:
// the sieve never looks into the bytes that travel with it (a URL and what is known of it), so two records
// of one signature are one key, and the first wins.
struct Key {
  uint64_t signature = 0;
  std::string_view bytes;
};

constexpr uint32_t kMaxKeyBytes = 1u << 20;

// InvalidArgument if a key is too long.
Status CheckKeys(std::span<const Key> keys);

struct SieveStats {
  uint64_t offered = 0;  // in this process
  uint64_t cached = 0;   // of those, dropped by the cache in front
  uint64_t passed = 0;   // came through, in this process
  uint64_t known = 0;    // keys that the sieve remembers, ever
  uint64_t waiting = 0;  // offered and not yet decided
  uint64_t untaken = 0;  // decided new and not yet taken
  uint64_t flushes = 0;
  uint64_t written_bytes = 0;  // to the disk, in this process
  uint64_t disk_bytes = 0;
  uint64_t memory_bytes = 0;
};

// What a sieve has yet to do: the part of its stats that is asked for at each turn of a crawl.
struct SievePending {
  uint64_t waiting = 0;  // offered and not yet decided
  uint64_t untaken = 0;  // decided new and not yet taken
  uint64_t known = 0;    // keys that the sieve remembers, ever
};

// How far a sieve has come: its batches, and the keys of the last one.  It never falls, also not across a
// restart, unless files were cut or lost.
struct SievePosition {
  uint64_t batch = 0;
  uint64_t keys = 0;
  friend auto operator<=>(const SievePosition&, const SievePosition&) = default;
};

// A sieve that is not open.
struct SieveStanding {
  SievePending pending = {};
  SievePosition position = {};
};

// Thread-safe: any number of threads may offer; one at a time takes.
//
// Guarantees across a crash: a key that was offered before a successful Sync() comes out, before the crash or
// after it.  A key that came out can come out again only if it was not released.  A failed write is an error
// of that call; the sieve works again when the cause (a full disk) is gone, and nothing acknowledged is lost.
// After a failed sync the state of the disk is unknown: open the sieve again.
class Sieve {
 public:
  virtual ~Sieve() = default;

  // Adds the keys, in this order.  Waits while two batches are already being processed.  After an error some
  // keys may have been added: offer all again, since repeated keys do no harm.  If a key is longer than
  // kMaxKeyBytes, adds none and returns InvalidArgument.
  virtual Status Offer(std::span<const Key> keys) = 0;
  // All keys whose Offer has returned are durable.
  virtual Status Sync() = 0;

  // Passes the next new keys, at most `limit`, to `visit` and returns their number.  After zero, keys may
  // still wait to be decided: see Flush().  `visit` must not call the sieve.
  virtual Result<uint64_t> Take(uint64_t limit, const std::function<void(std::string_view bytes)>& visit) = 0;
  // Tells the sieve that all keys taken so far are stored durably elsewhere; they need not come out again.
  virtual Status Release() = 0;

  // Decides on all keys offered so far, without waiting for a full batch: for a crawl that is small or idle.
  // The work can continue in the background; `wait` waits for its end.
  struct FlushOptions {
    bool wait = false;
  };
  virtual Status Flush(FlushOptions options) = 0;

  // Looks at files, to tell their sizes.
  virtual SieveStats stats() const = 0;
  // Does not.
  virtual SievePending pending() const = 0;

  // The durable end: at least everything offered before the last Sync().  A sieve that opens with less than
  // an earlier call returned has lost keys.  Zero for kinds of sieve that do not record it.
  virtual SievePosition position() const { return {}; }

  // Puts a copy of the sieve into `to`, a folder that is not there; of files that never change, hard links if
  // they can be made.  `from` is the folder that the sieve was opened in.  REQUIRES: no other call meanwhile.
  // As it stands it is for a sieve whose files are at rest after Flush(); "z-" begins the names of those that
  // never change.
  virtual Status CopyTo(const std::string& from, const std::string& to);
};

}  // namespace crivello::sieve
