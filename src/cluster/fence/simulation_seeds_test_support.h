// SPDX-License-Identifier: Apache-2.0
// How many histories the simulators of a cluster run.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace crivello::cluster {

// Sanitizers look for mistakes in memory and threads, which a few histories show as well as many.  The
// release build looks for mistakes in the protocol, and for deliberate ones.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

// More with CRIVELLO_SEEDS (bench/simulate-cluster).
inline uint64_t SimulationSeeds(uint64_t otherwise) {
  const char* const text = std::getenv("CRIVELLO_SEEDS");
  if (text != nullptr) return std::strtoull(text, nullptr, 10);
  return kIsSanitized ? otherwise / 4 : otherwise;
}

}  // namespace crivello::cluster
