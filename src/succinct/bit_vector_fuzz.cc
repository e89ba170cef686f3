// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as the image of each kind of bit vector: all functions are called on what opens. Takes them
// also as bits: the structures built from them return these bits.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "succinct/rank_select_bits.h"

namespace crivello::succinct {
namespace {

void UseAnyImage(Bytes image) {
  uint64_t sum = 0;
  if (const auto bits = BitVector::FromImage(image); bits.ok())
    for (uint64_t i = 0; i < bits->size(); i++) sum += bits->Get(i);
  if (const auto bits = RankBits::FromImage(image); bits.ok())
    for (uint64_t i = 0; i <= bits->size(); i += 7) sum += bits->Rank(i);
  if (const auto bits = RankSelectBits::FromImage(image); bits.ok()) {
    for (uint64_t i = 0; i <= bits->size(); i += 7) sum += bits->Rank(i);
    for (uint64_t r = 0; r < bits->ones(); r += 7) sum += bits->Select1(r);
    for (uint64_t r = 0; r < bits->size() - bits->ones(); r += 7) sum += bits->Select0(r);
    sum += bits->Describe().size();
  }
  [[maybe_unused]] static volatile uint64_t sink;
  sink = sum;
}

// Each byte is a run: its low bit, `byte / 2` squared times.
void RoundTrip(const uint8_t* data, size_t size) {
  BitVectorBuilder builder;
  for (size_t i = 0; i < size && builder.size() < 16'000; i++)
    for (unsigned run = data[i] / 2u * (data[i] / 2u) + 1; run > 0; run--) builder.Push(data[i] & 1);
  ImageWriter image;
  builder.AppendRankSelectBits(image);
  const auto bits = RankSelectBits::FromImage(image.bytes());
  if (!bits.ok() || bits->size() != builder.size()) std::abort();
  uint64_t ones = 0;
  for (uint64_t i = 0; i < builder.size(); i++) {
    const bool bit = builder.Get(i);
    if (bits->Rank(i) != ones || bits->Get(i) != bit) std::abort();
    if ((bit ? bits->Select1(ones) : bits->Select0(i - ones)) != i) std::abort();
    ones += bit;
  }
}

}  // namespace
}  // namespace crivello::succinct

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::succinct;
  std::vector<uint64_t> words(size / 8);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 8);
  UseAnyImage(std::as_bytes(std::span(words)));
  RoundTrip(data, size);
  return 0;
}
