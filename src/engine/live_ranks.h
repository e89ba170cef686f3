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
  // How often it looks whether ranks are due.
  Duration look_interval = std::chrono::seconds(2);
  // When the tables have been quiet for so long, the crawl has come to rest (rank_policy.h).
  Duration quiet_interval = std::chrono::seconds(10);
  // Called after new ranks are in place, in the thread of the ranks.
  std::function<void()> changed = {};
};

// Keeps the graphs and the ranks of a collection up to its rows while these grow: the graphs of pages and of
// hosts, and of each a PageRank (`pagerank`, `host-pagerank`; host_places.h).  A thread looks every
// few seconds and computes them when rank_policy.h says so, at a low priority, beside the crawl and the
// index, which takes a new rank in by itself.  Ranks that users brought follow the graphs (CarryRanks).
//
// An error ends nothing: it is told to the listener, and the ranks are computed again when they have rested.
// Thread-safe.
class LiveRanks {
 public:
  // The collection and the listener outlive it.
  static std::unique_ptr<LiveRanks> Start(collection::Collection& store, LiveRanksOptions options,
                                          Listener& listener);
  ~LiveRanks();
  LiveRanks(const LiveRanks&) = delete;
  LiveRanks& operator=(const LiveRanks&) = delete;

  // Returns when the ranks are of the rows as they are now, or with the error that they met.
  Status CatchUp() CRV_EXCLUDES(mu_);
  // Cuts off what is being computed; the graphs and ranks before stay.
  void Stop() CRV_EXCLUDES(mu_);

  struct Stats {
    uint64_t refreshes = 0;  // in this process
    bool computing = false;
    Status status;  // of the last time
  };
  Stats stats() const CRV_EXCLUDES(mu_);

 private:
  LiveRanks(collection::Collection& store, LiveRanksOptions options, Listener& listener);
  void Loop(const std::stop_token& stop);
  // Where the tables stand.
  uint64_t Sequence() const;
  bool HasGraphs() const;
  // Rows, and how many of them are newer than the graphs.
  Status CountRows(const std::stop_token& stop);
  Status Compute(const std::stop_token& stop);

  collection::Collection& store_;
  const LiveRanksOptions options_;
  Listener& listener_;

  // The thread's own.
  uint64_t ranked_sequence_ = 0;  // the tables stood there when the last graphs were begun
  uint64_t missed_ = 0;           // changes before that, which the graphs do not have
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
