// SPDX-License-Identifier: Apache-2.0
// The block codecs compared with libstreamvbyte, on a posting list that fits into the L2 cache (kCount
// integers), like a list being intersected. items_per_second are integers.
#include <benchmark/benchmark.h>
#include <streamvbyte.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "bits/bit_packing.h"
#include "bits/block_codec.h"
#include "bits/block_codec_test_data.h"
#include "bits/pfor.h"
#include "bits/stream_vbyte.h"

namespace crivello::bits {
namespace {

constexpr size_t kCount = 1 << 16;
constexpr size_t kPeerPadding = 16;  // libstreamvbyte reads beyond its input

[[noreturn]] void Fail(const char* why) {
  std::fprintf(stderr, "block_codec_bench: %s\n", why);
  std::abort();
}

struct Data {
  std::string name;
  Integers values;
};

const std::vector<Data>& AllData() {
  static const std::vector<Data> all = {
      {"gap_2", GeometricIntegers(kCount, 0.5, 1)},    {"gap_10", GeometricIntegers(kCount, 0.1, 2)},
      {"gap_100", GeometricIntegers(kCount, 0.01, 3)}, {"gap_10000", GeometricIntegers(kCount, 0.0001, 4)},
      {"zipf", ZipfIntegers(kCount, 1.0, 5)},
  };
  return all;
}

void Report(benchmark::State& state, size_t bytes) {
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kCount));
  state.counters["bits_per_item"] = 8 * static_cast<double>(bytes) / kCount;
}

using Encode = std::function<void(std::span<const uint32_t>, std::vector<uint8_t>*)>;
using Decode = std::function<Result<size_t>(Bytes, std::span<uint32_t>)>;

void DecodeLoop(benchmark::State& state, const Integers& values, const Encode& encode, const Decode& decode) {
  std::vector<uint8_t> bytes;
  encode(values, &bytes);
  const size_t size = bytes.size();
  Integers out(values.size());
  bytes.resize(size + kPeerPadding);
  const Bytes in = std::as_bytes(std::span(bytes)).first(size);
  for (auto _ : state) {
    if (!decode(in, out).ok()) Fail("a code that does not decode");
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  Report(state, size);
}

void EncodeLoop(benchmark::State& state, const Integers& values, const Encode& encode) {
  std::vector<uint8_t> bytes;
  for (auto _ : state) {
    bytes.clear();
    encode(values, &bytes);
    benchmark::DoNotOptimize(bytes.data());
  }
  Report(state, bytes.size());
}

void PeerEncode(std::span<const uint32_t> in, std::vector<uint8_t>* out) {
  out->resize(streamvbyte_max_compressedbytes(static_cast<uint32_t>(in.size())));
  out->resize(streamvbyte_encode(in.data(), static_cast<uint32_t>(in.size()), out->data()));
}

Result<size_t> PeerDecode(Bytes in, std::span<uint32_t> out) {
  return streamvbyte_decode(reinterpret_cast<const uint8_t*>(in.data()), out.data(),
                            static_cast<uint32_t>(out.size()));
}

// Our Stream VByte must equal theirs, on all measured data and on the difficult sequences.
void CheckAgainstPeer() {
  std::vector<Integers> all;
  for (const auto& [name, values] : TryingIntegers(77)) all.push_back(values);
  for (const Data& data : AllData()) all.push_back(data.values);
  for (const Integers& values : all) {
    std::vector<uint8_t> ours, theirs;
    StreamVByteEncode(values, &ours);
    PeerEncode(values, &theirs);
    if (ours != theirs) Fail("our Stream VByte differs from libstreamvbyte's");
    Integers got(values.size());
    if (!StreamVByteDecode(std::as_bytes(std::span(theirs)), got).ok() || got != values) {
      Fail("libstreamvbyte's code does not decode");
    }
  }
}

void UnpackLoop(benchmark::State& state, const BitPackingKernels& kernels, size_t bits, bool deltas) {
  std::vector<uint8_t> bytes(PackedBytes(bits) * kCount / kPackedBlock, 0x5a);
  Integers out(kCount);
  for (auto _ : state) {
    for (size_t i = 0; i < kCount / kPackedBlock; i++) {
      const uint8_t* in = bytes.data() + i * PackedBytes(bits);
      if (deltas) {
        kernels.unpack_deltas[bits](in, 0, out.data() + i * kPackedBlock);
      } else {
        kernels.unpack[bits](in, out.data() + i * kPackedBlock);
      }
    }
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  Report(state, bytes.size());
}

const bool kRegistered = [] {
  CheckAgainstPeer();
  const auto register_as = [](const std::string& name, const auto& loop, const auto&... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { loop(state, arguments...); });
  };
  for (const Data& data : AllData()) {
    const std::string decode = "BM_BlockDecode/" + data.name + "/",
                      encode = "BM_BlockEncode/" + data.name + "/";
    register_as(decode + "libstreamvbyte", DecodeLoop, data.values, PeerEncode, PeerDecode);
    register_as(encode + "libstreamvbyte", EncodeLoop, data.values, PeerEncode);
    for (const BlockCodec& codec : AllBlockCodecs()) {
      register_as(decode + std::string(codec.name), DecodeLoop, data.values, codec.encode, codec.decode);
      register_as(encode + std::string(codec.name), EncodeLoop, data.values, codec.encode);
    }
    const auto decode_deltas = [](Bytes in, std::span<uint32_t> out) { return PForDecodeDeltas(in, 0, out); };
    const auto pfor = [](std::span<const uint32_t> in, std::vector<uint8_t>* out) { PForEncode(in, out); };
    register_as("BM_BlockDecodeDeltas/" + data.name + "/pfor", DecodeLoop, data.values, pfor, decode_deltas);
  }
  for (const size_t bits : {1u, 5u, 8u, 13u, 20u}) {
    const std::string name = "BM_BitPacking/" + std::to_string(bits);
    register_as(name + "/unpack/vector", UnpackLoop, std::cref(VectorBitPacking()), bits, false);
    register_as(name + "/unpack/scalar", UnpackLoop, std::cref(ScalarBitPacking()), bits, false);
    register_as(name + "/unpack_deltas/vector", UnpackLoop, std::cref(VectorBitPacking()), bits, true);
    register_as(name + "/unpack_deltas/scalar", UnpackLoop, std::cref(ScalarBitPacking()), bits, true);
  }
  return true;
}();

}  // namespace
}  // namespace crivello::bits
