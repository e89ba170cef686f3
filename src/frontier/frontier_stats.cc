// SPDX-License-Identifier: Apache-2.0
// The state of the frontier.
#include <algorithm>
#include <utility>

#include "frontier/frontier_state.h"
#include "web/url/signature.h"

namespace crivello::frontier {

FrontierStats FrontierState::Stats() const {
  FrontierStats counts = {.over_budget = over_budget_, .unfit = unfit_, .of_given_up = of_given_up_};
  uint64_t waiting = 0;
  for (const uint32_t i : tablets_.owned()) {
    const HostQueuesStats queues = tablets_[i].queues->counts();
    counts.known += queues.hosts;
    counts.given_up += queues.given_up;
    counts.queued_urls += queues.items;
    waiting += queues.waiting;
    counts.scheduled += tablets_[i].agenda->size();
    const auto due = tablets_[i].agenda->next();
    if (due && (!counts.next_due || *due < *counts.next_due)) counts.next_due = due;
    const sieve::SievePending sieve = tablets_[i].sieve->pending();
    counts.sieve_waiting += sieve.waiting;
    counts.sieve_untaken += sieve.untaken;
  }
  const MonotonicTime now = clock_.Now();
  MutexLock lock(mu_);
  uint64_t awake_with_urls = 0;
  for (const auto& [hash, host] : hosts_) {
    if (host->known && (host->unread > 0 || !host->ahead.empty() || !host->open.empty())) awake_with_urls++;
    switch (host->phase) {
      case Phase::kBench: {
        const Workbench::Wait wait = bench_.WaitOf(host->bench);
        if (wait.host > now) {
          counts.host_delay++;
        } else if (wait.address > now || wait.address_taken) {
          counts.address_delay++;
        } else {
          counts.ready++;
        }
        break;
      }
      case Phase::kTaken:
        counts.taken++;
        break;
      case Phase::kResolving:
        counts.resolving++;
        break;
      case Phase::kRobots:
        counts.robots++;
        break;
      case Phase::kHeld:
      case Phase::kChore:
        counts.uncommitted++;
        break;
    }
  }
  counts.sleeping = waiting - std::min(waiting, awake_with_urls);
  counts.awake = hosts_.size();
  counts.awake_limit = awake_limit_;
  counts.uncommitted_urls = open_visits_;
  counts.next = bench_.next();
  if (const auto head = bench_.head(); head != Workbench::kNoHost)
    counts.next_host = by_bench_[head]->state.name;
  counts.next_wake = next_wake_;
  return counts;
}

std::vector<Frontier::HostStanding> FrontierState::Standings(size_t limit) const {
  const MonotonicTime now = clock_.Now();
  std::vector<HostStanding> standings;
  MutexLock lock(mu_);
  for (const auto& [hash, host] : hosts_) {
    HostStanding standing = {.host = host->state.name,
                             .address = host->state.address,
                             .queued = host->unread + host->ahead.size() + host->open.size(),
                             .failures = host->manners.failures};
    switch (host->phase) {
      case Phase::kBench: {
        const Workbench::Wait wait = bench_.WaitOf(host->bench);
        const MonotonicTime until = std::max(wait.host, wait.address);
        if (wait.host > now && wait.host >= wait.address) {
          standing.waits_for = "its delay";
        } else if (wait.address > now || wait.address_taken) {
          standing.waits_for = "its address";
        } else {
          standing.waits_for = "nothing";
        }
        if (until > now) standing.until = until;
        break;
      }
      case Phase::kTaken:
        standing.waits_for = "an answer";
        break;
      case Phase::kResolving:
        standing.waits_for = "resolution";
        break;
      case Phase::kRobots:
        standing.waits_for = "robots.txt";
        break;
      case Phase::kHeld:
      case Phase::kChore:
        standing.waits_for = "a commit";
        break;
    }
    standings.push_back(std::move(standing));
  }
  const auto order = [now](const HostStanding& a, const HostStanding& b) {
    return std::pair(a.until.value_or(now), a.host) < std::pair(b.until.value_or(now), b.host);
  };
  std::sort(standings.begin(), standings.end(), order);
  if (standings.size() > limit) standings.resize(limit);
  return standings;
}

// Looks at the stages in the order in which URLs pass them, so a URL in transit is seen.  And if no visit
// began meanwhile, no URL left the queues, and no visit offered any.
bool FrontierState::Finished() const {
  uint64_t ticket = 0;
  {
    MutexLock lock(mu_);
    if (open_visits_ != 0) return false;
    ticket = last_ticket_;
  }
  for (const uint32_t i : tablets_.owned()) {
    const auto due = tablets_[i].agenda->next();
    // URLs to visit now are due at the end of this millisecond.
    if (due && *due < clock_.Wall() + Agenda::kRounding) return false;
    const sieve::SievePending sieve = tablets_[i].sieve->pending();
    if (sieve.waiting != 0 || sieve.untaken != 0) return false;
  }
  if (in_transit_ != 0) return false;
  for (const uint32_t i : tablets_.owned()) {
    if (tablets_[i].queues->counts().items != 0) return false;
  }
  MutexLock lock(mu_);
  return last_ticket_ == ticket;
}

bool FrontierState::IsOpen(const Visit& visit) const {
  MutexLock lock(mu_);
  const auto it = hosts_.find(web::HostHash(visit.host));
  if (it == hosts_.end()) return false;
  const auto& open = it->second->open;
  return std::any_of(open.begin(), open.end(), [&](const OpenVisit& o) { return o.ticket == visit.ticket; });
}

uint64_t FrontierState::memory_bytes() const {
  uint64_t sum = 0;
  for (const uint32_t i : tablets_.owned()) sum += tablets_[i].queues->memory_bytes();
  MutexLock lock(mu_);
  // A host of the table: the object, its node, its names and read-ahead, on average.
  return sum + bench_.memory_bytes() + hosts_.size() * kHostBytes;
}

}  // namespace crivello::frontier
