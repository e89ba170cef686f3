// SPDX-License-Identifier: Apache-2.0
// FineWeb's 112 minima of a text, including the split into words; also the two loops and plain versions.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "dedup/discovery/planted_copies.h"
#include "dedup/minhash/minhash.h"
#include "dedup/minhash/minhash_kernels.h"
#include "dedup/shingles/selection.h"
#include "dedup/shingles/shingler.h"

namespace crivello::dedup {
namespace {

std::string BenchText() {
  PageMaker maker(1);
  std::string text;
  while (text.size() < 10'000) text += maker.Word() + ' ';
  return text;
}

void BM_MinHash_text(benchmark::State& state) {
  const std::string text = BenchText();
  MinHasher hasher = MinHasher::Create(kFineWebShape).value();
  Words words;
  for (auto _ : state) {
    words.Read(text);
    benchmark::DoNotOptimize(hasher.Minima(words).data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}

void BM_MinHash_text_plain(benchmark::State& state) {
  const std::string text = BenchText();
  const MinHashConstants constants = DrawMinHashConstants(112);
  Words words;
  for (auto _ : state) {
    words.Read(text);
    std::vector<std::string_view> grams;
    for (size_t i = 0; i + 5 <= words.size(); i++) grams.push_back(words.Gram(i, 5));
    std::vector<uint64_t> hashes(grams.size()), minima(112, ~uint64_t{0});
    HashBySha1Plainly(grams, hashes.data());
    UpdateMinimaPlainly(hashes, {constants.a.data(), constants.b.data(), minima.data(), 112});
    benchmark::DoNotOptimize(minima.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}

void BM_Words(benchmark::State& state) {
  const std::string text = BenchText();
  Words words;
  for (auto _ : state) {
    words.Read(text);
    benchmark::DoNotOptimize(words.size());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}

void BM_Shingles(benchmark::State& state) {
  const std::string text = BenchText();
  Shingler shingler = Shingler::Create({}).value();
  Words words;
  for (auto _ : state) {
    words.Read(text);
    benchmark::DoNotOptimize(SelectedSet(FingerprintSet(shingler.Cut(words)), {}).data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}

template <auto kUpdate>
void BM_Minima(benchmark::State& state) {
  SeededRandom random(1);
  std::vector<uint64_t> hashes(1000), minima(112, ~uint64_t{0});
  for (uint64_t& hash : hashes) hash = random.Next();
  const MinHashConstants constants = DrawMinHashConstants(112);
  for (auto _ : state) {
    kUpdate(hashes, {constants.a.data(), constants.b.data(), minima.data(), 112});
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}

template <auto kHash>
void BM_Sha1(benchmark::State& state) {
  const std::string text = BenchText();
  const Words words(text);
  std::vector<std::string_view> grams;
  for (size_t i = 0; i < 1000; i++) grams.push_back(words.Gram(i, 5));
  std::vector<uint64_t> hashes(1000);
  for (auto _ : state) {
    kHash(grams, hashes.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}

BENCHMARK(BM_MinHash_text);
BENCHMARK(BM_MinHash_text_plain);
BENCHMARK(BM_Words);
BENCHMARK(BM_Shingles);
BENCHMARK(BM_Minima<UpdateMinima>)->Name("BM_Minima/simd");
BENCHMARK(BM_Minima<UpdateMinimaPlainly>)->Name("BM_Minima/plain");
BENCHMARK(BM_Sha1<HashBySha1>)->Name("BM_Sha1/simd");
BENCHMARK(BM_Sha1<HashBySha1Plainly>)->Name("BM_Sha1/openssl");

}  // namespace
}  // namespace crivello::dedup
