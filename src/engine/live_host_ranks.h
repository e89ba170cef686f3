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

// The rank of hosts that a process uses, which may be replaced at any time.  Thread-safe.
class LiveHostRanks final : public frontier::HostRanks {
 public:
  // The rank `name` of a collection; there is none until Refresh() has found one.
  LiveHostRanks(std::string directory, std::string name)
      : directory_(std::move(directory)), name_(std::move(name)) {}

  // Loads the rank from disk.  NotFound if there is none, or if it belongs to an earlier graph; then the
  // current rank is kept.
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
