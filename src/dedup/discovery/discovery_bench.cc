// SPDX-License-Identifier: Apache-2.0
// Discovery among random SimHashes, of which every fifth is near another and every tenth equals one. The
// arguments are millions of fingerprints, and threads. Includes reading the run, but not writing it.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>

#include "base/random.h"
#include "base/test_support.h"
#include "dedup/discovery/discovery.h"

namespace crivello::dedup {
namespace {

constexpr uint64_t kMillion = 1'000'000;

std::vector<uint64_t> BenchFingerprints(uint64_t count) {
  SeededRandom random(1);
  std::vector<uint64_t> fingerprints;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t fingerprint = random.Next();
    if (i > 0 && i % 5 == 0) {
      fingerprint = fingerprints[random.Below(i)];
      for (uint64_t flips = i % 10 == 0 ? 0 : 1 + random.Below(3); flips > 0; flips--) {
        fingerprint ^= uint64_t{1} << random.Below(64);
      }
    }
    fingerprints.push_back(fingerprint);
  }
  return fingerprints;
}

void BM_Discovery_simhash(benchmark::State& state) {
  const auto folder = ScratchFolder::Create({});
  const std::string path = folder.value() / "run";
  const auto count = static_cast<uint64_t>(state.range(0)) * kMillion;
  {
    FingerprintRunBuilder builder({.method = Method::kSimHash, .parameters = 1, .parts = 0}, 0);
    for (const uint64_t fingerprint : BenchFingerprints(count)) builder.Add(fingerprint, {});
    if (!builder.WriteFile(path).ok()) return state.SkipWithError("cannot write");
  }
  for (auto _ : state) {
    const auto run = Mapped<FingerprintRun>::Open(path);
    const auto report = DiscoverDuplicates({&**run}, {.folder = folder->path(),
                                                      .threads = static_cast<unsigned>(state.range(1)),
                                                      .memory_bytes = uint64_t{1} << 30});
    if (!report.ok()) return state.SkipWithError(report.status().ToString().c_str());
    state.counters["pairs"] = static_cast<double>(report->pairs);
    state.counters["clusters"] = static_cast<double>(report->clusters);
    state.counters["comparisons"] = static_cast<double>(report->counts.comparisons);
    state.counters["avoided"] = static_cast<double>(report->Avoided());
  }
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_mib"] = static_cast<double>(usage.ru_maxrss) / 1024;
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(count));
}

// For comparison: std::sort of the same number of fingerprints, which each table would need.
void BM_Discovery_one_table_sorted(benchmark::State& state) {
  std::vector<uint64_t> fingerprints = BenchFingerprints(static_cast<uint64_t>(state.range(0)) * kMillion);
  for (auto _ : state) {
    std::vector<uint64_t> sorted = fingerprints;
    std::sort(sorted.begin(), sorted.end());
    benchmark::DoNotOptimize(sorted.data());
  }
}

BENCHMARK(BM_Discovery_simhash)
    ->Args({1, 2})
    ->Args({3, 2})
    ->Args({10, 2})
    ->Args({10, 1})
    ->Args({30, 2})
    ->Iterations(1)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kSecond);
BENCHMARK(BM_Discovery_one_table_sorted)->Arg(1)->Arg(10)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace crivello::dedup
