// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/bounded_queue.h"
#include "base/status.h"
#include "crawl/crawl_context.h"
#include "feeds/feed_list.h"

namespace crivello::crawl {

// Makes what has settled durable, in groups: archive and offers are synced, then rows, ledger and dequeues of
// each tablet are written and synced as one.  While a group is being written, and for some milliseconds more,
// the next one gathers, so that groups grow with the load.
//
// Two visits of one page may be under way together, and their workers may end in either order.  The table,
// the schedule and the list of feeds hold what the visit that began last has found, in whichever order the
// two are committed: each is compared with what is there, and those of one group are committed one after the
// other.  This costs one lookup for each page, and the reading of one row for a page that was known.
//
// Run() is one thread's, until the queue is closed and empty.  After a write that failed it takes what comes
// and drops it, since it will be fetched again, and returns the error in the end.
class CrawlLog;

struct CommitterOptions {
  size_t group = 1024;                              // visits in one commit, at most
  Duration gather = std::chrono::milliseconds(50);  // how long the first of a group waits for others
  CrawlLog* log = nullptr;                          // is told of what was committed; outlives it
};

class Committer {
 public:
  // `done` is called after each group, with the visits in it; also for those that are dropped.
  Committer(const CrawlContext& context, BoundedQueue<Settled>& queue, CommitterOptions options,
            std::function<void(std::span<const Settled>)> done)
      : context_(context), queue_(queue), options_(options), done_(std::move(done)) {}

  // `failed` is called once, when the first write has failed.
  Status Run(const std::function<void()>& failed);

 private:
  // Waits until enough have come for the next group, or for as long as the first may wait.
  void Gather();
  Status Commit(const std::vector<Settled>& group);
  // The tablet that a visit is committed to.
  uint32_t SlotOf(const Settled& settled) const;
  // REQUIRES: no two visits of one page.
  Status CommitTablet(uint32_t tablet, const std::vector<const Settled*>& visits);
  // URLs that other processes own.  After success OtherTablets::Written() must follow.
  Status PutOutgoing(uint32_t tablet, const std::vector<const Settled*>& visits, kv::Batch* batch) const;
  // The row of a page and its line in the schedule.
  Status CommitPage(const Settled& settled, const collection::Tablet& store, kv::Batch* batch,
                    collection::PageSchedule::Change* schedule);
  // The record of a feed, and the entry of the agenda that is to follow.
  static Status CommitFeed(const Settled& settled, feeds::FeedList& list, kv::Batch* batch,
                           std::vector<frontier::Appointment>* polls);
  // When the rules of an origin are asked for again.
  Result<WallTime> UntilOf(const frontier::Visit& visit, const collection::RobotsRecord& record) const;
  void Count(const std::vector<Settled>& group);

  const CrawlContext& context_;
  BoundedQueue<Settled>& queue_;
  const CommitterOptions options_;
  const std::function<void(std::span<const Settled>)> done_;
};

}  // namespace crivello::crawl
