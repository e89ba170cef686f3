// SPDX-License-Identifier: Apache-2.0
// The peer of codes_bench.cc: sdsl's Elias coders on the same numbers. They start at the least significant
// bit, and their words start at 1, so the streams differ but the lengths do not.
#include <benchmark/benchmark.h>

#include <sdsl/coder_elias_delta.hpp>
#include <sdsl/coder_elias_gamma.hpp>
#include <vector>

#include "bits/codes.h"
#include "bits/codes_bench_support.h"

namespace crivello::bits {
namespace {

// Blocks of 1024 like ours, each from its bit offset, which sdsl's decoder needs.
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
  Report(state, bits);
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
