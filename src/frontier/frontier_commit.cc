// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <set>
#include <utility>

#include "frontier/frontier_state.h"
#include "web/signature.h"

namespace crivello::frontier {

// A Change of the tablet's queues, and the visits that are done with in it.
class FrontierCommit final : public Frontier::Commit {
 public:
  FrontierCommit(FrontierState& frontier, uint32_t tablet)
      : frontier_(frontier), change_(frontier.collection_.tablet(tablet).queues().Begin()) {}

  ~FrontierCommit() override {
    if (!written_) Undo();
  }

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

  Status Write(kv::Database::WriteOptions options) override {
    Status status = Fill();
    if (status.ok()) status = change_.Write(options);
    if (!status.ok()) {
      Undo();
      written_ = true;
      return status;
    }
    written_ = true;
    MutexLock lock(frontier_.mu_);
    for (const auto& [hash, popped] : popped_) Forget(hash, popped);
    return Status::Ok();
  }

 private:
  // What a host loses from its open visits when the change is written.
  struct Popped {
    std::vector<uint64_t> tickets;
    uint64_t put_back = 0;
  };

  // The changes of each host: what is done with is consumed up to the first visit of its class that is not,
  // so that none is lost which a parser still has; the others wait for that one.
  Status Fill() CRV_EXCLUDES(frontier_.mu_) {
    for (const auto& [hash, ticket] : visits_) popped_[hash];
    for (auto& [hash, popped] : popped_) {
      std::vector<QueueItem> pops;
      std::vector<QueueItem> put_back;
      HostState state;
      {
        MutexLock lock(frontier_.mu_);
        const AwakeHost& host = *frontier_.FindHost(hash);
        state = frontier_.StateOf(host);
        std::array<bool, kPriorityClasses> stopped = {};
        for (const OpenVisit& open : host.open) {
          const uint8_t c = open.item.priority;
          stopped[c] = stopped[c] || !open.done;
          if (stopped[c]) continue;
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

  void Forget(uint64_t hash, const Popped& popped) CRV_REQUIRES(frontier_.mu_) {
    AwakeHost& host = *frontier_.FindHost(hash);
    const std::set<uint64_t> tickets(popped.tickets.begin(), popped.tickets.end());
    std::erase_if(host.open, [&](const OpenVisit& open) { return tickets.contains(open.ticket); });
    frontier_.open_visits_ -= tickets.size();
    host.unread += popped.put_back;
    if (host.phase == AwakeHost::Phase::kHeld) frontier_.Settle(host);
  }

  void Undo() CRV_EXCLUDES(frontier_.mu_) {
    MutexLock lock(frontier_.mu_);
    for (const auto& [hash, ticket] : visits_) {
      AwakeHost* const host = frontier_.FindHost(hash);
      OpenVisit* const open = host == nullptr ? nullptr : frontier_.FindOpen(*host, ticket);
      if (open != nullptr) open->done = false;
    }
  }

  FrontierState& frontier_;
  HostQueues::Change change_;
  std::vector<std::pair<uint64_t, uint64_t>> visits_;  // host, ticket
  std::map<uint64_t, Popped> popped_;                  // by host
  bool written_ = false;
};

std::unique_ptr<Frontier::Commit> FrontierState::Begin(uint32_t tablet) {
  return std::make_unique<FrontierCommit>(*this, tablet);
}

}  // namespace crivello::frontier
