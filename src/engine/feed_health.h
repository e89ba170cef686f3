// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"
#include "base/mutex.h"
#include "collection/collection.h"

namespace crivello::engine {

// How many feeds a collection follows, and how many of them fail.  Counting reads every record, so the counts
// are cached for kKept, or kKeptTimes as long as counting took if that is longer.  Thread-safe.
class FeedHealth {
 public:
  static constexpr Duration kKept = std::chrono::seconds(5);
  static constexpr int kKeptTimes = 50;

  struct Counts {
    uint64_t followed = 0;
    uint64_t failing = 0;  // the last poll of these failed
  };

  // The store must outlive this.
  explicit FeedHealth(collection::Collection& store, const Clock& clock = SystemClock())
      : store_(store), clock_(clock) {}
  // Returns the previous counts if a record cannot be read; `check` reports such a record.
  Counts Get() CRV_EXCLUDES(mu_);

 private:
  collection::Collection& store_;
  const Clock& clock_;
  Mutex mu_;
  Counts kept_ CRV_GUARDED_BY(mu_);
  MonotonicTime again_ CRV_GUARDED_BY(mu_){};
};

}  // namespace crivello::engine
