// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "collection/tablet.h"

namespace crivello::engine {

// The seeds of a cluster.  They are stored in the folder of the first tablet's epoch, so that the fence of
// that tablet protects them.  Only its owner changes them, and publishes them in `seeds.txt` of the
// collection, where all agents read them.  A stale owner may overwrite the published file; the owner corrects
// it at its next look.  Thread-safe.
class ClusterSeeds {
 public:
  // `directory` is that of the collection.
  explicit ClusterSeeds(std::string directory) : path_(std::move(directory) + "/seeds.txt") {}

  // From now on this process owns the first tablet, until Disown().
  Status Own(collection::Tablet& first) CRV_EXCLUDES(mu_);
  void Disown() CRV_EXCLUDES(mu_);

  // Adds seeds, durably.  Unavailable if another process owns the first tablet; InvalidArgument, and none is
  // added, if one is not a URL.
  Status Add(const std::vector<std::string>& urls) CRV_EXCLUDES(mu_);
  // The published seeds, if they have changed since the last call.  If this process is the owner, it also
  // makes sure that they are published.
  Result<std::optional<std::vector<std::string>>> Look() CRV_EXCLUDES(mu_);

 private:
  static Result<std::string> ReadOrEmpty(const std::string& path);
  Status Publish() CRV_REQUIRES(mu_);

  const std::string path_;
  Mutex mu_;
  collection::Tablet* first_ CRV_GUARDED_BY(mu_) = nullptr;  // null: another process owns it
  std::string own_ CRV_GUARDED_BY(mu_);                      // the owner's file, one URL per line
  std::optional<std::string> seen_ CRV_GUARDED_BY(mu_);      // the published seeds at the last look
};

}  // namespace crivello::engine
