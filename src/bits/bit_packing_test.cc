// SPDX-License-Identifier: Apache-2.0
#include "bits/bit_packing.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <memory>
#include <numeric>

#include "base/random.h"

namespace crivello::bits {
namespace {

using Block = std::array<uint32_t, kPackedBlock>;

// The layout in one sentence: bit t of integer i is bit t of its lane's stream, and the streams are
// interleaved word by word.
std::vector<uint8_t> ObviousPack(const Block& values, size_t bits) {
  std::vector<uint8_t> bytes(PackedBytes(bits));
  for (size_t i = 0; i < kPackedBlock; i++) {
    for (size_t t = 0; t < bits; t++) {
      const size_t in_lane = i / 4 * bits + t;
      const size_t in_block = in_lane / 32 * 128 + i % 4 * 32 + in_lane % 32;
      bytes[in_block / 8] = static_cast<uint8_t>(bytes[in_block / 8] | (values[i] >> t & 1) << in_block % 8);
    }
  }
  return bytes;
}

void ExpectObeysTheLayout(const BitPackingKernels& kernels) {
  SeededRandom random(1);
  for (size_t bits = 0; bits <= kMaxPackedBits; bits++) {
    SCOPED_TRACE(bits);
    Block values;
    for (uint32_t& value : values) value = static_cast<uint32_t>(random.Next());
    const std::vector<uint8_t> expected = ObviousPack(values, bits);
    // Heap blocks of the exact size, so that a sanitizer detects an access outside.
    const auto packed = std::make_unique<uint8_t[]>(PackedBytes(bits));
    kernels.pack[bits](values.data(), packed.get());
    EXPECT_EQ(std::vector<uint8_t>(packed.get(), packed.get() + PackedBytes(bits)), expected);

    for (uint32_t& value : values) value &= static_cast<uint32_t>((uint64_t{1} << bits) - 1);
    Block got;
    got.fill(~0u);
    kernels.unpack[bits](packed.get(), got.data());
    EXPECT_EQ(got, values);

    const auto base = static_cast<uint32_t>(random.Next());
    Block sums;
    uint32_t sum = base;
    for (size_t i = 0; i < kPackedBlock; i++) sums[i] = sum += values[i];
    got.fill(~0u);
    kernels.unpack_deltas[bits](packed.get(), base, got.data());
    EXPECT_EQ(got, sums);
    kernels.prefix_sum(base, values.data());
    EXPECT_EQ(values, sums);
  }
}

TEST(BitPackingTest, ScalarKernelsObeyTheLayout) { ExpectObeysTheLayout(ScalarBitPacking()); }

TEST(BitPackingTest, VectorKernelsObeyTheLayoutOnEveryInstructionSet) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    ExpectObeysTheLayout(VectorBitPacking());
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

TEST(BitPackingTest, WritesTheBytesOfTheFormatPage) {
  Block values;
  std::iota(values.begin(), values.end(), 0u);
  std::vector<uint8_t> packed(PackedBytes(7));
  VectorBitPacking().pack[7](values.data(), packed.data());
  // Lane 0 begins with 0, 4, 8, 12 and the low four bits of 16: 0x0182'0200 as a word.
  const std::vector<uint8_t> lane_0 = {packed.begin(), packed.begin() + 4};
  EXPECT_EQ(lane_0, (std::vector<uint8_t>{0x00, 0x02, 0x82, 0x01}));
  // Lane 1 begins with 1, 5, 9, 13 and the low four bits of 17.
  const std::vector<uint8_t> lane_1 = {packed.begin() + 4, packed.begin() + 8};
  EXPECT_EQ(lane_1, (std::vector<uint8_t>{0x81, 0x42, 0xa2, 0x11}));
}

}  // namespace
}  // namespace crivello::bits
