// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace crivello::cluster {

// What a process does with the tablets that its membership tells it to take.  Calls come from several
// threads, but one at a time for each tablet; a call may take long.
class TabletKeeper {
 public:
  struct Opened {
    uint64_t epoch = 0;
    uint64_t sequence = 0;  // of the last commit that was found
  };
  struct Progress {
    uint64_t sequence = 0;  // of the last acknowledged commit
    uint64_t lag_urls = 0;  // found for other tablets, and not handed over yet
    bool lost = false;      // another agent has the tablet (collection::Lease)
  };

  virtual ~TabletKeeper() = default;
  // The highest epoch that was claimed; 0 if none was.
  virtual Result<uint64_t> HighestEpoch(const std::string& tablet) = 0;
  // Takes over an epoch above `above` and opens the tablet, which must hold commit `sequence`.
  virtual Result<Opened> Open(const std::string& tablet, uint64_t above, uint64_t sequence) = 0;
  // Nothing if it is not open.
  virtual Status Close(const std::string& tablet) = 0;
  // Quickly, from what is known in memory.  Anything if the tablet has just been closed.
  virtual Progress ProgressOf(const std::string& tablet) = 0;
};

}  // namespace crivello::cluster
