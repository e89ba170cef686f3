// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as an image: estimates what opens. And as two counters: the three maxima are equal.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "succinct/hyper_log_log.h"
#include "succinct/hyper_log_log_max.h"

namespace crivello::succinct {
namespace {

void UseAnyImage(Bytes image) {
  const auto array = HyperLogLogArray::FromImage(image);
  if (!array.ok()) return;
  for (uint64_t i = 0; i < array->size(); i++)
    if (!(array->Estimate(i) >= 0)) std::abort();
}

void CompareMaxima(const std::vector<uint64_t>& words, unsigned width) {
  const auto half = static_cast<unsigned>(words.size() / 2);
  if (half == 0) return;
  std::vector<uint64_t> to(half + 2), from(half + 2);
  // Only whole registers: the bits after the last one are zero.
  const unsigned registers = half * 64 / width;
  for (unsigned j = 0; j < registers; j++) {
    SetRegister(to.data() + 1, j, width, GetRegister(words.data(), j, width));
    SetRegister(from.data() + 1, j, width, GetRegister(words.data() + half, j, width));
  }
  auto by_registers = to, by_broadword = to, by_simd = to;
  const bool changed = MaxByRegisters(by_registers.data() + 1, from.data() + 1, registers, width);
  if (MaxByBroadword(by_broadword.data() + 1, from.data() + 1, half, width) != changed) std::abort();
  if (MaxBySimd(by_simd.data() + 1, from.data() + 1, half, width) != changed) std::abort();
  if (by_broadword != by_registers || by_simd != by_registers) std::abort();
}

}  // namespace
}  // namespace crivello::succinct

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::succinct;
  std::vector<uint64_t> words(size / 8);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 8);
  UseAnyImage(std::as_bytes(std::span(words)));
  CompareMaxima(words, 5);
  CompareMaxima(words, 6);
  return 0;
}
