// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/status.h"
#include "frontier/host_ranks.h"
#include "jobs/graph/host_places.h"

namespace crivello::engine {

// The rank of hosts that a process goes by, which may be replaced at any time.  Thread-safe.
class LiveHostRanks final : public frontier::HostRanks {
 public:
  // Of a collection; without a rank until Refresh() has found one.
  LiveHostRanks(std::string directory, std::string name)
      : directory_(std::move(directory)), name_(std::move(name)) {}

  // Takes in the rank as it is on the disk.  NotFound if there is none, or if it is of an earlier graph: then
  // it keeps the one that it has.
  Status Refresh() CRV_EXCLUDES(mu_);
  // Null if there is none.
  std::shared_ptr<const jobs::HostPlaces> current() const CRV_EXCLUDES(mu_);
  double Of(std::string_view host) const override CRV_EXCLUDES(mu_);

 private:
  const std::string directory_;
  const std::string name_;
  mutable Mutex mu_;
  std::shared_ptr<const jobs::HostPlaces> current_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::engine
