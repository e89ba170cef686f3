// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/hash.h"

namespace crivello::sieve {

// The most recently offered signatures, in a fixed number of bytes, so that most repeats (which on the web
// come soon) are dropped at almost no cost. Sets of eight, one cache line each, in order of last use: LRU
// within sets approximates global LRU. A call costs one cache miss, which Prefetch() can hide.
//
// A hit must mean that the key is in the sieve: Insert() it only after the sieve has accepted it. Then a
// dropped offer is as durable after Sync() as the first one: the key was in the sieve's buffers before it was
// in the cache. The cache itself is not persistent.
//
// Thread-safe without locks. The words of a set are atomic, and each is always zero or an inserted signature.
// Two threads that move the words of one set at once may lose or duplicate one, which costs a miss. A hit is
// ordered after the insertion that it found.
class SignatureCache {
 public:
  explicit SignatureCache(uint64_t bytes)
      : sets_(bytes / sizeof(Set)), table_(std::make_unique<Set[]>(sets_ > 0 ? sets_ : 1)) {
    if (sets_ == 0) sets_ = 1;
  }

  void Prefetch(uint64_t signature) const { __builtin_prefetch(&SetOf(signature), 1); }

  // Whether it is cached; if so, it becomes the newest of its set.
  bool Contains(uint64_t signature) {
    if (signature == kNone) return false;
    Set& set = SetOf(signature);
    for (int way = 0; way < kWays; way++) {
      if (set.words[way].load(std::memory_order_acquire) != signature) continue;
      MoveDown(set, way, signature);
      return true;
    }
    return false;
  }

  // Inserts it in place of the oldest of its set.
  void Insert(uint64_t signature) {
    if (signature == kNone || Contains(signature)) return;
    MoveDown(SetOf(signature), kWays - 1, signature);
  }

  uint64_t memory_bytes() const { return sets_ * sizeof(Set); }

 private:
  static constexpr int kWays = 8;
  static constexpr uint64_t kNone = 0;  // an empty word; that signature is never cached
  struct alignas(64) Set {
    std::atomic<uint64_t> words[kWays] = {};
  };

  Set& SetOf(uint64_t signature) const { return table_[ScaleTo(Mix64(signature), sets_)]; }
  // Moves words 0 ... way - 1 down by one, overwriting that of `way`, and puts `signature` first.
  static void MoveDown(Set& set, int way, uint64_t signature) {
    for (; way > 0; way--) {
      set.words[way].store(set.words[way - 1].load(std::memory_order_acquire), std::memory_order_release);
    }
    set.words[0].store(signature, std::memory_order_release);
  }

  uint64_t sets_;
  std::unique_ptr<Set[]> table_;
};

}  // namespace crivello::sieve
