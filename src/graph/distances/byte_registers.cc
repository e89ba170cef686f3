// SPDX-License-Identifier: Apache-2.0
#include "graph/distances/byte_registers.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/distances/byte_registers.cc"
#include <hwy/foreach_target.h>  // compiles this file once for each target
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace crivello::graph::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Registers [begin, begin + kVectors vectors) of all counters, which stay in processor registers.
template <size_t kVectors, class D>
void UnitePart(D d, uint8_t* to, size_t begin, size_t registers, const uint8_t* counters, const Node* nodes,
               size_t count) {
  static_assert(kVectors == 1 || kVectors == 2 || kVectors == 4);
  const size_t lanes = hn::Lanes(d);
  uint8_t* const at = to + begin;
  auto a0 = hn::LoadU(d, at);
  auto a1 = kVectors > 1 ? hn::LoadU(d, at + lanes) : a0;
  auto a2 = kVectors > 2 ? hn::LoadU(d, at + 2 * lanes) : a0;
  auto a3 = kVectors > 2 ? hn::LoadU(d, at + 3 * lanes) : a0;
  for (size_t i = 0; i < count; i++) {
    const uint8_t* const from = counters + nodes[i] * registers + begin;
    a0 = hn::Max(a0, hn::LoadU(d, from));
    if (kVectors > 1) a1 = hn::Max(a1, hn::LoadU(d, from + lanes));
    if (kVectors > 2) a2 = hn::Max(a2, hn::LoadU(d, from + 2 * lanes));
    if (kVectors > 2) a3 = hn::Max(a3, hn::LoadU(d, from + 3 * lanes));
  }
  hn::StoreU(a0, d, at);
  if (kVectors > 1) hn::StoreU(a1, d, at + lanes);
  if (kVectors > 2) hn::StoreU(a2, d, at + 2 * lanes);
  if (kVectors > 2) hn::StoreU(a3, d, at + 3 * lanes);
}

void Unite(uint8_t* to, size_t registers, const uint8_t* counters, const Node* nodes, size_t count) {
  const hn::ScalableTag<uint8_t> d;
  const size_t lanes = hn::Lanes(d);
  if (registers < lanes) {
    const hn::CappedTag<uint8_t, 16> narrow;
    for (size_t begin = 0; begin < registers; begin += hn::Lanes(narrow)) {
      UnitePart<1>(narrow, to, begin, registers, counters, nodes, count);
    }
  } else if (registers == lanes) {
    UnitePart<1>(d, to, 0, registers, counters, nodes, count);
  } else if (registers == 2 * lanes) {
    UnitePart<2>(d, to, 0, registers, counters, nodes, count);
  } else {
    for (size_t begin = 0; begin < registers; begin += 4 * lanes) {
      UnitePart<4>(d, to, begin, registers, counters, nodes, count);
    }
  }
}

RegisterSum Sum(const uint8_t* counter, size_t registers) {
  const hn::CappedTag<uint32_t, 16> d;
  const hn::Rebind<uint8_t, decltype(d)> bytes;
  const size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, uint32_t{1} << 31), low_half = hn::Set(d, uint32_t{0xffff});
  // Sums of the low and of the high halves: 2^16 registers do not overflow them.
  auto low = hn::Zero(d), high = hn::Zero(d);
  size_t empty = 0;
  for (size_t i = 0; i < registers; i += lanes) {
    const auto value = hn::PromoteTo(d, hn::LoadU(bytes, counter + i));
    const auto power = hn::Shr(one, value);
    low = hn::Add(low, hn::And(power, low_half));
    high = hn::Add(high, hn::ShiftRight<16>(power));
    empty += hn::CountTrue(d, hn::Eq(value, hn::Zero(d)));
  }
  HWY_ALIGN uint32_t lows[16], highs[16];
  hn::Store(low, d, lows);
  hn::Store(high, d, highs);
  RegisterSum sum = {.empty = static_cast<uint32_t>(empty)};
  for (size_t i = 0; i < lanes; i++) sum.inverse_powers += lows[i] + (uint64_t{highs[i]} << 16);
  return sum;
}

}  // namespace crivello::graph::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crivello::graph {

HWY_EXPORT(Unite);
HWY_EXPORT(Sum);

void UniteByteCounters(uint8_t* to, size_t registers, const uint8_t* counters, std::span<const Node> nodes) {
  HWY_DYNAMIC_DISPATCH(Unite)(to, registers, counters, nodes.data(), nodes.size());
}

RegisterSum SumByteRegisters(const uint8_t* counter, size_t registers) {
  return HWY_DYNAMIC_DISPATCH(Sum)(counter, registers);
}

}  // namespace crivello::graph
#endif
