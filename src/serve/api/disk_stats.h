// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace crivello::serve {

// How much disk space a collection uses, in bytes.
struct DiskStats {
  bool known = false;
  uint64_t archive = 0;
  uint64_t index = 0;
  uint64_t database = 0;  // rows, queues, ledger
  uint64_t other = 0;     // sieves, links, graphs, ranks
  uint64_t free = 0;      // on the file system, for this user
  uint64_t total = 0;
};

}  // namespace crivello::serve
