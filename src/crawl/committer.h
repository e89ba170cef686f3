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

// Makes finished visits durable, in groups.  It syncs the archive and the offers, then writes and syncs the
// rows, ledger and dequeues of each tablet as one batch.  While it writes a group, and for some milliseconds
// more, it gathers the next one, so groups grow with the load.
//
// Two visits of one page may be under way at the same time, and their workers may finish in either order. The
// table, the schedule and the list of feeds hold the result of the visit that began last, in whichever order
// the two are committed.  For this, each visit is compared with what is stored, and those of one group are
// committed one after the other.  This costs one lookup for each page, and reading one row for a known page.
//
// One thread calls Run(), which lasts until the queue is closed and empty.  After a failed write it drops all
// further visits, since they will be fetched again, and returns the error in the end.
class CrawlLog;

struct CommitterOptions {
  size_t group = 1024;                              // visits in one commit, at most
  Duration gather = std::chrono::milliseconds(50);  // how long the first of a group waits for others
  CrawlLog* log = nullptr;                          // gets the committed visits; must outlive it
};

class Committer {
 public:
  // It calls `done` after each group, with the visits in it, also for dropped ones.
  Committer(const CrawlContext& context, BoundedQueue<Settled>& queue, CommitterOptions options,
            std::function<void(std::span<const Settled>)> done)
      : context_(context), queue_(queue), options_(options), done_(std::move(done)) {}

  // It calls `failed` once, when the first write has failed.
  Status Run(const std::function<void()>& failed);

 private:
  // Waits until there are enough visits for the next group, or as long as the first one may wait.
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
  // When the rules of an origin are fetched again.
  Result<WallTime> UntilOf(const frontier::Visit& visit, const collection::RobotsRecord& record) const;
  void Count(const std::vector<Settled>& group);

  const CrawlContext& context_;
  BoundedQueue<Settled>& queue_;
  const CommitterOptions options_;
  const std::function<void(std::span<const Settled>)> done_;
};

}  // namespace crivello::crawl
