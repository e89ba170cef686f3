// SPDX-License-Identifier: Apache-2.0
// The implementation of the frontier; included only by frontier*.cc.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "frontier/frontier.h"
#include "frontier/host_queues.h"
#include "frontier/workbench.h"

namespace crivello::frontier {

// A host in memory with its read-ahead, on average; the memory budget is divided by this.
constexpr uint64_t kHostBytes = 2048;
// URLs moved to the queues in one batch: enough for hosts to have several, but few enough to delay commits
// only by some milliseconds.
constexpr uint64_t kUrlsPerBatch = 20000;
// A host that must rest longer than this makes room for others.
constexpr Duration kLongRest = std::chrono::minutes(1);

// A visit of a queued URL that was taken and is not yet committed.
struct OpenVisit {
  uint64_t ticket = 0;
  QueueItem item = {};
  bool ended = false;  // Fetched or Skipped
  Verdict verdict = Verdict::kFinish;
  bool done = false;      // in a commit that was written or is about to be
  bool dequeued = false;  // and that commit removed it from its queue
};

// A robots.txt to fetch from this host for an origin, which may be another host.
struct Errand {
  std::string origin = {};
  std::string url = {};
  uint32_t hops = 0;
};

// A host in memory.
struct AwakeHost {
  enum class Phase : uint8_t {
    kBench,      // on the workbench
    kTaken,      // held by a visit, or by a thread that is making one
    kResolving,  // waits for its address
    kRobots,     // its robots.txt is being fetched, or on an errand; RobotsDone() is still to come
    kHeld,       // nothing to take until a commit, or until URLs arrive
    kChore,      // Pump() must put it to sleep or give it up
  };

  uint64_t hash = 0;
  uint32_t tablet = 0;
  // As it will be stored.  The part about queues is as of when the host woke.
  HostState state = {};
  bool known = true;  // to the queues; if false, it is here only for an errand
  Phase phase = Phase::kHeld;
  Workbench::HostId bench = Workbench::kNoHost;
  Manners manners = {};
  MonotonicTime next{};          // not to be visited before
  MonotonicTime address_next{};  // nor its address; as of the last request
  MonotonicTime ended{};         // when the last request ended
  uint32_t served = 0;           // visits since it woke
  bool drowsy = false;           // goes to sleep as soon as its visits are committed
  uint64_t unread = 0;           // URLs on disk after those in `ahead`
  QueueCursor cursor = {};       // where they begin
  std::deque<QueueItem> ahead = {};
  uint64_t overtaking = 0;  // an upper bound: URLs that became due, of a better class than all of `ahead`
  std::deque<OpenVisit> open = {};
  std::vector<Errand> errands = {};
};

// Lets another thread pump.
class EndOfPump {
 public:
  explicit EndOfPump(std::atomic<bool>& pumping) : pumping_(pumping) {}
  ~EndOfPump() { pumping_ = false; }
  EndOfPump(const EndOfPump&) = delete;
  EndOfPump& operator=(const EndOfPump&) = delete;

 private:
  std::atomic<bool>& pumping_;
};

// The visits of a commit: host and ticket.
using DoneVisits = std::vector<std::pair<uint64_t, uint64_t>>;

// What a written commit removes from a host's open visits.
struct Popped {
  std::vector<uint64_t> tickets = {};
  uint64_t put_back = 0;
};

// Records being moved from a sieve to the queues; the sieve returns them only once.
struct Moving {
  bool under_way = false;
  std::string bytes = {};
  std::vector<size_t> ends = {};
  bool written = false;  // in the queues; the sieve must still release them
};

// Locks: mu_ is held only briefly, never during I/O.  There is one Change of a tablet's queues at a time,
// while it is filled and written; mu_ may be taken during it, but not the reverse.  The `ahead` of a host in
// phase kTaken belongs to its holder; mu_ protects everything else of a host.
class FrontierState final : public Frontier {
 public:
  FrontierState(const Tablets& tablets, Exchange& exchange, const Clock& clock,
                const FrontierOptions& options);
  // Puts all hosts to sleep: otherwise the queues would count them as awake, and another frontier of this
  // process could not wake them.
  ~FrontierState() override;

  using Frontier::Offer;
  Status Offer(std::span<const UrlRecord> urls, std::vector<OutgoingUrl>* elsewhere) override;
  Status SyncOffers() override { return exchange_.Sync(); }
  Status Schedule(std::span<const Appointment> appointments) override;
  void Hold(bool hold) override { held_ = hold; }
  void SetBudget(const BudgetOptions& budget) override { budget_.Set(budget); }
  BudgetOptions budget() const override { return budget_.options(); }
  Result<Swept> Sweep(uint32_t tablet, std::span<const uint64_t> hosts, const Sweeper& sweeper) override
      CRV_EXCLUDES(mu_);
  Result<Taken> Take() override CRV_EXCLUDES(mu_);
  Result<After> Fetched(const Visit& visit, const FetchOutcome& outcome) override CRV_EXCLUDES(mu_);
  void Skipped(const Visit& visit) override CRV_EXCLUDES(mu_);
  void PutBack(const Visit& visit, const NotBefore& not_before) override CRV_EXCLUDES(mu_);
  void NeedsRobots(const Visit& visit) override CRV_EXCLUDES(mu_);
  void RobotsDone(const Visit& visit, const RobotsNews& news) override CRV_EXCLUDES(mu_);
  Status RobotsMoved(const Visit& visit, std::string_view url) override CRV_EXCLUDES(mu_);
  std::vector<std::string> NeedsAddress(size_t limit) override CRV_EXCLUDES(mu_);
  void Resolved(std::string_view host, std::string_view address, WallTime until) override CRV_EXCLUDES(mu_);
  void ResolveFailed(std::string_view host, const ResolveFailure& failure) override CRV_EXCLUDES(mu_);
  Result<Pumped> Pump() override CRV_EXCLUDES(mu_);
  bool Finished() const override CRV_EXCLUDES(mu_);
  void Add(uint32_t tablet) override CRV_EXCLUDES(mu_);
  void Remove(uint32_t tablet) override CRV_EXCLUDES(mu_);
  std::unique_ptr<Commit> Begin(uint32_t tablet) override;
  Status Recover() override CRV_EXCLUDES(mu_);
  bool IsOpen(const Visit& visit) const override CRV_EXCLUDES(mu_);
  FrontierStats Stats() const override CRV_EXCLUDES(mu_);
  std::vector<HostStanding> Standings(size_t limit) const override CRV_EXCLUDES(mu_);
  uint64_t memory_bytes() const override CRV_EXCLUDES(mu_);

 private:
  friend class FrontierCommit;
  using Phase = AwakeHost::Phase;

  // frontier.cc
  AwakeHost* FindHost(uint64_t hash) CRV_REQUIRES(mu_);
  AwakeHost* FindHost(std::string_view name) CRV_REQUIRES(mu_);
  // Moves a host to its current place: back on the bench, to be resolved, held until something happens, or to
  // sleep.
  void Settle(AwakeHost& host) CRV_REQUIRES(mu_);
  void TakeOffBench(AwakeHost& host) CRV_REQUIRES(mu_);
  // The next visit of a taken host that has something to visit.
  Visit MakeVisit(AwakeHost& host) CRV_REQUIRES(mu_);
  bool HasVisit(const AwakeHost& host) const CRV_REQUIRES(mu_) {
    return !host.errands.empty() || !host.ahead.empty();
  }
  // Undoes the taking of a visit.
  void Undo(AwakeHost& host, const Visit& visit) CRV_REQUIRES(mu_);
  HostState::Robots& RobotsOf(AwakeHost& host, std::string_view origin) CRV_REQUIRES(mu_);
  Status RunErrand(AwakeHost& host, const Visit& visit, std::string_view url) CRV_REQUIRES(mu_);
  void GiveUp(AwakeHost& host, std::string why) CRV_REQUIRES(mu_);
  OpenVisit* FindOpen(AwakeHost& host, uint64_t ticket) CRV_REQUIRES(mu_);

  // frontier_commit.cc
  void Forget(const std::map<uint64_t, Popped>& popped_of_hosts) CRV_EXCLUDES(mu_);
  void Reopen(const DoneVisits& visits, const std::map<uint64_t, Popped>& popped_of_hosts) CRV_EXCLUDES(mu_);
  // A write to the tablet failed: `then` runs once it is known whether the write is there.
  void Failed(uint32_t tablet, std::function<void(bool written)> then) CRV_EXCLUDES(mu_);

  // frontier_pump.cc
  Result<uint64_t> Distribute(uint32_t tablet) CRV_EXCLUDES(mu_);
  Status Enqueue(uint32_t tablet) CRV_EXCLUDES(mu_);
  // Tells awake hosts about new URLs in their queues.
  void Refill(const HostQueues::Change::EnqueueResult& result) CRV_EXCLUDES(mu_);
  // After Refill(): hosts whose read-ahead is of worse classes read these URLs first.
  struct DueUrl {
    uint64_t host = 0;
    uint8_t priority = 0;
  };
  void Overtake(std::span<const DueUrl> urls) CRV_EXCLUDES(mu_);
  Status DoChores() CRV_EXCLUDES(mu_);
  Result<uint64_t> Wake() CRV_EXCLUDES(mu_);
  void MakeRoom() CRV_REQUIRES(mu_);
  Status FlushSieves(Pumped* pumped) CRV_EXCLUDES(mu_);
  Status PutToBed(uint32_t tablet, const std::vector<AwakeHost*>& hosts) CRV_EXCLUDES(mu_);
  HostQueues::Admit Admission();
  // For URLs of commands, and revisits: no limits, and another chance for a host that was given up.
  HostQueues::Admit AdmissionOfKnown(uint32_t tablet);

  // frontier_tablets.cc
  // Nobody will do the errands of a host: those that wait for them ask again.
  void DropErrands(AwakeHost& host) CRV_REQUIRES(mu_);

  // frontier_orders.cc
  // Moves due entries from the agenda to the queues; returns how many.
  Result<uint64_t> KeepAppointments(uint32_t tablet) CRV_EXCLUDES(mu_);
  void SendToBed(AwakeHost& host) CRV_REQUIRES(mu_);

  HostState StateOf(const AwakeHost& host) const CRV_REQUIRES(mu_);
  std::unique_ptr<AwakeHost> Awaken(uint32_t tablet, HostQueues::Woken woken) const;
  void Join(std::unique_ptr<AwakeHost> host) CRV_REQUIRES(mu_);
  WallTime WallOf(MonotonicTime time) const { return clock_.Wall() + (time - clock_.Now()); }
  MonotonicTime MonotonicOf(WallTime time) const;

  const Tablets& tablets_;
  Exchange& exchange_;
  const Clock& clock_;
  const FrontierOptions options_;
  const MonotonicTime opened_;
  const uint64_t awake_limit_;
  Budget budget_;

  mutable Mutex mu_;
  Workbench bench_ CRV_GUARDED_BY(mu_);
  std::unordered_map<uint64_t, std::unique_ptr<AwakeHost>> hosts_ CRV_GUARDED_BY(mu_);
  std::vector<AwakeHost*> by_bench_ CRV_GUARDED_BY(mu_);
  std::deque<uint64_t> unresolved_ CRV_GUARDED_BY(mu_);  // hosts that NeedsAddress() has yet to return
  std::vector<uint64_t> chores_ CRV_GUARDED_BY(mu_);     // hosts in phase kChore
  uint64_t last_ticket_ CRV_GUARDED_BY(mu_) = 0;
  uint64_t open_visits_ CRV_GUARDED_BY(mu_) = 0;
  bool starving_ CRV_GUARDED_BY(mu_) = true;       // Take() found nothing since the last Pump()
  bool others_sleep_ CRV_GUARDED_BY(mu_) = false;  // some sleeping hosts could be woken now
  std::optional<WallTime> next_wake_ CRV_GUARDED_BY(mu_);
  std::vector<std::function<void(bool written)>> failed_ CRV_GUARDED_BY(mu_);  // by tablet

  std::atomic<bool> held_ = false;
  std::atomic<bool> pumping_ = false;
  // Used by the thread in Pump().
  std::vector<Moving> moving_;             // by tablet
  std::vector<MonotonicTime> last_flush_;  // by tablet
  MonotonicTime last_look_{};              // for hosts to wake

  std::atomic<uint64_t> in_transit_ = 0;  // batches of moving_ in progress

  // Counters for people.
  std::atomic<uint64_t> over_budget_ = 0;
  std::atomic<uint64_t> of_given_up_ = 0;
  std::atomic<uint64_t> unfit_ = 0;
};

}  // namespace crivello::frontier
