// SPDX-License-Identifier: Apache-2.0
#include "base/units/quantity.h"

#include <gtest/gtest.h>

#include <chrono>

namespace crivello {
namespace {

using namespace std::chrono_literals;

TEST(QuantityTest, ReadSizes) {
  EXPECT_EQ(*ParseSize("0"), 0u);
  EXPECT_EQ(*ParseSize("4096"), 4096u);
  EXPECT_EQ(*ParseSize("12B"), 12u);
  for (const auto* text : {"512M", "512m", "512MB", "512MiB", "0.5G", "512.0mib"}) {
    EXPECT_EQ(*ParseSize(text), 512u << 20) << text;
  }
  EXPECT_EQ(*ParseSize("1.5k"), 1536u);
  EXPECT_EQ(*ParseSize("2T"), uint64_t{2} << 40);
  EXPECT_EQ(*ParseSize("18446744073709551615"), UINT64_MAX);
  for (const auto* text : {"", "M", "-1", "+1", "1.5", "1..5G", "1.G", "5ib", "5 M", " 5", "5X", "5MM", "ib",
                           "b", "18446744073709551616", "16777216T", "nan", "1e3", "0x10"}) {
    EXPECT_EQ(ParseSize(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

TEST(QuantityTest, ReadTimeSpans) {
  EXPECT_EQ(*ParseDuration("0.05"), 50ms);
  EXPECT_EQ(*ParseDuration("50ms"), 50ms);
  EXPECT_EQ(*ParseDuration("30"), 30s);
  EXPECT_EQ(*ParseDuration("1.5h"), 90min);
  EXPECT_EQ(*ParseDuration("2m"), 2min);
  EXPECT_EQ(*ParseDuration("1d"), 24h);
  EXPECT_EQ(*ParseDuration("7us"), 7us);
  EXPECT_EQ(*ParseDuration("0.0000000019"), 1ns);
  EXPECT_EQ(*ParseDuration("0"), 0s);
  for (const auto* text : {"", "s", "-1", "1.5ns", "5S", "1 h", "400000d", "99999999999999999999", "inf"}) {
    EXPECT_EQ(ParseDuration(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

TEST(QuantityTest, ReadCounts) {
  EXPECT_EQ(*ParseCount("5000"), 5000u);
  EXPECT_EQ(*ParseCount("200M"), 200000000u);
  EXPECT_EQ(*ParseCount("1.5k"), 1500u);
  for (const auto* text : {"", "1.5", "5T", "-5", "5MB"}) {
    EXPECT_EQ(ParseCount(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

TEST(QuantityTest, ReadProbabilities) {
  EXPECT_EQ(*ParseProbability("2^-20"), 0x1p-20);
  EXPECT_EQ(*ParseProbability("0.25"), 0.25);
  EXPECT_EQ(*ParseProbability("1e-6"), 1e-6);
  for (const auto* text : {"", "0", "1", "-0.5", "2^0", "2^", "2^-20x", "nan", "50%"}) {
    EXPECT_EQ(ParseProbability(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

TEST(QuantityTest, ShowSizes) {
  EXPECT_EQ(FormatSize(0), "0 B");
  EXPECT_EQ(FormatSize(1023), "1023 B");
  EXPECT_EQ(FormatSize(1536), "1.50 KiB");
  EXPECT_EQ(FormatSize(256u << 20), "256 MiB");
  EXPECT_EQ(FormatSize(UINT64_MAX), "16.0 EiB");
}

}  // namespace
}  // namespace crivello
