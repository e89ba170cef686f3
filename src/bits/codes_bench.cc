// SPDX-License-Identifier: Apache-2.0
// Decoding (and encoding) 2^20 numbers in memory, drawn from the intended distribution of each code.
#include <benchmark/benchmark.h>

#include <vector>

#include "base/random.h"
#include "bits/bit_stream.h"
#include "bits/code_table.h"
#include "bits/codes.h"
#include "bits/codes_bench_support.h"
#include "bits/interpolative.h"

namespace crivello::bits {
namespace {

template <typename Code>
struct Stream {
  explicit Stream(const Code& code) : numbers(Draw(code)) {
    for (uint64_t x : numbers) code.Write(writer, x);
    bits = writer.position();
    bytes = writer.Finish();
  }
  std::vector<uint64_t> numbers;
  BitWriter writer;
  uint64_t bits;
  Bytes bytes;
};

template <typename Code>
void BM_ReadOneByOne(benchmark::State& state, Code code) {
  const Stream<Code> stream(code);
  for (auto _ : state) {
    BitReader reader(stream.bytes);
    uint64_t sum = 0;
    for (size_t i = 0; i < kCount; i++) sum += code.Read(reader);
    benchmark::DoNotOptimize(sum);
  }
  Report(state, stream.bits);
}

template <typename Decoder>
void DecodeBlocks(benchmark::State& state, Bytes bytes, const Decoder& decode) {
  std::vector<uint64_t> out(kBlock);
  for (auto _ : state) {
    BitReader reader(bytes);
    for (size_t i = 0; i < kCount; i += kBlock) {
      if (!decode(reader, out).ok()) state.SkipWithError("damaged");
      benchmark::DoNotOptimize(out.data());
      benchmark::ClobberMemory();
    }
  }
}

template <typename Code>
void BM_Decode(benchmark::State& state, Code code) {
  const Stream<Code> stream(code);
  DecodeBlocks(state, stream.bytes,
               [code](BitReader& reader, std::span<uint64_t> out) { return Decode(code, reader, out); });
  Report(state, stream.bits);
}

template <typename Code>
void BM_DecodeByTable(benchmark::State& state, Code code) {
  const Stream<Code> stream(code);
  const CodeTable<Code> table(code);
  DecodeBlocks(state, stream.bytes,
               [&table](BitReader& reader, std::span<uint64_t> out) { return table.Decode(reader, out); });
  Report(state, stream.bits);
}

template <typename Code>
void BM_Write(benchmark::State& state, Code code) {
  const Stream<Code> stream(code);
  for (auto _ : state) {
    BitWriter writer;
    for (uint64_t x : stream.numbers) code.Write(writer, x);
    benchmark::DoNotOptimize(writer.Finish().data());
  }
  Report(state, stream.bits);
}

#define CRV_BENCH_CODE(name, ...)                         \
  BENCHMARK_CAPTURE(BM_ReadOneByOne, name, __VA_ARGS__);  \
  BENCHMARK_CAPTURE(BM_Decode, name, __VA_ARGS__);        \
  BENCHMARK_CAPTURE(BM_DecodeByTable, name, __VA_ARGS__); \
  BENCHMARK_CAPTURE(BM_Write, name, __VA_ARGS__)

CRV_BENCH_CODE(unary, UnaryCode());
CRV_BENCH_CODE(gamma, GammaCode());
CRV_BENCH_CODE(delta, DeltaCode());
CRV_BENCH_CODE(zeta2, ZetaCode(2));
CRV_BENCH_CODE(zeta3, ZetaCode(3));
CRV_BENCH_CODE(golomb3, GolombCode(3));
CRV_BENCH_CODE(golomb16, GolombCode(16));
CRV_BENCH_CODE(golomb100, GolombCode(100));
CRV_BENCH_CODE(minimal_binary7, MinimalBinaryCode(6));
CRV_BENCH_CODE(minimal_binary1000, MinimalBinaryCode(999));
CRV_BENCH_CODE(nibble, NibbleCode());
CRV_BENCH_CODE(vbyte, ByteCode());
CRV_BENCH_CODE(vbyte_prefix, PrefixByteCode());

// Gaps uniform from 1 to 31.
void BM_Interpolative(benchmark::State& state) {
  SeededRandom random(2);
  std::vector<uint64_t> values;
  uint64_t last = 0;
  for (size_t i = 0; i < kCount; i++) values.push_back(last += 1 + random.Below(31));
  BitWriter writer;
  if (!WriteInterpolative(writer, values, 0, last).ok()) state.SkipWithError("refused");
  const uint64_t bits = writer.position();
  const Bytes bytes = writer.Finish();
  for (auto _ : state) {
    BitReader reader(bytes);
    if (!ReadInterpolative(reader, 0, last, values).ok()) state.SkipWithError("damaged");
    benchmark::DoNotOptimize(values.data());
  }
  Report(state, bits);
}
BENCHMARK(BM_Interpolative);

}  // namespace
}  // namespace crivello::bits
