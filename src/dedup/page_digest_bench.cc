// SPDX-License-Identifier: Apache-2.0
// Digest and SimHash of page texts, compared with the obvious SimHash with one counter per bit, and with XXH3
// of the same bytes, the limit if nothing had to be folded.
#include <benchmark/benchmark.h>

#include <array>

#include "base/hash.h"
#include "base/random.h"
#include "dedup/page_digest.h"

namespace crivello::dedup {
namespace {

std::string MakeText(size_t bytes) {
  SeededRandom random(1);
  std::string text;
  while (text.size() < bytes) {
    for (uint64_t letters = 2 + random.Below(8); letters > 0; letters--) {
      text += static_cast<char>('a' + random.Below(26));
    }
    text += random.Below(8) == 0 ? ". " : " ";
  }
  return text;
}

void BM_PageDigest_ours(benchmark::State& state) {
  const std::string text = MakeText(static_cast<size_t>(state.range(0)));
  PageDigester digester;
  for (auto _ : state) benchmark::DoNotOptimize(digester.Digest(text));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
void BM_PageDigest_xxh3(benchmark::State& state) {
  const std::string text = MakeText(static_cast<size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(Hash64(text));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}

std::vector<uint64_t> Signals() {
  SeededRandom random(2);
  std::vector<uint64_t> signals(2000);
  for (uint64_t& signal : signals) signal = random.Next();
  return signals;
}
void BM_SimHash_planes_ours(benchmark::State& state) {
  const auto signals = Signals();
  for (auto _ : state) {
    SimHash simhash;
    for (const uint64_t signal : signals) simhash.Add(signal);
    benchmark::DoNotOptimize(simhash.Value());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(signals.size()));
}
void BM_SimHash_counters_plain(benchmark::State& state) {
  const auto signals = Signals();
  for (auto _ : state) {
    std::array<int32_t, 64> counters = {};
    for (const uint64_t signal : signals) {
      for (unsigned i = 0; i < 64; i++) counters[i] += (signal >> i & 1) != 0 ? 1 : -1;
    }
    uint64_t value = 0;
    for (unsigned i = 0; i < 64; i++) value |= uint64_t{counters[i] > 0} << i;
    benchmark::DoNotOptimize(value);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(signals.size()));
}

BENCHMARK(BM_PageDigest_ours)->Arg(2'000)->Arg(10'000)->Arg(100'000);
BENCHMARK(BM_PageDigest_xxh3)->Arg(10'000);
BENCHMARK(BM_SimHash_planes_ours);
BENCHMARK(BM_SimHash_counters_plain);

}  // namespace
}  // namespace crivello::dedup
