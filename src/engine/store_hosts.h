// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "collection/collection.h"
#include "engine/live_host_ranks.h"
#include "serve/dashboard/host_source.h"

namespace crivello::engine {

// The hosts of a collection that this process has open.  A survey reads every row, so it is cached for kKept,
// or for kKeptTimes as long as it took: it uses at most a twentieth of a core.
class StoreHosts final : public serve::HostSource {
 public:
  static constexpr Duration kKept = std::chrono::seconds(2);
  static constexpr int kKeptTimes = 20;

  // The store must outlive this.  `ranks` (null: none) knows the position of each host; it must outlive this,
  // too.
  explicit StoreHosts(collection::Collection& store, const LiveHostRanks* ranks = nullptr,
                      const Clock& clock = SystemClock())
      : store_(store), ranks_(ranks), clock_(clock) {}
  Result<std::shared_ptr<const collection::HostSurvey>> Hosts() override CRV_EXCLUDES(mu_);

 private:
  collection::Collection& store_;
  const LiveHostRanks* const ranks_;
  const Clock& clock_;
  Mutex mu_;
  std::shared_ptr<const collection::HostSurvey> kept_ CRV_GUARDED_BY(mu_);
  MonotonicTime again_ CRV_GUARDED_BY(mu_){};
};

}  // namespace crivello::engine
