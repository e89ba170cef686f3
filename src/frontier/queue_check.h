// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"
#include "frontier/host_queues.h"

namespace crivello::frontier {

struct QueueCheck {
  uint64_t hosts = 0;
  uint64_t items = 0;
};

// Reads the state and the whole queue of every host, and calls `note` with a sentence for what contradicts
// itself: blocks that are missing or damaged, and numbers that are not those of the items.  One block of
// memory.  A crawl may go on meanwhile: a queue that changes under the walk is read again, and left out if it
// does so each time.  Errors are those of the database.
Result<QueueCheck> CheckQueues(const HostQueues& queues,
                               const std::function<void(std::string sentence)>& note);

}  // namespace crivello::frontier
