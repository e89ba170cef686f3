// SPDX-License-Identifier: Apache-2.0
#include "engine/live_ranks.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "jobs/graph/graph_folder.h"
#include "jobs/graph/graph_store.h"
#include "jobs/graph/host_places.h"
#include "jobs/graph/rank_store.h"

namespace crivello::engine {
namespace {

struct LiveLevel {
  jobs::GraphLevel level;
  std::string_view rank;
};
constexpr LiveLevel kLevels[] = {{jobs::GraphLevel::kPage, jobs::kPageRank},
                                 {jobs::GraphLevel::kHost, jobs::kHostRank}};

// When a file was written, in microseconds since 1970; 0 if there is none.
int64_t WrittenAt(const std::string& path) {
  struct stat about = {};
  if (::stat(path.c_str(), &about) != 0) return 0;
  return int64_t{about.st_mtim.tv_sec} * 1'000'000 + about.st_mtim.tv_nsec / 1000;
}

// The time of the oldest file of the graphs and ranks of a collection; 0 if one is missing.
int64_t RankedAt(const std::string& collection) {
  int64_t oldest = INT64_MAX;
  for (const LiveLevel& one : kLevels) {
    oldest = std::min(oldest, WrittenAt(jobs::GraphBasename(collection, one.level) + ".graph"));
    oldest = std::min(oldest, WrittenAt(collection + "/ranks/" + std::string(one.rank)));
  }
  return oldest;
}

}  // namespace

LiveRanks::LiveRanks(collection::Collection& store, LiveRanksOptions options, Listener& listener)
    : store_(store), options_(std::move(options)), listener_(listener) {}

std::unique_ptr<LiveRanks> LiveRanks::Start(collection::Collection& store, LiveRanksOptions options,
                                            Listener& listener) {
  std::unique_ptr<LiveRanks> ranks(new LiveRanks(store, std::move(options), listener));
  ranks->thread_ = std::jthread([r = ranks.get()](const std::stop_token& stop) { r->Loop(stop); });
  return ranks;
}

LiveRanks::~LiveRanks() { Stop(); }

uint64_t LiveRanks::Sequence() const {
  uint64_t sum = 0;
  for (collection::Tablet* const tablet : store_.tablets()) sum += tablet->changes().last();
  return sum;
}

bool LiveRanks::HasGraphs() const { return RankedAt(store_.directory()) != 0; }

Status LiveRanks::CountRows(const std::stop_token& stop) {
  ranked_sequence_ = Sequence();
  pages_ = missed_ = 0;
  // A row written while the graphs were read counts as included: there are few of these.
  const int64_t ranked_at = RankedAt(store_.directory());
  for (collection::Tablet* const tablet : store_.tablets()) {
    store::RowCursor row = tablet->table().Scan();
    for (; row.valid() && !stop.stop_requested(); row.NextRow()) {
      pages_++;
      if (row.time() > ranked_at) missed_++;
    }
    CRV_TRY(row.status());
  }
  if (ranked_at == 0) pages_ = 0;
  return Status::Ok();
}

void LiveRanks::Loop(const std::stop_token& stop) {
  // On Linux each thread has its own priority.  If it cannot be lowered, nothing else changes.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 10);
  const Clock& clock = SystemClock();
  Status counted = CountRows(stop);
  uint64_t sequence = ranked_sequence_;
  MonotonicTime changed_at = clock.Now();
  MonotonicTime ended_at = changed_at;
  Duration took{};
  while (!stop.stop_requested()) {
    uint64_t asked = 0;
    bool wanted = false;
    {
      MutexLock lock(mu_);
      wake_.wait_for(mu_, stop, options_.look_interval,
                     [this]() CRV_REQUIRES(mu_) { return asked_ > answered_; });
      asked = asked_;
      wanted = asked_ > answered_;
    }
    if (stop.stop_requested()) break;
    if (!counted.ok() || (pages_ > 0 && !HasGraphs())) counted = CountRows(stop);  // or pages were forgotten
    const MonotonicTime now = clock.Now();
    if (const uint64_t last = Sequence(); last != sequence) {
      sequence = last;
      changed_at = now;
    }
    const LiveRankStats counts = {.pages = pages_,
                                  .changes = missed_ + (sequence - ranked_sequence_),
                                  .quiet = now - changed_at,
                                  .rested = now - ended_at,
                                  .took = took,
                                  .wanted = wanted};
    Status status = counted;
    if (status.ok() && RanksAreDue(counts, options_.quiet_interval)) {
      {
        MutexLock lock(mu_);
        stats_.computing = true;
      }
      status = Compute(stop);
      ended_at = clock.Now();
      took = ended_at - now;
      if (!status.ok() && !stop.stop_requested()) {
        listener_.Warn("ranks.failed", "the ranks were not computed: " + status.ToString());
      }
    }
    MutexLock lock(mu_);
    stats_.computing = false;
    stats_.status = status;
    answered_ = asked;
    wake_.notify_all();
  }
}

Status LiveRanks::Compute(const std::stop_token& stop) {
  SilentProgress progress;
  const std::string& directory = store_.directory();
  uint64_t begun = 0;  // the job sees all changes up to here
  for (collection::Tablet* const tablet : store_.tablets()) {
    CRV_ASSIGN(const uint64_t settled, tablet->changes().Settled());
    begun += settled;
  }
  uint64_t rows = 0;
  for (const LiveLevel& one : kLevels) {
    CRV_ASSIGN(
        const jobs::StoredGraphSummary built,
        jobs::StoreGraph(store_, {.level = one.level, .memory_bytes = options_.memory_bytes, .stop = stop},
                         progress));
    rows = built.graph.rows;
    CRV_ASSIGN(const jobs::OpenedGraph graph, jobs::OpenCollectionGraph(directory, one.level));
    CRV_ASSIGN(const jobs::ComputedRank rank,
               jobs::ComputeRank(graph,
                                 {.method = jobs::RankMethod::kPageRankGaussSeidel,
                                  .memory_bytes = options_.memory_bytes,
                                  .stop = stop},
                                 progress));
    CRV_TRY(jobs::StoreRank(directory, std::string(one.rank), graph, rank.how, rank.values));
  }
  ranked_sequence_ = begun;
  missed_ = 0;
  pages_ = rows;
  if (options_.changed) options_.changed();
  MutexLock lock(mu_);
  stats_.refreshes++;
  return Status::Ok();
}

Status LiveRanks::CatchUp() {
  MutexLock lock(mu_);
  const uint64_t mine = ++asked_;
  wake_.notify_all();
  wake_.wait(mu_, [&]() CRV_REQUIRES(mu_) { return answered_ >= mine || stopped_; });
  if (answered_ >= mine) return stats_.status;
  return Status::Unavailable("the ranks are no longer updated: the process is shutting down");
}

void LiveRanks::Stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  MutexLock lock(mu_);
  stopped_ = true;
  wake_.notify_all();
}

LiveRanks::Stats LiveRanks::stats() const {
  MutexLock lock(mu_);
  return stats_;
}

}  // namespace crivello::engine
