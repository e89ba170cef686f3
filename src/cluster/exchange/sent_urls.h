// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/mutex.h"

namespace crivello::cluster {

// URLs of which a copy is durable in an outbox of this process already, or was confirmed: another one need
// not be sent.  A table of signatures in which a newer one takes the place of an older one, so what is
// forgotten costs a message, and the sieve of its tablet drops it there.  It is emptied when a tablet moves.
// Thread-safe; some nanoseconds a call.
class SentUrls {
 public:
  explicit SentUrls(uint64_t memory_bytes) {
    uint64_t places = 1024;
    while (2 * places * sizeof(uint64_t) <= memory_bytes) places *= 2;
    table_.resize(places);
  }
  bool Contains(uint64_t signature) const CRV_EXCLUDES(mu_) {
    MutexLock lock(mu_);
    return signature != 0 && table_[PlaceOf(signature)] == signature;
  }
  // REQUIRES: their outboxes are durable.
  void Add(std::span<const uint64_t> signatures) CRV_EXCLUDES(mu_) {
    MutexLock lock(mu_);
    for (const uint64_t signature : signatures) table_[PlaceOf(signature)] = signature;
  }
  void Clear() CRV_EXCLUDES(mu_) {
    MutexLock lock(mu_);
    table_.assign(table_.size(), 0);
  }

 private:
  // The low bits: the high ones are those of the host.
  uint64_t PlaceOf(uint64_t signature) const CRV_REQUIRES(mu_) { return signature & (table_.size() - 1); }

  mutable Mutex mu_;
  std::vector<uint64_t> table_ CRV_GUARDED_BY(mu_);  // 0: none
};

}  // namespace crivello::cluster
