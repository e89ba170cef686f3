// SPDX-License-Identifier: Apache-2.0
#include "succinct/hyper_log_log_max.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "succinct/hyper_log_log_simd.cc"
#include <hwy/foreach_target.h>  // compiles this file once for each target
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace crivello::succinct::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr unsigned kMaxLanes = 8;

// The masks for each word of a period, repeated so that a vector may start at any phase.
template <unsigned kWidth>
struct Masks {
  static constexpr unsigned kPeriod = MaskPeriod(kWidth);
  static constexpr unsigned kCount = kPeriod + kMaxLanes;

  constexpr Masks() {
    for (unsigned i = 0; i < kCount; i++) {
      const unsigned first_bit = i % kPeriod * 64;
      // How many bits of a register that starts in the previous word are in this word, and in the previous.
      const unsigned rest = (kWidth - first_bit % kWidth) % kWidth;
      const unsigned begun = (first_bit + 64) % kWidth;
      low_piece[i] = (uint64_t{1} << rest) - 1;
      high_piece[i] = begun == 0 ? 0 : ~uint64_t{0} << (64 - begun);
      begun_before[i] = rest == 0 ? 0 : ~uint64_t{0} << (64 - (kWidth - rest));
      rest_after[i] = begun == 0 ? 0 : (uint64_t{1} << (kWidth - begun)) - 1;
      tops[i] = RegisterTops<kWidth>()[i % kPeriod] & ~low_piece[i];
    }
  }
  uint64_t tops[kCount] = {};          // of the registers completely in the word
  uint64_t low_piece[kCount] = {};     // the end of a register that starts in the previous word
  uint64_t begun_before[kCount] = {};  // its start, in that word
  uint64_t high_piece[kCount] = {};    // the start of a register that ends in the next word
  uint64_t rest_after[kCount] = {};    // its end, in that word
};

// All ones in the lanes where x's register, with high part x_high and low part x_low, is less than y's.
template <class V>
auto Less(V x_high, V x_low, V y_high, V y_low) {
  return hn::Or(hn::Lt(x_high, y_high), hn::And(hn::Eq(x_high, y_high), hn::Lt(x_low, y_low)));
}

// Processes words [begin, end), whose number is a multiple of the lanes; `before` is the old value of
// to[begin - 1].
template <unsigned kWidth, class D>
bool MaxOf(D d, uint64_t* to, const uint64_t* from, unsigned begin, unsigned end, uint64_t before) {
  static constexpr Masks<kWidth> kMasks;
  const unsigned lanes = static_cast<unsigned>(hn::Lanes(d));
  auto changes = hn::Zero(d);
  auto x_before = begin < end ? hn::LoadU(d, to + begin - 1) : hn::Zero(d);
  x_before = hn::InsertLane(x_before, 0, before);
  for (unsigned i = begin; i < end; i += lanes) {
    const unsigned phase = i % MaskPeriod(kWidth);
    const auto x = hn::LoadU(d, to + i), y = hn::LoadU(d, from + i);
    const auto y_before = hn::LoadU(d, from + i - 1);
    const auto x_after = hn::LoadU(d, to + i + 1), y_after = hn::LoadU(d, from + i + 1);
    const auto tops = hn::LoadU(d, kMasks.tops + phase);
    const auto low_piece = hn::LoadU(d, kMasks.low_piece + phase);
    const auto begun_before = hn::LoadU(d, kMasks.begun_before + phase);
    const auto high_piece = hn::LoadU(d, kMasks.high_piece + phase);
    const auto rest_after = hn::LoadU(d, kMasks.rest_after + phase);

    // Complete registers, as in MaxByBroadword.
    const auto whole = hn::AndNot(hn::Or(low_piece, high_piece), hn::Set(d, ~uint64_t{0}));
    const auto xw = hn::And(x, whole), yw = hn::And(y, whole);
    const auto difference = hn::Sub(hn::Or(xw, tops), hn::AndNot(tops, yw));
    const auto not_greater = hn::Xor(hn::Or(difference, hn::Xor(xw, yw)), hn::AndNot(xw, yw));
    const auto greater = hn::AndNot(not_greater, tops);
    auto mask = hn::Or(hn::Sub(greater, hn::ShiftRight<static_cast<int>(kWidth - 1)>(greater)), greater);

    const auto ends_less = Less(hn::And(x, low_piece), hn::And(x_before, begun_before), hn::And(y, low_piece),
                                hn::And(y_before, begun_before));
    const auto starts_less = Less(hn::And(x_after, rest_after), hn::And(x, high_piece),
                                  hn::And(y_after, rest_after), hn::And(y, high_piece));
    mask = hn::Or(mask, hn::IfThenElseZero(ends_less, low_piece));
    mask = hn::Or(mask, hn::IfThenElseZero(starts_less, high_piece));

    // A piece after the last register reads its rest from other counters, but is zero, so it never changes.
    const auto change = hn::And(hn::Xor(x, y), mask);
    changes = hn::Or(changes, change);
    if (i + lanes < end) x_before = hn::LoadU(d, to + i + lanes - 1);  // its value before the store
    hn::StoreU(hn::Xor(x, change), d, to + i);
  }
  return !hn::AllTrue(d, hn::Eq(changes, hn::Zero(d)));
}

template <unsigned kWidth>
bool MaxOfWidth(uint64_t* to, const uint64_t* from, unsigned words) {
  const hn::CappedTag<uint64_t, kMaxLanes> d;
  const unsigned whole = words / static_cast<unsigned>(hn::Lanes(d)) * static_cast<unsigned>(hn::Lanes(d));
  const uint64_t first = to[-1];
  const uint64_t last = whole > 0 ? to[whole - 1] : first;  // its value before it changes
  const bool changed = MaxOf<kWidth>(d, to, from, 0, whole, first);
  return MaxOf<kWidth>(hn::CappedTag<uint64_t, 1>(), to, from, whole, words, last) || changed;
}

bool Max(uint64_t* to, const uint64_t* from, unsigned words, unsigned width) {
  return width == 5 ? MaxOfWidth<5>(to, from, words) : MaxOfWidth<6>(to, from, words);
}

}  // namespace crivello::succinct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crivello::succinct {

HWY_EXPORT(Max);

bool MaxBySimd(uint64_t* to, const uint64_t* from, unsigned words, unsigned width) {
  return HWY_DYNAMIC_DISPATCH(Max)(to, from, words, width);
}

}  // namespace crivello::succinct
#endif
