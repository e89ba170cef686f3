// SPDX-License-Identifier: Apache-2.0
#include "bits/bit_packing.h"

#include <cstring>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bits/bit_packing.cc"
#include <hwy/foreach_target.h>
// Must follow foreach_target.h, which includes this file again for each instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace crivello::bits::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Four lanes on every machine, like the layout; 128-bit code already unpacks faster than memory can keep
// up.
using Words = hn::FixedTag<uint32_t, 4>;
using Octets = hn::Repartition<uint8_t, Words>;
using Vector = hn::Vec<Words>;

HWY_INLINE Vector LoadWord(const uint8_t* in, size_t word) {
  return hn::BitCast(Words(), hn::LoadU(Octets(), in + 16 * word));
}

HWY_INLINE void StoreWord(Vector value, uint8_t* out, size_t word) {
  hn::StoreU(hn::BitCast(Octets(), value), Octets(), out + 16 * word);
}

template <size_t kBits>
HWY_INLINE Vector LowBits(Vector value) {
  if constexpr (kBits == 32) {
    return value;
  } else {
    return hn::And(value, hn::Set(Words(), (uint32_t{1} << kBits) - 1));
  }
}

// `word` is the word being filled. REQUIRES: rows are packed in order.
template <size_t kBits, size_t kRow>
HWY_INLINE void PackRow(const uint32_t* HWY_RESTRICT in, uint8_t* HWY_RESTRICT out, Vector& word) {
  constexpr size_t kAt = kRow * kBits / 32;
  constexpr int kShift = kRow * kBits % 32;
  const Vector value = LowBits<kBits>(hn::LoadU(Words(), in + 4 * kRow));
  word = kShift == 0 ? value : hn::Or(word, hn::ShiftLeft<kShift>(value));
  if constexpr (kShift + kBits >= 32) StoreWord(word, out, kAt);
  if constexpr (kShift + kBits > 32) word = hn::ShiftRight<32 - kShift>(value);
}

template <size_t kBits, size_t kRow>
HWY_INLINE Vector UnpackRow(const uint8_t* HWY_RESTRICT in) {
  if constexpr (kBits == 0) {
    return hn::Zero(Words());
  } else {
    constexpr size_t kAt = kRow * kBits / 32;
    constexpr int kShift = kRow * kBits % 32;
    const Vector low = hn::ShiftRight<kShift>(LoadWord(in, kAt));
    if constexpr (kShift + kBits < 32) {
      return LowBits<kBits>(low);
    } else if constexpr (kShift + kBits == 32) {
      return low;
    } else {
      return LowBits<kBits>(hn::Or(low, hn::ShiftLeft<32 - kShift>(LoadWord(in, kAt + 1))));
    }
  }
}

// The four running sums of a row of gaps. `base` is the sum so far, in all lanes, so the next row waits only
// for one addition instead of a whole scan.
HWY_INLINE Vector SumRow(Vector gaps, Vector& base) {
  Vector sums = hn::Add(gaps, hn::ShiftLeftLanes<1>(Words(), gaps));
  sums = hn::Add(sums, hn::ShiftLeftLanes<2>(Words(), sums));
  const Vector row = hn::Add(sums, base);
  base = hn::Add(base, hn::Broadcast<3>(sums));
  return row;
}

template <size_t kBits, size_t... kRows>
HWY_INLINE void PackRows(const uint32_t* HWY_RESTRICT in, uint8_t* HWY_RESTRICT out,
                         std::index_sequence<kRows...>) {
  Vector word = hn::Zero(Words());
  (PackRow<kBits, kRows>(in, out, word), ...);
}

template <size_t kBits, size_t... kRows>
HWY_INLINE void UnpackRows(const uint8_t* HWY_RESTRICT in, uint32_t* HWY_RESTRICT out,
                           std::index_sequence<kRows...>) {
  (hn::StoreU(UnpackRow<kBits, kRows>(in), Words(), out + 4 * kRows), ...);
}

template <size_t kBits, size_t... kRows>
HWY_INLINE void UnpackDeltaRows(const uint8_t* HWY_RESTRICT in, Vector base, uint32_t* HWY_RESTRICT out,
                                std::index_sequence<kRows...>) {
  (hn::StoreU(SumRow(UnpackRow<kBits, kRows>(in), base), Words(), out + 4 * kRows), ...);
}

using Rows = std::make_index_sequence<kPackedBlock / 4>;

template <size_t kBits>
void Pack(const uint32_t* in, uint8_t* out) {
  if constexpr (kBits > 0) PackRows<kBits>(in, out, Rows());
}

template <size_t kBits>
void Unpack(const uint8_t* in, uint32_t* out) {
  UnpackRows<kBits>(in, out, Rows());
}

template <size_t kBits>
void UnpackDeltas(const uint8_t* in, uint32_t base, uint32_t* out) {
  UnpackDeltaRows<kBits>(in, hn::Set(Words(), base), out, Rows());
}

void PrefixSum(uint32_t base, uint32_t* values) {
  Vector sum = hn::Set(Words(), base);
  for (size_t i = 0; i < kPackedBlock; i += 4) {
    hn::StoreU(SumRow(hn::LoadU(Words(), values + i), sum), Words(), values + i);
  }
}

template <size_t... kBits>
constexpr BitPackingKernels MakeKernels(std::index_sequence<kBits...>) {
  return {{&Pack<kBits>...}, {&Unpack<kBits>...}, {&UnpackDeltas<kBits>...}, &PrefixSum};
}

constexpr BitPackingKernels kKernels = MakeKernels(std::make_index_sequence<kMaxPackedBits + 1>());

const BitPackingKernels* Kernels() { return &kKernels; }

}  // namespace
}  // namespace crivello::bits::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crivello::bits {
namespace {

HWY_EXPORT(Kernels);

uint32_t LoadWord(const uint8_t* in, size_t index) {
  uint32_t word;
  std::memcpy(&word, in + 4 * index, 4);
  return word;
}

constexpr uint32_t LowMask(size_t bits) { return static_cast<uint32_t>((uint64_t{1} << bits) - 1); }

template <size_t kBits>
void ScalarPack(const uint32_t* in, uint8_t* out) {
  std::memset(out, 0, PackedBytes(kBits));
  for (size_t i = 0; i < kPackedBlock; i++) {
    const size_t bit = i / 4 * kBits;
    const size_t index = bit / 32 * 4 + i % 4;
    const uint64_t value = uint64_t{in[i] & LowMask(kBits)} << bit % 32;
    for (size_t half = 0; half < 2; half++) {
      // Without bits there is no second word; at the end of the block it does not exist.
      if (const auto part = static_cast<uint32_t>(value >> 32 * half); part != 0) {
        const uint32_t word = LoadWord(out, index + 4 * half) | part;
        std::memcpy(out + 4 * (index + 4 * half), &word, 4);
      }
    }
  }
}

template <size_t kBits>
void ScalarUnpack(const uint8_t* in, uint32_t* out) {
  for (size_t i = 0; i < kPackedBlock; i++) {
    const size_t bit = i / 4 * kBits;
    const size_t index = bit / 32 * 4 + i % 4;
    uint64_t value = kBits == 0 ? 0 : LoadWord(in, index);
    if (bit % 32 + kBits > 32) value |= uint64_t{LoadWord(in, index + 4)} << 32;
    out[i] = static_cast<uint32_t>(value >> bit % 32) & LowMask(kBits);
  }
}

void ScalarPrefixSum(uint32_t base, uint32_t* values) {
  for (size_t i = 0; i < kPackedBlock; i++) values[i] = base += values[i];
}

template <size_t kBits>
void ScalarUnpackDeltas(const uint8_t* in, uint32_t base, uint32_t* out) {
  ScalarUnpack<kBits>(in, out);
  ScalarPrefixSum(base, out);
}

template <size_t... kBits>
constexpr BitPackingKernels MakeScalarKernels(std::index_sequence<kBits...>) {
  return {
      {&ScalarPack<kBits>...}, {&ScalarUnpack<kBits>...}, {&ScalarUnpackDeltas<kBits>...}, &ScalarPrefixSum};
}

constexpr BitPackingKernels kScalarKernels =
    MakeScalarKernels(std::make_index_sequence<kMaxPackedBits + 1>());

}  // namespace

const BitPackingKernels& VectorBitPacking() { return *HWY_DYNAMIC_DISPATCH(Kernels)(); }
const BitPackingKernels& ScalarBitPacking() { return kScalarKernels; }

}  // namespace crivello::bits
#endif  // HWY_ONCE
