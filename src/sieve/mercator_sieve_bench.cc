// SPDX-License-Identifier: Apache-2.0
// Whole runs of the Mercator sieve compared with its parts. CRV_BENCH_FOLDER sets the folder of its files
// (default: the system's temporary folder), CRV_BENCH_KNOWN the number of keys already in Z (10 million),
// CRV_BENCH_OFFERS the number of offers (10 million).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "sieve/mercator_sieve.h"
#include "sieve/sieve_load.h"
#include "sieve/signature_cache.h"
#include "sieve/signature_sort.h"
#include "sieve/z_file.h"

namespace crivello::sieve {
namespace {

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

std::string BenchFolder() {
  const char* value = std::getenv("CRV_BENCH_FOLDER");
  return value == nullptr ? (std::filesystem::temp_directory_path() / "crv-sieve-bench").string() : value;
}

void BM_Mercator_Offer(benchmark::State& state) {
  const std::string folder = BenchFolder();
  const SieveLoadOptions options = {.offers = FromEnvironment("CRV_BENCH_OFFERS", 10000000),
                                    .repeats = static_cast<double>(state.range(0)) / 100,
                                    .known = FromEnvironment("CRV_BENCH_KNOWN", 10000000)};
  for (auto _ : state) {
    std::filesystem::remove_all(folder);
    if (!PrepareMercatorSieve(folder, options.seed, options.known).ok()) state.SkipWithError("prepare");
    auto sieve = OpenMercatorSieve(folder);
    if (!sieve.ok()) return state.SkipWithError(sieve.status().ToString().c_str());
    const auto result = RunSieveLoad(**sieve, options);
    if (!result.ok()) return state.SkipWithError(result.status().ToString().c_str());
    const double generating = MeasureLoadOnly(options);
    const auto offers = static_cast<double>(result->offers);
    state.SetIterationTime(result->cpu_seconds);
    state.counters["keys_per_cpu_second"] = offers / result->cpu_seconds;
    state.counters["without_load"] = offers / (result->cpu_seconds - generating);
    state.counters["written_bytes_per_key"] = static_cast<double>(result->stats.written_bytes) / offers;
    state.counters["cached"] = static_cast<double>(result->stats.cached) / offers;
    state.counters["flushes"] = static_cast<double>(result->stats.flushes);
    state.counters["lost"] = static_cast<double>(result->fresh) - static_cast<double>(result->taken);
    state.counters["wall_seconds"] = result->wall_seconds;
  }
  std::filesystem::remove_all(folder);
}
BENCHMARK(BM_Mercator_Offer)->Arg(0)->Arg(90)->Iterations(1)->UseManualTime()->Unit(benchmark::kSecond);

std::vector<uint64_t> RandomSignatures(uint64_t n) {
  std::vector<uint64_t> signatures;
  for (uint64_t i = 0; i < n; i++) signatures.push_back(LoadKey::SignatureOf(9, i));
  return signatures;
}

void BM_SignatureSort(benchmark::State& state) {
  const auto signatures = RandomSignatures(static_cast<uint64_t>(state.range(0)));
  std::vector<uint64_t> scratch;
  SignatureSort sort;
  for (auto _ : state) {
    scratch = signatures;
    sort.Sort(scratch);
    benchmark::DoNotOptimize(sort.signatures().data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_SignatureSort)->Name("BM_SignatureSort/ours")->Arg(1 << 22)->Unit(benchmark::kMillisecond);

// The obvious way: sort positions by the values that they point to.
void BM_StableSort(benchmark::State& state) {
  const auto signatures = RandomSignatures(static_cast<uint64_t>(state.range(0)));
  std::vector<uint32_t> positions(signatures.size());
  for (auto _ : state) {
    for (size_t i = 0; i < positions.size(); i++) positions[i] = static_cast<uint32_t>(i);
    std::stable_sort(positions.begin(), positions.end(),
                     [&](uint32_t a, uint32_t b) { return signatures[a] < signatures[b]; });
    benchmark::DoNotOptimize(positions.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_StableSort)->Name("BM_SignatureSort/stable_sort")->Arg(1 << 22)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace crivello::sieve
