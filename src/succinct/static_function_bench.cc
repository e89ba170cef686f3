// SPDX-License-Identifier: Apache-2.0
// Static functions compared with the alternatives: a hash table and binary search.
//
// Keys are URL-like strings of 40 to 60 bytes, looked up in a random permutation. They are stored in the
// order of the lookups, so that only accesses to the function miss the cache. CRV_BENCH_KEYS is the number of
// keys (10 million). BM_StaticFunction_BuildBounded builds from CRV_BENCH_BUILD_KEYS keys (100 million),
// which are generated, into a file with 256 MiB of memory for keys.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/process_usage.h"
#include "base/test_support.h"
#include "succinct/approximate_dictionary.h"
#include "succinct/static_function.h"
#include "succinct/static_function_builder.h"
#include "succinct/term_map.h"

namespace crivello::succinct {
namespace {

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

uint64_t KeyCount() { return FromEnvironment("CRV_BENCH_KEYS", 10'000'000); }

// Key i of an endless list: 40 to 60 bytes, distinct, unordered.
void AppendKey(uint64_t i, std::string* out) {
  const uint64_t x = Mix64(i);
  fmt::format_to(std::back_inserter(*out), "https://www.site{:05}.example/{:016x}/{}", x % 100'000, x,
                 std::string_view("index/of/pages", x % 14));
}

// The keys, concatenated in the order of lookups.
class Keys {
 public:
  explicit Keys(uint64_t count) {
    std::vector<size_t> ends;
    for (uint64_t i = 0; i < count; i++) {
      AppendKey(i, &text_);
      ends.push_back(text_.size());
    }
    size_t begin = 0;
    for (const size_t end : ends) {
      views_.emplace_back(text_.data() + begin, end - begin);
      begin = end;
    }
  }
  const std::vector<std::string_view>& views() const { return views_; }

 private:
  std::string text_;
  std::vector<std::string_view> views_;
};

const std::vector<std::string_view>& TheKeys() {
  static const Keys keys(KeyCount());
  return keys.views();
}

unsigned RankBitsOf(uint64_t keys) { return static_cast<unsigned>(std::bit_width(keys - 1)); }

ImageWriter BuildFunction(GraphKind graph, bool compacted, unsigned threads) {
  const auto& keys = TheKeys();
  StaticFunctionBuilder builder(
      {.bits = RankBitsOf(keys.size()), .graph = graph, .compacted = compacted, .threads = threads});
  for (uint64_t i = 0; i < keys.size(); i++) {
    if (!builder.Add(keys[i], i).ok()) std::abort();
  }
  return builder.Build().value();
}

void CountBits(benchmark::State& state, size_t bytes, unsigned value_bits) {
  const double bits = 8 * static_cast<double>(bytes) / static_cast<double>(KeyCount());
  state.counters["bits_per_item"] = bits;
  state.counters["bits_per_value_bit"] = bits / value_bits;
}

void Build(benchmark::State& state, GraphKind graph, bool compacted, unsigned threads) {
  TheKeys();
  for (auto _ : state) {
    const ImageWriter image = BuildFunction(graph, compacted, threads);
    CountBits(state, image.bytes().size(), RankBitsOf(KeyCount()));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(KeyCount()));
}

void Lookup(benchmark::State& state, GraphKind graph, bool compacted, bool batch) {
  const auto& keys = TheKeys();
  const ImageWriter image = BuildFunction(graph, compacted, 2);
  const StaticFunction f = StaticFunction::FromImage(image.bytes()).value();
  std::vector<uint64_t> out(1024);
  size_t at = 0;
  for (auto _ : state) {
    if (at + out.size() > keys.size()) at = 0;
    const auto block = std::span(keys).subspan(at, out.size());
    if (batch) {
      f.GetBatch(block, out);
    } else {
      for (size_t i = 0; i < block.size(); i++) out[i] = f.Get(block[i]);
    }
    if (out[7] != at + 7) std::abort();
    at += out.size();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(out.size()));
  CountBits(state, image.bytes().size(), f.bits());
}

#define CRV_FUNCTION_BENCH(name, graph, compacted)                                                \
  BENCHMARK_CAPTURE(Build, name, graph, compacted, 1)                                             \
      ->Name("BM_StaticFunction_Build/" #name)                                                    \
      ->Iterations(1)                                                                             \
      ->Unit(benchmark::kMillisecond);                                                            \
  BENCHMARK_CAPTURE(Lookup, name, graph, compacted, false)->Name("BM_StaticFunction_Get/" #name); \
  BENCHMARK_CAPTURE(Lookup, name, graph, compacted, true)->Name("BM_StaticFunction_GetBatch/" #name)

CRV_FUNCTION_BENCH(fuse4, GraphKind::kFuse4, false);
CRV_FUNCTION_BENCH(fuse4_compacted, GraphKind::kFuse4, true);
CRV_FUNCTION_BENCH(hypergraph3, GraphKind::kHypergraph3, false);
CRV_FUNCTION_BENCH(hypergraph3_compacted, GraphKind::kHypergraph3, true);
CRV_FUNCTION_BENCH(graph2, GraphKind::kGraph2, false);
CRV_FUNCTION_BENCH(graph2_compacted, GraphKind::kGraph2, true);
BENCHMARK_CAPTURE(Build, fuse4_two_threads, GraphKind::kFuse4, false, 2)
    ->Name("BM_StaticFunction_Build/fuse4_two_threads")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// The cost of hashing the keys, included in all of the above.
void BM_StaticFunction_HashOnly(benchmark::State& state) {
  const auto& keys = TheKeys();
  size_t at = 0;
  for (auto _ : state) {
    if (at + 1024 > keys.size()) at = 0;
    for (size_t i = 0; i < 1024; i++) benchmark::DoNotOptimize(Hash128(keys[at + i]));
    at += 1024;
  }
  state.SetItemsProcessed(state.iterations() * 1024);
}
BENCHMARK(BM_StaticFunction_HashOnly);

void BM_StaticFunction_Get_unordered_map(benchmark::State& state) {
  const auto& keys = TheKeys();
  std::unordered_map<std::string_view, uint64_t> map;
  map.reserve(keys.size());
  // As a program would insert them: in a different order than the lookups.
  const Keys stored(keys.size());
  for (uint64_t i = 0; i < keys.size(); i++) {
    const uint64_t j = (i * 7'368'787) % keys.size();
    map.emplace(stored.views()[j], j);
  }
  size_t at = 0;
  for (auto _ : state) {
    if (at + 1024 > keys.size()) at = 0;
    for (size_t i = 0; i < 1024; i++) benchmark::DoNotOptimize(map.find(keys[at + i])->second);
    at += 1024;
  }
  state.SetItemsProcessed(state.iterations() * 1024);
}
BENCHMARK(BM_StaticFunction_Get_unordered_map)->Name("BM_StaticFunction_Get/unordered_map");

void BM_StaticFunction_Get_binary_search(benchmark::State& state) {
  const auto& keys = TheKeys();
  std::vector<std::string_view> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  size_t at = 0;
  for (auto _ : state) {
    if (at + 1024 > keys.size()) at = 0;
    for (size_t i = 0; i < 1024; i++)
      benchmark::DoNotOptimize(std::lower_bound(sorted.begin(), sorted.end(), keys[at + i]));
    at += 1024;
  }
  state.SetItemsProcessed(state.iterations() * 1024);
}
BENCHMARK(BM_StaticFunction_Get_binary_search)->Name("BM_StaticFunction_Get/binary_search");

void TermMapLookup(benchmark::State& state, unsigned signature_bits, bool batch) {
  const auto& keys = TheKeys();
  std::vector<std::string_view> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  TermMapBuilder builder({.signature_bits = signature_bits, .function = {.threads = 2}});
  for (const std::string_view key : sorted) {
    if (!builder.Add(key).ok()) std::abort();
  }
  const ImageWriter image = builder.Build().value();
  const TermMap map = TermMap::FromImage(image.bytes()).value();
  std::vector<int64_t> out(1024);
  size_t at = 0;
  for (auto _ : state) {
    if (at + out.size() > keys.size()) at = 0;
    const auto block = std::span(keys).subspan(at, out.size());
    if (batch) {
      map.RankBatch(block, out);
    } else {
      for (size_t i = 0; i < block.size(); i++) out[i] = static_cast<int64_t>(map.Rank(block[i]).value());
    }
    if (sorted[static_cast<size_t>(out[7])] != block[7]) std::abort();
    at += out.size();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(out.size()));
  CountBits(state, image.bytes().size(), RankBitsOf(KeyCount()) + signature_bits);
}
BENCHMARK_CAPTURE(TermMapLookup, unsigned, 0, false)->Name("BM_TermMap_Rank/no_signatures");
BENCHMARK_CAPTURE(TermMapLookup, unsigned, 0, true)->Name("BM_TermMap_RankBatch/no_signatures");
BENCHMARK_CAPTURE(TermMapLookup, signed16, 16, false)->Name("BM_TermMap_Rank/signatures_of_16_bits");
BENCHMARK_CAPTURE(TermMapLookup, signed16, 16, true)->Name("BM_TermMap_RankBatch/signatures_of_16_bits");

// Run it alone for a meaningful peak of memory.
void BM_StaticFunction_BuildBounded(benchmark::State& state) {
  const uint64_t count = FromEnvironment("CRV_BENCH_BUILD_KEYS", 100'000'000);
  TemporaryFolder folder;
  for (auto _ : state) {
    StaticFunctionBuilder builder(
        {.threads = 2, .store = {.memory_bytes = uint64_t{256} << 20, .temporary_directory = folder.path()}});
    std::string key;
    for (uint64_t i = 0; i < count; i++) {
      key.clear();
      AppendKey(i, &key);
      if (!builder.Add(key, i).ok()) std::abort();
    }
    if (!builder.spilled() || !builder.WriteFile(folder / "f").ok()) std::abort();
  }
  const uint64_t peak = PeakBytes();  // read before the file is mapped to verify it
  const auto f = Mapped<StaticFunction>::Open(folder / "f").value();
  std::string key;
  for (uint64_t i = 0; i < count; i++) {
    key.clear();
    AppendKey(i, &key);
    if (f->Get(key) != i) std::abort();
  }
  state.counters["peak_rss_mib"] = static_cast<double>(peak) / (1 << 20);
  const double bits = 8 * static_cast<double>(f.file().payload().size()) / static_cast<double>(count);
  state.counters["bits_per_item"] = bits;
  state.counters["bits_per_value_bit"] = bits / f->bits();
  state.SetItemsProcessed(static_cast<int64_t>(count));
}
BENCHMARK(BM_StaticFunction_BuildBounded)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace crivello::succinct
