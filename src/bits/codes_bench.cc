// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "base/random.h"
#include "bits/bit_stream.h"
#include "bits/code_table.h"
#include "bits/codes.h"

namespace crivello::bits {
namespace {

constexpr size_t kCount = 1 << 20;

// Numbers drawn from the intended distribution of a complete code: what it reads in random bits.
template <typename Code>
std::vector<uint64_t> Draw(const Code& code) {
  SeededRandom random(1);
  std::vector<uint64_t> numbers;
  while (numbers.size() < kCount) {
    uint64_t bits[4];
    for (uint64_t& word : bits) word = random.Next();
    BitReader reader(std::as_bytes(std::span(bits)));
    const uint64_t x = code.Read(reader);
    if (reader.ok()) numbers.push_back(x);
  }
  return numbers;
}

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
void Count(benchmark::State& state, const Stream<Code>& stream) {
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kCount));
  state.counters["bits_per_item"] = static_cast<double>(stream.bits) / kCount;
  state.counters["ns_per_item"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kCount * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

template <typename Code>
void ReadOneByOne(benchmark::State& state, Code code) {
  const Stream<Code> stream(code);
  for (auto _ : state) {
    BitReader reader(stream.bytes);
    uint64_t sum = 0;
    for (size_t i = 0; i < kCount; i++) sum += code.Read(reader);
    benchmark::DoNotOptimize(sum);
  }
  Count(state, stream);
}

template <typename Code>
void DecodeBlocks(benchmark::State& state, Code code) {
  const Stream<Code> stream(code);
  std::vector<uint64_t> out(1024);
  for (auto _ : state) {
    BitReader reader(stream.bytes);
    for (size_t i = 0; i < kCount; i += out.size()) {
      if (!Decode(code, reader, out).ok()) state.SkipWithError("damaged");
    }
    benchmark::DoNotOptimize(out.data());
  }
  Count(state, stream);
}

template <typename Code>
void DecodeByTable(benchmark::State& state, Code code) {
  const Stream<Code> stream(code);
  const CodeTable<Code> table(code);
  std::vector<uint64_t> out(1024);
  for (auto _ : state) {
    BitReader reader(stream.bytes);
    for (size_t i = 0; i < kCount; i += out.size()) {
      if (!table.Decode(reader, out).ok()) state.SkipWithError("damaged");
    }
    benchmark::DoNotOptimize(out.data());
  }
  Count(state, stream);
}

#define CRV_BENCH_CODE(name, ...)                     \
  BENCHMARK_CAPTURE(ReadOneByOne, name, __VA_ARGS__); \
  BENCHMARK_CAPTURE(DecodeBlocks, name, __VA_ARGS__); \
  BENCHMARK_CAPTURE(DecodeByTable, name, __VA_ARGS__)

CRV_BENCH_CODE(unary, UnaryCode());
CRV_BENCH_CODE(gamma, GammaCode());
CRV_BENCH_CODE(delta, DeltaCode());
CRV_BENCH_CODE(zeta2, ZetaCode(2));
CRV_BENCH_CODE(zeta3, ZetaCode(3));
CRV_BENCH_CODE(golomb3, GolombCode(3));
CRV_BENCH_CODE(golomb7, GolombCode(7));
CRV_BENCH_CODE(golomb12, GolombCode(12));
CRV_BENCH_CODE(golomb16, GolombCode(16));
CRV_BENCH_CODE(golomb24, GolombCode(24));
CRV_BENCH_CODE(golomb100, GolombCode(100));
CRV_BENCH_CODE(minimal_binary7, MinimalBinaryCode(6));
CRV_BENCH_CODE(minimal_binary30, MinimalBinaryCode(29));
CRV_BENCH_CODE(minimal_binary1000, MinimalBinaryCode(999));
CRV_BENCH_CODE(nibble, NibbleCode());
CRV_BENCH_CODE(vbyte, ByteCode());
CRV_BENCH_CODE(vbyte_prefix, PrefixByteCode());

}  // namespace
}  // namespace crivello::bits
