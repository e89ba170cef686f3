// SPDX-License-Identifier: Apache-2.0
// The peer of codes_bench.cc: sdsl's Elias coders on the same numbers.  Their bits go from the least
// significant on and their words start at 1, so the streams differ, not the lengths.
#include <benchmark/benchmark.h>

#include <sdsl/coder_elias_delta.hpp>
#include <sdsl/coder_elias_gamma.hpp>
#include <vector>

#include "base/random.h"
#include "bits/bit_stream.h"
#include "bits/codes.h"

namespace crivello::bits {
namespace {

constexpr size_t kCount = size_t{1} << 20;
constexpr size_t kBlock = 1024;

// The numbers of codes_bench.cc.
template <typename Code>
std::vector<uint64_t> Draw(const Code& code) {
  SeededRandom random(1);
  std::vector<uint64_t> numbers;
  while (numbers.size() < kCount) {
    uint64_t bits[4];
    for (uint64_t& word : bits) word = random.Next();
    BitReader reader(std::as_bytes(std::span(bits)));
    const uint64_t x = code.Read(reader);
    if (reader.ok() && x < ~uint64_t{0} - 1) numbers.push_back(x);
  }
  return numbers;
}

// Blocks of 1024 as ours, each from its bit offset, which sdsl's decoder wants.
template <typename Peer, typename Code>
void DecodeSdsl(benchmark::State& state, Code code) {
  const std::vector<uint64_t> numbers = Draw(code);
  uint64_t bits = 0;
  for (uint64_t x : numbers) bits += code.Length(x);
  std::vector<uint64_t> words(bits / 64 + 4);
  std::vector<uint64_t> offsets;
  uint64_t* at = words.data();
  uint8_t offset = 0;
  for (size_t i = 0; i < kCount; i++) {
    if (i % kBlock == 0) offsets.push_back(static_cast<uint64_t>(at - words.data()) * 64 + offset);
    Peer::encode(numbers[i] + 1, at, offset);
  }
  std::vector<uint64_t> out(kBlock);
  for (auto _ : state) {
    for (uint64_t start : offsets) {
      Peer::template decode<false, true>(words.data(), start, kBlock, out.data());
      benchmark::DoNotOptimize(out.data());
      benchmark::ClobberMemory();
    }
  }
  for (size_t i = 0; i < kBlock; i++) {
    if (out[i] != numbers[kCount - kBlock + i] + 1) state.SkipWithError("not what was written");
  }
  const double items = static_cast<double>(state.iterations()) * kCount;
  state.SetItemsProcessed(static_cast<int64_t>(items));
  state.counters["bits_per_item"] = static_cast<double>(bits) / kCount;
  state.counters["ns_per_item"] =
      benchmark::Counter(items * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void BM_DecodeSdsl_gamma(benchmark::State& state) {
  DecodeSdsl<sdsl::coder::elias_gamma>(state, GammaCode());
}
void BM_DecodeSdsl_delta(benchmark::State& state) {
  DecodeSdsl<sdsl::coder::elias_delta>(state, DeltaCode());
}
BENCHMARK(BM_DecodeSdsl_gamma)->Name("BM_Decode/gamma/sdsl");
BENCHMARK(BM_DecodeSdsl_delta)->Name("BM_Decode/delta/sdsl");

}  // namespace
}  // namespace crivello::bits
