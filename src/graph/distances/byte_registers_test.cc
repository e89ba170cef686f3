// SPDX-License-Identifier: Apache-2.0
#include "graph/distances/byte_registers.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace crivello::graph {
namespace {

// Calls check() with each instruction set that this processor has.
template <typename Check>
void WithEachTarget(const Check& check) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    SCOPED_TRACE(hwy::TargetName(target));
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(ByteRegistersTest, UnitesAndSumsAsOneByOneWithEachInstructionSet) {
  WithEachTarget([] {
    SeededRandom random(1);
    for (size_t registers = 16; registers <= 4096; registers *= 2) {
      constexpr size_t kNodes = 9;
      std::vector<uint8_t> counters(kNodes * registers);
      for (uint8_t& value : counters) {
        value = static_cast<uint8_t>(random.Below(3) == 0 ? 0 : random.Below(32));
      }
      for (int i = 0; i < 10; i++) {
        std::vector<uint8_t> to(registers);
        for (uint8_t& value : to) value = static_cast<uint8_t>(random.Below(32));
        std::vector<Node> nodes(random.Below(12));
        for (Node& node : nodes) node = static_cast<Node>(random.Below(kNodes));
        std::vector<uint8_t> expected = to;
        RegisterSum sum;
        for (size_t j = 0; j < registers; j++) {
          for (const Node node : nodes) expected[j] = std::max(expected[j], counters[node * registers + j]);
          sum.inverse_powers += (uint64_t{1} << 31) >> expected[j];
          sum.empty += expected[j] == 0;
        }
        UniteByteCounters(to.data(), registers, counters.data(), nodes);
        ASSERT_EQ(to, expected);
        const RegisterSum found = SumByteRegisters(to.data(), registers);
        ASSERT_EQ(found.inverse_powers, sum.inverse_powers);
        ASSERT_EQ(found.empty, sum.empty);
      }
    }
  });
}

TEST(ByteRegistersTest, SumsAsManyRegistersAsThereMayBe) {
  const std::vector<uint8_t> empty(65536, 0), ones(65536, 1);
  EXPECT_EQ(SumByteRegisters(empty.data(), empty.size()).inverse_powers, uint64_t{1} << 47);
  EXPECT_EQ(SumByteRegisters(empty.data(), empty.size()).empty, 65536u);
  EXPECT_EQ(SumByteRegisters(ones.data(), ones.size()).inverse_powers, uint64_t{1} << 46);
}

}  // namespace
}  // namespace crivello::graph
