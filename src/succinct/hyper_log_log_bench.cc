// SPDX-License-Identifier: Apache-2.0
// The union of counters: register by register, broadword, SIMD. 2^22 registers in all, so that the branch
// predictor cannot learn them. Each counter is united with another, as in a step of HyperBall; it is copied
// first, which all three times include.
#include <benchmark/benchmark.h>

#include <cstring>

#include "base/random.h"
#include "succinct/hyper_log_log.h"
#include "succinct/hyper_log_log_max.h"

namespace crivello::succinct {
namespace {

enum class Way { kRegisters, kBroadword, kSimd };

template <Way kWay>
void BM_HyperLogLog_Max(benchmark::State& state) {
  const auto log = static_cast<unsigned>(state.range(0));
  const uint64_t size = (uint64_t{1} << 22) >> log;
  HyperLogLogBuilder counters(size, log, state.range(1) == 5 ? 1000 : ~uint64_t{0});
  SeededRandom random(1);
  for (uint64_t i = 0; i < size; i++)
    for (unsigned j = 0; j < 4u << log; j++) counters.Add(i, random.Next());
  const HyperLogLogShape& shape = counters.shape();
  const unsigned words = shape.words_per_counter();
  std::vector<uint64_t> to(words + 2);
  uint64_t i = 0, changed = 0;
  for (auto _ : state) {
    const uint64_t* from = counters.Counter(i % size);
    std::memcpy(to.data() + 1, counters.Counter(i * 7 % size), words * 8);
    if (kWay == Way::kRegisters)
      changed += MaxByRegisters(to.data() + 1, from, shape.registers(), shape.width);
    else if (kWay == Way::kBroadword)
      changed += MaxByBroadword(to.data() + 1, from, words, shape.width);
    else
      changed += MaxBySimd(to.data() + 1, from, words, shape.width);
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
    i++;
  }
  benchmark::DoNotOptimize(changed);
  state.SetItemsProcessed(state.iterations() * shape.registers());
}

void Shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"log_m", "width"});
  for (const int log : {4, 6, 8, 10, 14})
    for (const int width : {5, 6}) benchmark->Args({log, width});
}
BENCHMARK(BM_HyperLogLog_Max<Way::kRegisters>)->Name("BM_HyperLogLog_Max/registers")->Apply(Shapes);
BENCHMARK(BM_HyperLogLog_Max<Way::kBroadword>)->Name("BM_HyperLogLog_Max/broadword")->Apply(Shapes);
BENCHMARK(BM_HyperLogLog_Max<Way::kSimd>)->Name("BM_HyperLogLog_Max/simd")->Apply(Shapes);

}  // namespace
}  // namespace crivello::succinct
