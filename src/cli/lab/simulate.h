// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "cli/command.h"
#include "frontier/simulation.h"

namespace crivello::cli {

// The options of `crawl --simulate` that a real crawl does not have.
struct SimulateFlags {
  std::optional<uint64_t> seed;  // simulate, and the seed of the web
  uint64_t hosts = 1000;
  uint64_t pages = 100000;
};
void AddSimulateFlags(CLI::App& command, SimulateFlags& flags);

// Crawls a simulated web in a temporary folder, and prints the report.
struct SimulateOptions {
  frontier::SimulationOptions simulation = {};
  uint32_t tablets = 1;
  std::string sieve = "mercator";
  uint64_t memory_bytes = uint64_t{512} << 20;
};
Result<int> Simulate(const Session& session, const SimulateFlags& flags, const SimulateOptions& options);

}  // namespace crivello::cli
