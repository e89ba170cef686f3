// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "collection/tablet.h"

namespace crivello::engine {

// The seeds of a cluster.  They are kept in the folder of the first tablet's epoch, so that the fence of that
// tablet protects them; its owner alone changes them, and publishes them in `seeds.txt` of the collection,
// where all agents read them.  A stale owner may overwrite what is published, and the owner puts it right at
// its next look.  Thread-safe.
class ClusterSeeds {
 public:
  // `directory` of the collection.
  explicit ClusterSeeds(std::string directory) : path_(std::move(directory) + "/seeds.txt") {}

  // This process owns the first tablet from now on, until Disown().
  Status Own(collection::Tablet& first) CRV_EXCLUDES(mu_);
  void Disown() CRV_EXCLUDES(mu_);

  // Adds seeds, durably.  Unavailable if another process owns the first tablet; InvalidArgument, with none
  // added, if one is not a URL.
  Status Add(const std::vector<std::string>& urls) CRV_EXCLUDES(mu_);
  // The seeds that are published, if they have changed since the last call.  The owner sees to it that they
  // are published.
  Result<std::optional<std::vector<std::string>>> Look() CRV_EXCLUDES(mu_);

 private:
  static Result<std::string> ReadOrEmpty(const std::string& path);
  Status Publish() CRV_REQUIRES(mu_);

  const std::string path_;
  Mutex mu_;
  collection::Tablet* first_ CRV_GUARDED_BY(mu_) = nullptr;  // null: another process has it
  std::string own_ CRV_GUARDED_BY(mu_);                      // the owner's file, a URL a line
  std::optional<std::string> seen_ CRV_GUARDED_BY(mu_);      // what was published when it was looked at last
};

}  // namespace crivello::engine
