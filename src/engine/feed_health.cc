// SPDX-License-Identifier: Apache-2.0
#include "engine/feed_health.h"

#include <algorithm>

#include "feeds/feed_list.h"

namespace crivello::engine {

FeedHealth::Counts FeedHealth::Get() {
  MutexLock lock(mu_);
  const MonotonicTime began = clock_.Now();
  if (began < again_) return kept_;
  Counts counts;
  bool good = true;
  for (collection::Tablet* const tablet : store_.tablets()) {
    const Status status =
        tablet->feeds().ForEach({}, [&](std::string_view, const feeds::FeedRecord& record) -> Result<bool> {
          counts.followed++;
          if (record.failures > 0) counts.failing++;
          return true;
        });
    good = good && status.ok();
  }
  if (good) kept_ = counts;
  again_ = clock_.Now() + std::max<Duration>(kKept, kKeptTimes * (clock_.Now() - began));
  return kept_;
}

}  // namespace crivello::engine
