// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "search/suggest/suggestions.h"

namespace crivello::search {

// Suggestions of an index that changes.  They are made in a thread of their own, when they are first asked
// for; who asks then waits, and never again: newer ones are made while the older ones answer, kRenewal apart
// at least. Searches do not notice.  Thread-safe.
class Suggester {
 public:
  static constexpr Duration kRenewal = std::chrono::minutes(1);

  explicit Suggester(const Clock& clock) : clock_(clock) {}
  ~Suggester();

  // Suggestions of this snapshot or, while these are made, of an earlier one.
  Result<std::shared_ptr<const Suggestions>> For(const std::shared_ptr<const index::Snapshot>& snapshot,
                                                 const std::set<std::string, std::less<>>& stop_words)
      CRV_EXCLUDES(mutex_);

  // Begins to make them if they are wanted; does not wait.
  void Prepare(const std::shared_ptr<const index::Snapshot>& snapshot,
               const std::set<std::string, std::less<>>& stop_words) CRV_EXCLUDES(mutex_);

 private:
  void StartIfWanted(const std::shared_ptr<const index::Snapshot>& snapshot,
                     const std::set<std::string, std::less<>>& stop_words) CRV_REQUIRES(mutex_);
  void Start(std::shared_ptr<const index::Snapshot> snapshot, std::set<std::string, std::less<>> stop_words)
      CRV_REQUIRES(mutex_);

  const Clock& clock_;
  Mutex mutex_;
  std::condition_variable_any made_;
  bool making_ CRV_GUARDED_BY(mutex_) = false;
  MonotonicTime started_ CRV_GUARDED_BY(mutex_) = {};
  std::weak_ptr<const index::Snapshot> snapshot_ CRV_GUARDED_BY(mutex_);  // that the last ones are of
  std::shared_ptr<const Suggestions> suggestions_ CRV_GUARDED_BY(mutex_);
  Status status_ CRV_GUARDED_BY(mutex_);
  std::jthread maker_ CRV_GUARDED_BY(mutex_);
};

}  // namespace crivello::search
