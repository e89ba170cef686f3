// SPDX-License-Identifier: Apache-2.0
// A search within Hamming distance k among random fingerprints, compared with checking all of them. The
// arguments are k, blocks, millions of fingerprints.
#include <benchmark/benchmark.h>

#include <memory>
#include <tuple>

#include "base/random.h"
#include "dedup/simhash/hamming_index.h"

namespace crivello::dedup {
namespace {

constexpr uint64_t kMillion = 1'000'000;

// Builds an index once and keeps it until a different one is needed.
const HammingIndex& IndexOf(unsigned distance, unsigned blocks, uint64_t millions, uint64_t* bytes) {
  static std::tuple<unsigned, unsigned, uint64_t> built;
  static std::unique_ptr<ImageWriter> image;
  static std::unique_ptr<HammingIndex> index;
  if (const auto wanted = std::make_tuple(distance, blocks, millions); index == nullptr || built != wanted) {
    index.reset();
    image.reset();
    SeededRandom random(1);
    HammingIndexBuilder builder(HammingPlan::Create(distance, blocks).value());
    for (uint32_t i = 0; i < millions * kMillion; i++) builder.Add(random.Next(), i);
    image = std::make_unique<ImageWriter>(builder.Build().value());
    index = std::make_unique<HammingIndex>(HammingIndex::FromImage(image->bytes()).value());
    built = wanted;
  }
  *bytes = image->bytes().size();
  return *index;
}

// A query near one of the fingerprints, which have the same seed.
uint64_t NearQuery(SeededRandom* random) { return random->Next() ^ 0x100400; }

void BM_HammingSearch(benchmark::State& state) {
  uint64_t bytes = 0;
  const auto millions = static_cast<uint64_t>(state.range(2));
  const HammingIndex& index =
      IndexOf(static_cast<unsigned>(state.range(0)), static_cast<unsigned>(state.range(1)), millions, &bytes);
  SeededRandom random(1);
  uint64_t found = 0;
  for (auto _ : state) found += index.Search(NearQuery(&random)).size();
  state.counters["found"] = static_cast<double>(found) / static_cast<double>(state.iterations());
  state.counters["bytes_per_page"] = static_cast<double>(bytes) / static_cast<double>(millions * kMillion);
  state.counters["tables"] = static_cast<double>(index.plan().tables.size());
  state.counters["expected_compared"] = index.plan().ExpectedMet(index.distinct());
}

void BM_HammingSearch_batch(benchmark::State& state) {
  uint64_t bytes = 0;
  const HammingIndex& index =
      IndexOf(static_cast<unsigned>(state.range(0)), static_cast<unsigned>(state.range(1)),
              static_cast<uint64_t>(state.range(2)), &bytes);
  SeededRandom random(1);
  std::vector<uint64_t> queries(10'000);
  for (auto _ : state) {
    for (uint64_t& query : queries) query = NearQuery(&random);
    benchmark::DoNotOptimize(index.SearchBatch(queries).data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(queries.size()));
}

void BM_HammingSearch_all_compared(benchmark::State& state) {
  SeededRandom random(1);
  std::vector<uint64_t> all(static_cast<uint64_t>(state.range(0)) * kMillion);
  for (uint64_t& fingerprint : all) fingerprint = random.Next();
  uint64_t found = 0;
  for (auto _ : state) {
    const uint64_t query = NearQuery(&random);
    for (const uint64_t fingerprint : all) found += __builtin_popcountll(fingerprint ^ query) <= 3 ? 1 : 0;
  }
  benchmark::DoNotOptimize(found);
}

BENCHMARK(BM_HammingSearch)->Args({3, 4, 1})->Args({3, 4, 10})->Args({3, 5, 10})->Args({3, 6, 10});
BENCHMARK(BM_HammingSearch)->Args({4, 6, 10})->Args({4, 7, 10})->Args({5, 7, 10})->Args({6, 8, 10});
BENCHMARK(BM_HammingSearch)->Args({3, 4, 100})->Args({3, 5, 100})->Iterations(20'000);
BENCHMARK(BM_HammingSearch_batch)->Args({3, 4, 10})->Args({3, 5, 10});
BENCHMARK(BM_HammingSearch_all_compared)->Arg(1);

}  // namespace
}  // namespace crivello::dedup
