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

// A sieve lets each key through once, ever, in order of first arrival. A key is identified by its signature:
// the sieve never reads the bytes that accompany it (a URL and what is known about it). So two records with
// the same signature are one key, and the first one wins.
struct Key {
  uint64_t signature = 0;
  std::string_view bytes;
};

constexpr uint32_t kMaxKeyBytes = 1u << 20;

// InvalidArgument if a key is too long.
Status CheckKeys(std::span<const Key> keys);

struct SieveStats {
  uint64_t offered = 0;  // in this process
  uint64_t cached = 0;   // of those, dropped by the cache
  uint64_t passed = 0;   // came through, in this process
  uint64_t known = 0;    // keys that the sieve remembers, ever
  uint64_t waiting = 0;  // offered and not yet decided
  uint64_t untaken = 0;  // decided new and not yet taken
  uint64_t flushes = 0;
  uint64_t written_bytes = 0;  // to the disk, in this process
  uint64_t disk_bytes = 0;
  uint64_t memory_bytes = 0;
};

// What a sieve has yet to do: the part of its stats that a crawl queries at every step.
struct SievePending {
  uint64_t waiting = 0;  // offered and not yet decided
  uint64_t untaken = 0;  // decided new and not yet taken
  uint64_t known = 0;    // keys that the sieve remembers, ever
};

// How far a sieve has come: its batches, and the keys of the last one. Never decreases, not even across a
// restart, unless files were truncated or lost.
struct SievePosition {
  uint64_t batch = 0;
  uint64_t keys = 0;
  friend auto operator<=>(const SievePosition&, const SievePosition&) = default;
};

// The state of a sieve that is not open.
struct SieveStanding {
  SievePending pending = {};
  SievePosition position = {};
};

// Thread-safe: any number of threads may offer, but only one at a time may take.
//
// Guarantees across a crash: a key offered before a successful Sync() comes out, before or after the crash. A
// key that came out can come out again only if it was not released. A failed write is an error of that call;
// the sieve works again once the cause (a full disk) is gone, and nothing acknowledged is lost. After a
// failed sync the state of the disk is unknown: open the sieve again.
class Sieve {
 public:
  virtual ~Sieve() = default;

  // Adds the keys, in this order. Waits while two batches are already being processed. After an error some
  // keys may have been added: offer all of them again, because repeated keys do no harm. If a key is longer
  // than kMaxKeyBytes, adds none and returns InvalidArgument.
  virtual Status Offer(std::span<const Key> keys) = 0;
  // Makes all keys durable whose Offer has returned.
  virtual Status Sync() = 0;

  // Passes the next new keys, at most `limit`, to `visit` and returns their number. If that is zero, there
  // may still be undecided keys: see Flush(). `visit` must not call the sieve.
  virtual Result<uint64_t> Take(uint64_t limit, const std::function<void(std::string_view bytes)>& visit) = 0;
  // Tells the sieve that all keys taken so far are stored durably elsewhere; it need not return them again.
  virtual Status Release() = 0;

  // Decides all keys offered so far, without waiting for a full batch: for a small or idle crawl. The work
  // can continue in the background; `wait` waits until it is done.
  struct FlushOptions {
    bool wait = false;
  };
  virtual Status Flush(FlushOptions options) = 0;

  // Queries the file system for file sizes.
  virtual SieveStats stats() const = 0;
  // Without accessing the file system.
  virtual SievePending pending() const = 0;

  // The durable end: at least everything offered before the last Sync(). A sieve that opens with a smaller
  // position than an earlier call returned has lost keys. Zero for kinds of sieve that do not record it.
  virtual SievePosition position() const { return {}; }

  // Copies the sieve to `to`, a folder that must not exist; files that never change are hard-linked if
  // possible. `from` is the folder that the sieve was opened in. REQUIRES: no other call at the same time.
  // The default implementation is for sieves that do not write files after Flush(), and whose immutable files
  // have names that begin with "z-".
  virtual Status CopyTo(const std::string& from, const std::string& to);
};

}  // namespace crivello::sieve
