// SPDX-License-Identifier: Apache-2.0
// Plain and blocked Bloom filters, and the static dictionary that replaces them when no key is added.
//
// CRV_BENCH_BLOOM_KEYS keys (100 million for the filters; a tenth for the dictionary, which takes long to
// build). Lookups are by signature, so that only the filter's memory accesses are measured.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "succinct/approximate_dictionary.h"
#include "succinct/bloom_filter.h"

namespace crivello::succinct {
namespace {

uint64_t KeyCount() {
  const char* text = std::getenv("CRV_BENCH_BLOOM_KEYS");
  return text == nullptr ? 100'000'000 : std::strtoull(text, nullptr, 10);
}

// The signature of the i-th key.
Signature128 SignatureOf(uint64_t i) { return {.low = Mix64(2 * i + 1), .high = Mix64(Mix64(2 * i) + 7)}; }

template <typename Layout>
const BasicMutableBloomFilter<Layout>& Filled(int d) {
  static BasicMutableBloomFilter<Layout> filter =
      BasicMutableBloomFilter<Layout>::Create({.expected_keys = 1}).value();
  static int filled = 0;
  if (filled != d) {
    filter =
        BasicMutableBloomFilter<Layout>::Create({.expected_keys = KeyCount(), .error = std::ldexp(1, -d)})
            .value();
    for (uint64_t i = 0; i < KeyCount(); i++) filter.Add(SignatureOf(i));
    filled = d;
  }
  return filter;
}

// range(0) is d, the error 2^-d. Positives are the keys of the filter in order; negatives come after them.
template <typename Layout, bool positives>
void Contains(benchmark::State& state) {
  const int d = static_cast<int>(state.range(0));
  const auto& filter = Filled<Layout>(d);
  const auto view = filter.view();
  uint64_t at = positives ? 0 : KeyCount();
  uint64_t found = 0;
  for (auto _ : state) {
    for (int i = 0; i < 1024; i++) found += view.Contains(SignatureOf(at++));
    if (positives && at + 1024 > KeyCount()) at = 0;
  }
  const auto asked = static_cast<double>(state.iterations() * 1024);
  state.SetItemsProcessed(state.iterations() * 1024);
  state.counters["bits_per_item"] = static_cast<double>(view.bits()) / static_cast<double>(KeyCount());
  state.counters["found"] = static_cast<double>(found) / asked;
  if (!positives) {
    state.counters["error_over_asked"] = static_cast<double>(found) / asked * std::ldexp(1, d);
    state.counters["theory_over_asked"] =
        Layout::ErrorFor({.bits = view.bits(), .probes = view.probes()}, static_cast<double>(KeyCount())) *
        std::ldexp(1, d);
  }
}

template <typename Layout>
void ContainsBatch(benchmark::State& state) {
  const auto& filter = Filled<Layout>(static_cast<int>(state.range(0)));
  const auto view = filter.view();
  std::array<Signature128, 1024> signatures;
  std::array<bool, 1024> out;
  uint64_t at = 0;
  for (auto _ : state) {
    for (Signature128& signature : signatures) signature = SignatureOf(at++);
    view.ContainsBatch(signatures, out);
    if (!out[5]) std::abort();
    if (at + 1024 > KeyCount()) at = 0;
  }
  state.SetItemsProcessed(state.iterations() * 1024);
}

template <typename Layout>
void Add(benchmark::State& state) {
  auto filter = BasicMutableBloomFilter<Layout>::Create(
                    {.expected_keys = KeyCount(), .error = std::ldexp(1, -static_cast<int>(state.range(0)))})
                    .value();
  uint64_t at = 0;
  for (auto _ : state) {
    for (int i = 0; i < 1024; i++) benchmark::DoNotOptimize(filter.Add(SignatureOf(at++)));
  }
  state.SetItemsProcessed(state.iterations() * 1024);
}

// In this order each filter is built only once.
BENCHMARK_TEMPLATE(Contains, BloomLayout, true)->Name("BM_Bloom_Positive/plain")->Arg(7);
BENCHMARK_TEMPLATE(Contains, BloomLayout, false)->Name("BM_Bloom_Negative/plain")->Arg(7);
BENCHMARK_TEMPLATE(ContainsBatch, BloomLayout)->Name("BM_Bloom_PositiveBatch/plain")->Arg(7);
BENCHMARK_TEMPLATE(Contains, BlockedBloomLayout, true)->Name("BM_Bloom_Positive/blocked")->Arg(7);
BENCHMARK_TEMPLATE(Contains, BlockedBloomLayout, false)->Name("BM_Bloom_Negative/blocked")->Arg(7);
BENCHMARK_TEMPLATE(ContainsBatch, BlockedBloomLayout)->Name("BM_Bloom_PositiveBatch/blocked")->Arg(7);
BENCHMARK_TEMPLATE(Contains, BloomLayout, true)->Name("BM_Bloom_Positive/plain")->Arg(10);
BENCHMARK_TEMPLATE(Contains, BloomLayout, false)->Name("BM_Bloom_Negative/plain")->Arg(10);
BENCHMARK_TEMPLATE(ContainsBatch, BloomLayout)->Name("BM_Bloom_PositiveBatch/plain")->Arg(10);
BENCHMARK_TEMPLATE(Contains, BlockedBloomLayout, true)->Name("BM_Bloom_Positive/blocked")->Arg(10);
BENCHMARK_TEMPLATE(Contains, BlockedBloomLayout, false)->Name("BM_Bloom_Negative/blocked")->Arg(10);
BENCHMARK_TEMPLATE(ContainsBatch, BlockedBloomLayout)->Name("BM_Bloom_PositiveBatch/blocked")->Arg(10);
BENCHMARK(Add<BloomLayout>)->Name("BM_Bloom_Add/plain")->Arg(10);
BENCHMARK(Add<BlockedBloomLayout>)->Name("BM_Bloom_Add/blocked")->Arg(10);

// The measured error divided by the requested one, with enough foreign keys for 10'000 false positives: 1%
// random deviation.
template <typename Layout>
void MeasureError(benchmark::State& state) {
  const int d = static_cast<int>(state.range(0));
  constexpr uint64_t kKeys = 1'000'000;
  auto filter =
      BasicMutableBloomFilter<Layout>::Create({.expected_keys = kKeys, .error = std::ldexp(1, -d)}).value();
  for (uint64_t i = 0; i < kKeys; i++) filter.Add(SignatureOf(i));
  const auto view = filter.view();
  const uint64_t strangers = uint64_t{10'000} << d;
  uint64_t found = 0;
  for (auto _ : state) {
    for (uint64_t i = 0; i < strangers; i++) found += view.Contains(SignatureOf(kKeys + i));
  }
  state.counters["error_over_asked"] =
      static_cast<double>(found) / static_cast<double>(strangers) * std::ldexp(1, d);
  state.counters["theory_over_asked"] =
      Layout::ErrorFor({.bits = view.bits(), .probes = view.probes()}, kKeys) * std::ldexp(1, d);
  state.counters["bits_per_item"] = static_cast<double>(view.bits()) / kKeys;
  state.SetItemsProcessed(static_cast<int64_t>(strangers));
}
BENCHMARK(MeasureError<BloomLayout>)->Name("BM_Bloom_Error/plain")->Iterations(1)->DenseRange(4, 16, 4);
BENCHMARK(MeasureError<BlockedBloomLayout>)
    ->Name("BM_Bloom_Error/blocked")
    ->Iterations(1)
    ->DenseRange(4, 16, 4);

// The same keys as decimal strings, with a tenth of the number of keys.
void Dictionary(benchmark::State& state, bool positives) {
  const uint64_t keys = KeyCount() / 10;
  ApproximateDictionaryBuilder builder(
      {.signature_bits = static_cast<unsigned>(state.range(0)), .function = {.threads = 2}});
  for (uint64_t i = 0; i < keys; i++) {
    if (!builder.Add(std::to_string(i)).ok()) std::abort();
  }
  const ImageWriter image = builder.Build().value();
  const auto dictionary = ApproximateDictionary::FromImage(image.bytes()).value();
  uint64_t at = positives ? 0 : keys;
  uint64_t found = 0;
  for (auto _ : state) {
    for (int i = 0; i < 1024; i++) found += dictionary.Contains(std::to_string(at++));
    if (positives && at + 1024 > keys) at = 0;
  }
  state.SetItemsProcessed(state.iterations() * 1024);
  state.counters["found"] = static_cast<double>(found) / static_cast<double>(state.iterations() * 1024);
  state.counters["bits_per_item"] = 8 * static_cast<double>(image.bytes().size()) / static_cast<double>(keys);
}
BENCHMARK_CAPTURE(Dictionary, positive, true)->Name("BM_Bloom_Positive/dictionary")->Arg(10);
BENCHMARK_CAPTURE(Dictionary, negative, false)->Name("BM_Bloom_Negative/dictionary")->Arg(10);

}  // namespace
}  // namespace crivello::succinct
