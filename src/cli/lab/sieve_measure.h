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
  std::vector<uint64_t> known = {0};    // keys that the sieve knows when the measurement begins
  uint64_t keys = 10'000'000;           // number of keys offered then
  double repeats = 0;                   // the fraction of these that repeat others
  uint64_t memory_bytes = 256u << 20;
  std::string folder = {};  // empty: a temporary one
};

// Measures each kind of sieve at each size: keys per CPU second, memory, disk, bytes written, losses.
Result<int> SieveBench(const Session& session, const SieveBenchOptions& options);

}  // namespace crivello::cli
