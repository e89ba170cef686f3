// SPDX-License-Identifier: Apache-2.0
// Any bytes as an image: all functions are called on what opens. And as gaps: their sequence round-trips.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "succinct/elias_fano.h"

namespace crivello::succinct {
namespace {

void UseAnyImage(Bytes image) {
  const auto sequence = EliasFano::FromImage(image);
  if (!sequence.ok()) return;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < sequence->size(); i++) sum += sequence->Access(i);
  for (auto cursor = sequence->Begin(); !cursor.AtEnd(); cursor.Next()) {
    sum += cursor.value();
    sum += sequence->SeekTo(cursor.value()).index + sequence->Predecessor(cursor.value()).index;
  }
  const uint64_t step = sequence->universe() / 50 + 1;
  auto cursor = sequence->Begin();
  for (uint64_t x = 0; !cursor.AtEnd() && x <= sequence->universe() - step; x += step) {
    sum += sequence->SeekTo(x).value;
    cursor.SeekTo(x);
    if (cursor.value() < x) std::abort();
  }
  [[maybe_unused]] static volatile uint64_t sink;
  sink = sum;
}

// Each byte is a gap: its low five bits, shifted by a multiple of the high three.
void RoundTrip(const uint8_t* data, size_t size) {
  std::vector<uint64_t> values;
  uint64_t x = 0;
  for (size_t i = 0; i < size; i++) {
    const uint64_t gap = uint64_t{data[i] & 31u} << (data[i] / 32 * 7);
    if (x + gap < x) break;
    values.push_back(x += gap);
  }
  const uint64_t u = size % 2 == 0 ? x : std::max(x, x * 3);
  EliasFanoBuilder builder(values.size(), u);
  for (const uint64_t value : values) builder.Add(value);
  ImageWriter image;
  if (!builder.AppendTo(image).ok()) std::abort();
  const auto sequence = EliasFano::FromImage(image.bytes());
  if (!sequence.ok()) std::abort();
  auto cursor = sequence->Begin();
  for (uint64_t i = 0; i < values.size(); i++, cursor.Next()) {
    if (sequence->Access(i) != values[i] || cursor.value() != values[i]) std::abort();
    const auto first = std::lower_bound(values.begin(), values.end(), values[i]) - values.begin();
    if (sequence->SeekTo(values[i]).index != static_cast<uint64_t>(first)) std::abort();
  }
  if (!cursor.AtEnd()) std::abort();
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
