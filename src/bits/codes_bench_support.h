// SPDX-License-Identifier: Apache-2.0
// Shared by codes_bench.cc and its peer: the same numbers, and the same report.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "bits/bit_stream.h"

namespace crivello::bits {

inline constexpr size_t kCount = size_t{1} << 20;
inline constexpr size_t kBlock = 1024;

// Random bits read with a complete code have its intended distribution; incomplete codes reject some.
template <typename Code>
std::vector<uint64_t> Draw(const Code& code) {
  SeededRandom random(1);
  std::vector<uint64_t> numbers;
  while (numbers.size() < kCount) {
    uint64_t bits[4];
    for (uint64_t& word : bits) word = random.Next();
    BitReader reader(std::as_bytes(std::span(bits)));
    const uint64_t x = code.Read(reader);
    // sdsl's words start at 1, and exclude 2^64.
    if (reader.ok() && x < ~uint64_t{0} - 1) numbers.push_back(x);
  }
  return numbers;
}

inline void Report(benchmark::State& state, uint64_t bits) {
  const double items = static_cast<double>(state.iterations()) * kCount;
  state.SetItemsProcessed(static_cast<int64_t>(items));
  state.counters["bits_per_item"] = static_cast<double>(bits) / kCount;
  state.counters["ns_per_item"] =
      benchmark::Counter(items * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace crivello::bits
