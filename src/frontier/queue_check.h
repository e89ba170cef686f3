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

// Reads the state and the whole queue of every host, and calls `note` with a sentence for each inconsistency:
// missing or damaged blocks, and counts that do not match the items.  Uses the memory of one block.  A crawl
// may run meanwhile: a queue that changes during the check is read again, and skipped if it changes each
// time.  Errors are those of the database.
Result<QueueCheck> CheckQueues(const HostQueues& queues,
                               const std::function<void(std::string sentence)>& note);

}  // namespace crivello::frontier
