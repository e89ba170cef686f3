// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "cluster/fence/shared_files.h"
#include "cluster/fence/takeover.h"
#include "collection/lease.h"

namespace crivello::cluster {

// Unavailable, naming both epochs, if a higher epoch than `epoch` was claimed.  One fresh look at the folder
// of the tablet.
Status CheckEpoch(SharedFiles& files, const std::string& tablet, uint64_t epoch);

// The lease of a tablet on a shared file system: its directory is that of the epoch, and StillMine() looks
// whether a higher one was claimed.  An owner calls it after what it wrote was synced, and before it tells
// anyone; so what was acknowledged is seen by every later owner, and a stale owner acknowledges nothing. Once
// lost, it stays lost.  Thread-safe.
class EpochLease final : public collection::Lease {
 public:
  // Takes the tablet over.  `files` outlives the lease.
  static Result<std::unique_ptr<EpochLease>> Take(SharedFiles& files, TakeoverOptions options);
  Status StillMine() override;
  // Whether StillMine() has found a higher epoch; it looks at nothing.
  bool lost() const override { return lost_.load(std::memory_order_acquire); }

 private:
  EpochLease(SharedFiles& files, const Takeover& taken)
      : Lease(taken.folder(), taken.epoch()), files_(files), tablet_(taken.options().tablet) {}

  SharedFiles& files_;
  const std::string tablet_;
  std::atomic<bool> lost_ = false;
};

}  // namespace crivello::cluster
