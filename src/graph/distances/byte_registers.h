// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/graph.h"

namespace crivello::graph {

// HyperLogLog counters with one byte per register, using SIMD.  A counter has 2^k registers, where k is at
// least 4, with values up to 31.

// Sets `to` to the register-wise maximum of itself and the counters of `nodes`; that of node x starts at
// counters + x * registers.  `to` must not be one of them.
void UniteByteCounters(uint8_t* to, size_t registers, const uint8_t* counters, std::span<const Node> nodes);

struct RegisterSum {
  uint64_t inverse_powers = 0;  // the sum of 2^(31 - value): exact, so independent of the order
  uint32_t empty = 0;           // registers with value 0
};
RegisterSum SumByteRegisters(const uint8_t* counter, size_t registers);

}  // namespace crivello::graph
