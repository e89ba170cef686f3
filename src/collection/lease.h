// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/status.h"

namespace crivello::collection {

// The right to write to a tablet.  On one machine, the lock of the tablet is enough.  In a cluster, another
// process may get the tablet while this one still works on it, and this one must notice before it
// acknowledges anything. Thread-safe.
class Lease {
 public:
  explicit Lease(std::string directory, uint64_t epoch = 0)
      : directory_(std::move(directory)), epoch_(epoch) {}
  virtual ~Lease() = default;
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  // The folder of the tablet.
  const std::string& directory() const { return directory_; }
  // Rises each time the tablet gets a new owner.
  uint64_t epoch() const { return epoch_; }
  // Asked after a commit was synced and before it is acknowledged.  Unavailable, naming the tablet, once
  // another process has it.
  virtual Status StillMine() = 0;
  // Whether StillMine() has found that another process has it.  Checks nothing itself.
  virtual bool lost() const { return false; }

 private:
  const std::string directory_;
  const uint64_t epoch_;
};

// The lease of a process that shares the tablet with nobody: always valid.
class LocalLease final : public Lease {
 public:
  using Lease::Lease;
  Status StillMine() override { return Status::Ok(); }
};

}  // namespace crivello::collection
