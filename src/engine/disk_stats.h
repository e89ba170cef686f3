// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "serve/api/disk_stats.h"

namespace crivello::engine {

// Adds up the sizes of a collection's files; unknown if the folder cannot be read.  Files that disappear
// meanwhile count as 0 bytes.
serve::DiskStats MeasureDisk(const std::string& directory);

// The same, but cached for a while, because a scrape must not read the folders of a large archive each time.
// Thread-safe.
class DiskWatch {
 public:
  explicit DiskWatch(std::string directory, const Clock& clock = SystemClock())
      : directory_(std::move(directory)), clock_(clock) {}
  serve::DiskStats Get() CRV_EXCLUDES(mu_);

 private:
  const std::string directory_;
  const Clock& clock_;
  Mutex mu_;
  serve::DiskStats last_ CRV_GUARDED_BY(mu_);
  MonotonicTime measured_ CRV_GUARDED_BY(mu_){};
};

}  // namespace crivello::engine
