// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "frontier/frontier_state.h"
#include "web/url/signature.h"

namespace crivello::frontier {

// A Change of the tablet's queues, and the visits that it completes.
class FrontierCommit final : public Frontier::Commit {
 public:
  FrontierCommit(FrontierState& frontier, uint32_t tablet)
      : frontier_(frontier), tablet_(tablet), change_(frontier.tablets_[tablet].queues->Begin()) {}

  ~FrontierCommit() override { frontier_.Reopen(visits_, popped_); }

  kv::Batch& batch() override { return change_.batch(); }

  void Done(const Visit& visit) override {
    const uint64_t hash = web::HostHash(visit.host);
    MutexLock lock(frontier_.mu_);
    AwakeHost* const host = frontier_.FindHost(hash);
    OpenVisit* const open = host == nullptr ? nullptr : frontier_.FindOpen(*host, visit.ticket);
    assert(open != nullptr && open->ended && !open->done);
    if (open == nullptr) return;
    open->done = true;
    visits_.push_back({hash, visit.ticket});
  }

  Result<uint64_t> Requeue(std::span<const UrlRecord> urls) override {
    CRV_ASSIGN(requeued_,
               change_.Enqueue(urls, frontier_.clock_.Wall(), frontier_.AdmissionOfKnown(tablet_)));
    return requeued_.enqueued;
  }

  Status Write(kv::Database::WriteOptions options) override {
    CRV_TRY(Fill());
    Status status = change_.Write(options);
    const bool in_queues = status.ok();
    if (in_queues) status = frontier_.tablets_[tablet_].Acknowledge();
    const DoneVisits visits = std::exchange(visits_, {});
    const std::map<uint64_t, Popped> all_popped = std::exchange(popped_, {});
    if (in_queues) {
      frontier_.Forget(all_popped);  // even without acknowledgement, because the queues have it
      frontier_.Refill(requeued_);
    } else {
      // Whether it was written is known once the database has recovered.
      frontier_.Failed(tablet_, [&frontier = frontier_, visits, all_popped](bool written) {
        if (written) {
          frontier.Forget(all_popped);
        } else {
          frontier.Reopen(visits, all_popped);
        }
      });
    }
    return status;
  }

 private:
  // The changes of each host.  Consumes completed visits up to the first incomplete one of their class, so
  // that no visit is lost that a parser still has; later ones wait for that one.
  Status Fill() CRV_EXCLUDES(frontier_.mu_) {
    for (const auto& [hash, ticket] : visits_) popped_[hash];
    for (auto& [hash, popped] : popped_) {
      std::vector<QueueItem> pops;
      std::vector<QueueItem> put_back;
      HostState state;
      {
        MutexLock lock(frontier_.mu_);
        AwakeHost& host = *frontier_.FindHost(hash);
        state = frontier_.StateOf(host);
        std::array<bool, kPriorityClasses> stopped = {};
        for (OpenVisit& open : host.open) {
          if (open.dequeued) continue;  // by a written commit that is about to say so
          const uint8_t c = open.item.priority;
          stopped[c] = stopped[c] || !open.done;
          if (stopped[c]) continue;
          open.dequeued = true;
          pops.push_back(open.item);
          popped.tickets.push_back(open.ticket);
          if (open.verdict == Verdict::kRetry && !state.given_up) {
            put_back.push_back(open.item);
            put_back.back().attempts++;
          }
        }
      }
      for (const QueueItem& item : pops) CRV_TRY(change_.Pop(hash, item));
      for (const QueueItem& item : put_back) CRV_TRY(change_.PutBack(hash, item));
      CRV_TRY(change_.Store(hash, state));
      popped.put_back = put_back.size();
    }
    return Status::Ok();
  }

  FrontierState& frontier_;
  const uint32_t tablet_;
  HostQueues::Change change_;
  DoneVisits visits_;
  std::map<uint64_t, Popped> popped_;  // by host
  HostQueues::Change::EnqueueResult requeued_;
};

std::unique_ptr<Frontier::Commit> FrontierState::Begin(uint32_t tablet) {
  return std::make_unique<FrontierCommit>(*this, tablet);
}

void FrontierState::Forget(const std::map<uint64_t, Popped>& popped_of_hosts) {
  MutexLock lock(mu_);
  for (const auto& [hash, popped] : popped_of_hosts) {
    if (popped.tickets.empty()) continue;  // all its visits wait for another one, or were consumed with it
    AwakeHost& host = *FindHost(hash);     // exists as long as it has open visits
    const std::set<uint64_t> tickets(popped.tickets.begin(), popped.tickets.end());
    std::erase_if(host.open, [&](const OpenVisit& open) { return tickets.contains(open.ticket); });
    open_visits_ -= tickets.size();
    host.unread += popped.put_back;
    if (host.phase == Phase::kHeld) Settle(host);
  }
}

void FrontierState::Reopen(const DoneVisits& visits, const std::map<uint64_t, Popped>& popped_of_hosts) {
  MutexLock lock(mu_);
  for (const auto& [hash, popped] : popped_of_hosts) {
    for (const uint64_t ticket : popped.tickets) FindOpen(*FindHost(hash), ticket)->dequeued = false;
  }
  for (const auto& [hash, ticket] : visits) FindOpen(*FindHost(hash), ticket)->done = false;
}

// Recovery.

void FrontierState::Failed(uint32_t tablet, std::function<void(bool written)> then) {
  {
    MutexLock lock(mu_);
    if (!failed_[tablet]) {
      failed_[tablet] = std::move(then);
      return;
    }
  }
  then(false);  // after a failed write, no other is made before Recover()
}

Status FrontierState::Recover() {
  if (pumping_.exchange(true)) return Status::Unavailable("the frontier is being pumped");
  const EndOfPump end(pumping_);
  for (const uint32_t i : tablets_.owned()) {
    std::function<void(bool written)> then;
    {
      MutexLock lock(mu_);
      then = failed_[i];
    }
    if (!then) continue;
    CRV_TRY(tablets_[i].db->Resume());
    CRV_ASSIGN(const bool written, tablets_[i].queues->Recover());
    {
      MutexLock lock(mu_);
      failed_[i] = nullptr;
    }
    then(written);
  }
  return Status::Ok();
}

}  // namespace crivello::frontier
