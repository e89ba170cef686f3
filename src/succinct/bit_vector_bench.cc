// SPDX-License-Identifier: Apache-2.0
// Rank and select compared with sdsl, in cache (2^20 bits) and outside (2^26, 2^32). Queries are independent
// and uniform; both times include making a query.
#include <benchmark/benchmark.h>

#include <memory>
#include <sdsl/bit_vectors.hpp>

#include "base/random.h"
#include "succinct/bench_support.h"
#include "succinct/rank_select_bits.h"

namespace crivello::succinct {
namespace {

struct Both {
  std::vector<uint64_t> image;
  uint64_t rank_image_words = 0;
  RankSelectBits ours;
  sdsl::bit_vector bits;
  sdsl::rank_support_v5<> rank;
  sdsl::select_support_mcl<1> select;
};

// Keeps only one, to save memory: benchmarks on the same bits run consecutively.
const Both& BitsOf(int64_t log, int64_t density_in_1024) {
  static std::unique_ptr<Both> kept;
  static std::pair<int64_t, int64_t> key;
  if (kept && key == std::pair(log, density_in_1024)) return *kept;
  kept = std::make_unique<Both>();
  key = {log, density_in_1024};
  const uint64_t size = uint64_t{1} << log;
  kept->bits.resize(size);
  {
    BitVectorBuilder builder(size);
    SeededRandom random(1);
    for (uint64_t i = 0; i < size; i++)
      kept->bits[i] = (random.Next() & 1023) < static_cast<uint64_t>(density_in_1024);
    for (uint64_t i = 0; i < size; i++)
      if (kept->bits[i]) builder.Set(i);
    ImageWriter rank_image, image;
    builder.AppendRankBits(rank_image);
    kept->rank_image_words = rank_image.bytes().size() / 8;
    builder.AppendRankSelectBits(image);
    kept->image = std::move(image).Release();
  }
  kept->ours = *RankSelectBits::FromImage(std::as_bytes(std::span(kept->image)));
  sdsl::util::init_support(kept->rank, &kept->bits);
  sdsl::util::init_support(kept->select, &kept->bits);
  return *kept;
}

void BM_Rank_ours(benchmark::State& state) {
  const Both& both = BitsOf(state.range(0), state.range(1));
  RunQueries(state, both.ours.size(), [&](uint64_t i) { return both.ours.Rank(i); });
  const auto size = static_cast<double>(both.ours.size());
  state.counters["extra_percent"] = 100 * (static_cast<double>(both.rank_image_words) * 64 - size) / size;
}
void BM_Rank_sdsl_v5(benchmark::State& state) {
  const Both& both = BitsOf(state.range(0), state.range(1));
  RunQueries(state, both.ours.size(), [&](uint64_t i) { return both.rank(i); });
  state.counters["extra_percent"] =
      100 * 8 * static_cast<double>(sdsl::size_in_bytes(both.rank)) / static_cast<double>(both.ours.size());
}
void BM_Select1_ours(benchmark::State& state) {
  const Both& both = BitsOf(state.range(0), state.range(1));
  RunQueries(state, both.ours.ones(), [&](uint64_t r) { return both.ours.Select1(r); });
  const auto size = static_cast<double>(both.ours.size());
  state.counters["extra_percent"] = 100 * (static_cast<double>(both.image.size()) * 64 - size) / size;
}
void BM_Select0_ours(benchmark::State& state) {
  const Both& both = BitsOf(state.range(0), state.range(1));
  RunQueries(state, both.ours.size() - both.ours.ones(), [&](uint64_t r) { return both.ours.Select0(r); });
}
void BM_Select1_sdsl_mcl(benchmark::State& state) {
  const Both& both = BitsOf(state.range(0), state.range(1));
  RunQueries(state, both.ours.ones(), [&](uint64_t r) { return both.select(r + 1); });
  state.counters["extra_percent"] =
      100 * 8 * static_cast<double>(sdsl::size_in_bytes(both.select)) / static_cast<double>(both.ours.size());
}

struct NamedBenchmark {
  const char* name;
  void (*run)(benchmark::State&);
};
constexpr NamedBenchmark kBenchmarks[] = {{"BM_Rank/ours", BM_Rank_ours},
                                          {"BM_Rank/sdsl_v5", BM_Rank_sdsl_v5},
                                          {"BM_Select1/ours", BM_Select1_ours},
                                          {"BM_Select1/sdsl_mcl", BM_Select1_sdsl_mcl},
                                          {"BM_Select0/ours", BM_Select0_ours}};

// Registered so that benchmarks on the same bits run consecutively.
[[maybe_unused]] const bool kRegistered = [] {
  for (const auto& [log, density] : {std::pair(20, 512), {20, 16}, {26, 512}, {26, 16}, {32, 512}}) {
    for (const auto& [name, run] : kBenchmarks)
      benchmark::RegisterBenchmark(name, run)->ArgNames({"log_bits", "density1024"})->Args({log, density});
  }
  return true;
}();

}  // namespace
}  // namespace crivello::succinct
