// SPDX-License-Identifier: Apache-2.0
// Tablets that come to a running frontier, and leave it.
#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "frontier/frontier_state.h"
#include "web/url/signature.h"

namespace crivello::frontier {

void FrontierState::DropErrands(AwakeHost& host) {
  for (const Errand& errand : std::exchange(host.errands, {})) {
    AwakeHost* const waiting = FindHost(HostOfOrigin(errand.origin));
    if (waiting != nullptr && waiting != &host && waiting->phase == Phase::kRobots) Settle(*waiting);
  }
}

void FrontierState::Add(uint32_t tablet) {
  last_flush_[tablet] = MonotonicTime(Duration::min() / 2);
  last_look_ = MonotonicTime(Duration::min() / 2);  // it may have hosts to wake
}

void FrontierState::Remove(uint32_t tablet) {
  std::vector<AwakeHost*> hosts;
  {
    MutexLock lock(mu_);
    std::vector<AwakeHost*> leaving;
    for (const auto& [hash, host] : hosts_) {
      // Nobody waits any more for what others were to fetch for a host that leaves.
      std::erase_if(host->errands, [&](const Errand& errand) {
        return tablets_.map().SlotOf(web::HostHash(HostOfOrigin(errand.origin))) == tablet;
      });
      if (host->tablet == tablet) leaving.push_back(host.get());
    }
    for (AwakeHost* const host : leaving) {
      assert(host->phase != Phase::kTaken);
      DropErrands(*host);
      if (host->bench != Workbench::kNoHost) TakeOffBench(*host);
      host->phase = Phase::kChore;
      // Visits that were not committed because the tablet is lost.
      open_visits_ -= host->open.size();
      host->open.clear();
      if (host->known) {
        hosts.push_back(host);
      } else {
        chores_.push_back(host->hash);  // another process has it, and it is needed no longer
      }
    }
  }
  // If nothing can be written any more, the next owner finds them asleep anyway.
  if (!hosts.empty()) (void)PutToBed(tablet, hosts).ok();
  MutexLock lock(mu_);
  std::erase_if(
      hosts_, [tablet](const auto& entry) { return entry.second->tablet == tablet && entry.second->known; });
  // The sieve returns to its next owner what was on its way to the queues.
  if (moving_[tablet].under_way) in_transit_--;
  moving_[tablet] = {};
  failed_[tablet] = nullptr;
}

}  // namespace crivello::frontier
