// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/command.h"

namespace crivello::cli {

struct SieveBenchOptions {
  std::vector<std::string> kinds = {};  // empty: all
  std::vector<uint64_t> known = {0};    // keys that the sieve knows when the measuring begins
  uint64_t keys = 10'000'000;           // offered then
  double repeats = 0;                   // the part of those that repeat others
  uint64_t memory_bytes = 256u << 20;
  std::string folder = {};  // empty: one of its own, removed at the end
};

// Measures each kind of sieve at each size: keys a CPU second, memory, disk, bytes written, losses.
Result<int> SieveBench(const Session& session, const SieveBenchOptions& options);

}  // namespace crivello::cli
