// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/progress.h"
#include "base/status.h"
#include "collection/collection.h"
#include "engine/rank_policy.h"

namespace crivello::engine {

struct LiveRanksOptions {
  uint64_t memory_bytes = uint64_t{64} << 20;
  // How often to check whether ranks are due.
  Duration look_interval = std::chrono::seconds(2);
  // When the tables have been quiet this long, the crawl counts as idle (rank_policy.h).
  Duration quiet_interval = std::chrono::seconds(10);
  // Called after new ranks are in place, in the thread that computed them.
  std::function<void()> changed = {};
};

// Keeps the graphs and ranks of a collection up to date while its rows grow: the graphs of pages and of
// hosts, and a PageRank of each (`pagerank`, `host-pagerank`; host_places.h).  A thread checks every few
// seconds and computes them when rank_policy.h says so, at a low priority, beside crawl and index. The index
// loads a new rank by itself.  Ranks that users brought are adapted to new graphs (CarryRanks).
//
// An error is reported to the listener and stops nothing: after a rest the ranks are computed again.
// Thread-safe.
class LiveRanks {
 public:
  // The collection and the listener must outlive it.
  static std::unique_ptr<LiveRanks> Start(collection::Collection& store, LiveRanksOptions options,
                                          Listener& listener);
  ~LiveRanks();
  LiveRanks(const LiveRanks&) = delete;
  LiveRanks& operator=(const LiveRanks&) = delete;

  // Returns when the ranks reflect the current rows, or with the error that occurred.
  Status CatchUp() CRV_EXCLUDES(mu_);
  // Cancels a computation in progress; the previous graphs and ranks stay.
  void Stop() CRV_EXCLUDES(mu_);

  struct Stats {
    uint64_t refreshes = 0;  // in this process
    bool computing = false;
    Status status;  // of the last attempt
  };
  Stats stats() const CRV_EXCLUDES(mu_);

 private:
  LiveRanks(collection::Collection& store, LiveRanksOptions options, Listener& listener);
  void Loop(const std::stop_token& stop);
  // The current sequence of the tables.
  uint64_t Sequence() const;
  bool HasGraphs() const;
  // Counts rows, and those that are newer than the graphs.
  Status CountRows(const std::stop_token& stop);
  Status Compute(const std::stop_token& stop);

  collection::Collection& store_;
  const LiveRanksOptions options_;
  Listener& listener_;

  // Used by the thread only.
  uint64_t ranked_sequence_ = 0;  // the sequence of the tables when the last graphs were begun
  uint64_t missed_ = 0;           // changes before that which the graphs do not have
  uint64_t pages_ = 0;

  mutable Mutex mu_;
  std::condition_variable_any wake_;
  Stats stats_ CRV_GUARDED_BY(mu_);
  uint64_t asked_ CRV_GUARDED_BY(mu_) = 0;  // calls of CatchUp()
  uint64_t answered_ CRV_GUARDED_BY(mu_) = 0;
  bool stopped_ CRV_GUARDED_BY(mu_) = false;

  std::jthread thread_;  // the last member: ends before the others go
};

}  // namespace crivello::engine
