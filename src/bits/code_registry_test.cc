// SPDX-License-Identifier: Apache-2.0
#include "bits/code_registry.h"

#include <gtest/gtest.h>

#include "bits/codes.h"

namespace crivello::bits {
namespace {

TEST(CodeRegistryTest, FindsEveryExampleAndReadsBackWhatItWrites) {
  for (const CodeFamily& family : AllCodes()) {
    SCOPED_TRACE(family.name);
    auto code = FindCode(family.example);
    ASSERT_TRUE(code.ok()) << code.status().ToString();
    EXPECT_EQ((*code)->name(), family.example);
    const std::vector<uint64_t> numbers = {0, 6, 5, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6, 6, 6, 0, 1};
    BitWriter writer;
    ASSERT_TRUE((*code)->Encode(numbers, writer).ok());
    uint64_t bits = 0;
    for (uint64_t x : numbers) bits += (*code)->Length(x);
    EXPECT_EQ(writer.position(), bits);
    const Bytes bytes = writer.Finish();
    std::vector<uint64_t> read(numbers.size());
    BitReader reader(bytes, bits);
    EXPECT_TRUE((*code)->Decode(reader, read).ok());
    EXPECT_EQ(read, numbers);
    BitReader skipper(bytes, bits);
    EXPECT_TRUE((*code)->Skip(skipper, numbers.size()).ok());
    EXPECT_EQ(skipper.position(), bits);
    EXPECT_EQ((*code)->Skip(skipper, ~uint64_t{0}).code(), StatusCode::kCorruption);
  }
}

TEST(CodeRegistryTest, TakesParametersWithAndWithoutAColon) {
  EXPECT_EQ((*FindCode("zeta3"))->name(), "zeta3");
  EXPECT_EQ((*FindCode("zeta:3"))->name(), "zeta3");
  EXPECT_EQ((*FindCode("golomb:18446744073709551615"))->name(), "golomb18446744073709551615");
  EXPECT_EQ((*FindCode("minimal-binary:7"))->max(), 6u);
  EXPECT_EQ((*FindCode("minimal-binary1"))->max(), 0u);
  EXPECT_EQ((*FindCode("zeta5"))->Length(1000), ZetaCode(5).Length(1000));
}

TEST(CodeRegistryTest, RefusesOtherNames) {
  for (const char* name : {"",
                           "3",
                           ":",
                           ":3",
                           "alpha",
                           "gamma3",
                           "gamma:",
                           "gamma:3",
                           "zeta",
                           "zeta:",
                           "zeta0",
                           "zeta65",
                           "zeta-1",
                           "zeta 3",
                           "golomb0",
                           "golomb",
                           "minimal-binary0",
                           "minimal-binary",
                           "golomb18446744073709551616",
                           "Gamma",
                           "zeta3x"}) {
    EXPECT_EQ(FindCode(name).status().code(), StatusCode::kInvalidArgument) << name;
  }
}

TEST(CodeRegistryTest, KnowsWhichAreComplete) {
  for (const char* name : {"minimal-binary7", "unary", "gamma", "delta", "zeta3", "golomb3"}) {
    EXPECT_TRUE((*FindCode(name))->complete()) << name;
  }
  for (const char* name : {"nibble", "vbyte", "vbyte-prefix"}) {
    EXPECT_FALSE((*FindCode(name))->complete()) << name;
  }
}

TEST(CodeRegistryTest, TellsTheIntendedDistribution) {
  EXPECT_EQ((*FindCode("unary"))->Probability(4), 1.0 / 32);
  EXPECT_EQ((*FindCode("gamma"))->Probability(4), 1.0 / 32);
  EXPECT_EQ((*FindCode("golomb3"))->Probability(0), 1.0 / 4);
  EXPECT_EQ((*FindCode("unary"))->Probability(~uint64_t{0}), 0);
}

TEST(CodeRegistryTest, RefusesNumbersWithoutAReasonableWord) {
  BitWriter writer;
  const std::vector<uint64_t> huge = {1, uint64_t{1} << 40};
  EXPECT_EQ((*FindCode("unary"))->Encode(huge, writer).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ((*FindCode("golomb3"))->Encode(huge, writer).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ((*FindCode("minimal-binary2"))->Encode(huge, writer).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(writer.position(), 0u);
  EXPECT_TRUE((*FindCode("golomb:1099511627776"))->Encode(huge, writer).ok());
  const std::vector<uint64_t> longest = {kMaxWordBits - 1};
  EXPECT_TRUE((*FindCode("unary"))->Encode(longest, writer).ok());
}

}  // namespace
}  // namespace crivello::bits
