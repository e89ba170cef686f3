// SPDX-License-Identifier: Apache-2.0
// Elias-Fano compared with sdsl's sd_vector: n distinct uniform numbers, u / n = 2^log_gap. Queries are
// independent and uniform; both times include making a query.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <sdsl/sd_vector.hpp>

#include "base/random.h"
#include "succinct/bench_support.h"
#include "succinct/elias_fano.h"

namespace crivello::succinct {
namespace {

struct Both {
  std::vector<uint64_t> image;
  EliasFano ours;
  sdsl::sd_vector<> sd;
  sdsl::sd_vector<>::rank_1_type rank;
  sdsl::sd_vector<>::select_1_type select;
  uint64_t u = 0;
};

// Keeps only one, to save memory: benchmarks on the same numbers run consecutively.
const Both& NumbersOf(int64_t log_n, int64_t log_gap) {
  static std::unique_ptr<Both> kept;
  static std::pair<int64_t, int64_t> key;
  if (kept && key == std::pair(log_n, log_gap)) return *kept;
  kept = std::make_unique<Both>();
  key = {log_n, log_gap};
  const uint64_t n = uint64_t{1} << log_n;
  SeededRandom random(1);
  std::vector<uint64_t> values(n);
  // One per stretch of 2^log_gap would be too regular: gaps are uniform from 1 on, with mean 2^log_gap.
  uint64_t x = 0;
  for (auto& value : values) value = x += 1 + random.Below((uint64_t{2} << log_gap) - 1);
  kept->u = values.back() + 1;
  EliasFanoBuilder builder(n, kept->u);
  for (const uint64_t value : values) builder.Add(value);
  ImageWriter image;
  if (!builder.AppendTo(image).ok()) std::abort();
  kept->image = std::move(image).Release();
  kept->ours = *EliasFano::FromImage(std::as_bytes(std::span(kept->image)));
  kept->sd = sdsl::sd_vector<>(values.begin(), values.end());
  sdsl::util::init_support(kept->rank, &kept->sd);
  sdsl::util::init_support(kept->select, &kept->sd);
  return *kept;
}

void AccessOurs(benchmark::State& state) {
  const Both& both = NumbersOf(state.range(0), state.range(1));
  RunQueries(state, both.ours.size(), [&](uint64_t i) { return both.ours.Access(i); });
  state.counters["bits_per_item"] =
      static_cast<double>(both.image.size()) * 64 / static_cast<double>(both.ours.size());
}
void AccessSdsl(benchmark::State& state) {
  const Both& both = NumbersOf(state.range(0), state.range(1));
  RunQueries(state, both.ours.size(), [&](uint64_t i) { return both.select(i + 1); });
  state.counters["bits_per_item"] =
      static_cast<double>(sdsl::size_in_bytes(both.sd)) * 8 / static_cast<double>(both.ours.size());
}
void SeekToOurs(benchmark::State& state) {
  const Both& both = NumbersOf(state.range(0), state.range(1));
  RunQueries(state, both.u, [&](uint64_t x) { return both.ours.SeekTo(x).value; });
}
void SeekToSdsl(benchmark::State& state) {
  const Both& both = NumbersOf(state.range(0), state.range(1));
  RunQueries(state, both.u - 1, [&](uint64_t x) { return both.select(both.rank(x) + 1); });
}
void Iterate(benchmark::State& state) {
  const Both& both = NumbersOf(state.range(0), state.range(1));
  uint64_t sum = 0;
  for (auto _ : state)
    for (auto cursor = both.ours.Begin(); !cursor.AtEnd(); cursor.Next()) sum += cursor.value();
  benchmark::DoNotOptimize(sum);
  const auto items = static_cast<double>(state.iterations()) * static_cast<double>(both.ours.size());
  state.counters["ns_per_item"] =
      benchmark::Counter(items / 1e9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
// Forward skips of 1, 2, ... 64 elements on average, as in list intersection.
void SkipForward(benchmark::State& state) {
  const Both& both = NumbersOf(state.range(0), state.range(1));
  SeededRandom random(3);
  uint64_t sum = 0, skips = 0;
  for (auto _ : state)
    for (auto cursor = both.ours.Begin(); !cursor.AtEnd(); skips++) {
      sum += cursor.value();
      cursor.SeekTo(cursor.value() + 1 + random.Below(uint64_t{64} << state.range(1)));
    }
  benchmark::DoNotOptimize(sum);
  state.counters["ns_per_item"] = benchmark::Counter(
      static_cast<double>(skips) / 1e9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

struct NamedBenchmark {
  const char* name;
  void (*run)(benchmark::State&);
};
constexpr NamedBenchmark kBenchmarks[] = {
    {"BM_EliasFano_Access/ours", AccessOurs}, {"BM_EliasFano_Access/sdsl", AccessSdsl},
    {"BM_EliasFano_SeekTo/ours", SeekToOurs}, {"BM_EliasFano_SeekTo/sdsl", SeekToSdsl},
    {"BM_EliasFano_Iterate/ours", Iterate},   {"BM_EliasFano_SkipForward/ours", SkipForward}};

[[maybe_unused]] const bool kRegistered = [] {
  for (const int log_n : {16, 20, 26})
    for (const int log_gap : {0, 2, 5, 10})
      for (const auto& [name, run] : kBenchmarks)
        benchmark::RegisterBenchmark(name, run)->ArgNames({"log_n", "log_gap"})->Args({log_n, log_gap});
  return true;
}();

}  // namespace
}  // namespace crivello::succinct
