// SPDX-License-Identifier: Apache-2.0
#include "cluster/fence/epoch_lease.h"

#include <fmt/format.h>

#include <utility>

namespace crivello::cluster {

Status CheckEpoch(SharedFiles& files, const std::string& tablet, uint64_t epoch) {
  CRV_ASSIGN(const auto names, files.List(tablet, SharedFiles::Look::kFresh));
  const uint64_t highest = HighestEpoch(names);
  if (highest == epoch) return Status::Ok();
  if (highest < epoch) {
    return Status::Corruption(
        fmt::format("{}: the claim of epoch {} is gone, the highest one is {}", tablet, epoch, highest));
  }
  return Status::Unavailable(
      fmt::format("{}: another agent has taken the tablet over: it is in epoch {}, this process in epoch {}",
                  tablet, highest, epoch));
}

Result<std::unique_ptr<EpochLease>> EpochLease::Take(SharedFiles& files, TakeoverOptions options) {
  Takeover takeover(std::move(options));
  CRV_TRY(takeover.Run(files));
  return std::unique_ptr<EpochLease>(new EpochLease(files, takeover));
}

Status EpochLease::StillMine() {
  if (lost_.load(std::memory_order_acquire)) {
    return Status::Unavailable(fmt::format("{}: another agent has taken the tablet over", tablet_));
  }
  Status status = CheckEpoch(files_, tablet_, epoch());
  if (status.code() == StatusCode::kUnavailable) lost_.store(true, std::memory_order_release);
  return status;
}

}  // namespace crivello::cluster
