// SPDX-License-Identifier: Apache-2.0
// For the benchmarks of this folder only.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>

#include "base/random.h"

namespace crivello::succinct {

// Times independent queries with uniform arguments; includes the time to draw an argument.
template <typename Query>
void RunQueries(benchmark::State& state, uint64_t below, Query query) {
  SeededRandom random(2);
  uint64_t sum = 0;
  for (auto _ : state) sum += query(random.Below(below));
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(state.iterations());
}

}  // namespace crivello::succinct
