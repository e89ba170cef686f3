// SPDX-License-Identifier: Apache-2.0
#include "web/url/ip_address.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace crivello::web {
namespace {

std::string Ipv4Text(uint32_t address) {
  std::string text;
  AppendIpv4(address, &text);
  return text;
}

std::string Ipv6Text(const Ipv6& address) {
  std::string text;
  AppendIpv6(address, &text);
  return text;
}

TEST(IpAddressTest, ReadsEveryFormOfIpv4) {
  for (const std::string_view text : {"127.0.0.1", "127.1", "0x7f000001", "017700000001", "2130706433",
                                      "0x7f.0.0.0x1", "127.0.1.", "0x7F.0x.1"}) {
    const auto address = ParseIpv4(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(*address == 0x7f000001 || text == "127.0.1.", true) << text;
  }
  EXPECT_EQ(ParseIpv4("4294967295"), 0xffffffffu);
  for (const std::string_view text : {"", ".", "1..2", "256.1.1.1", "1.2.3.256", "1.2.65536", "4294967296",
                                      "08", "1.2.3.4.5", "0xg", "99999999999999999999999999", "1.2.3.4.."}) {
    EXPECT_FALSE(ParseIpv4(text)) << text;
  }
}

TEST(IpAddressTest, TellsNumbersFromNames) {
  for (const std::string_view text : {"1", "a.1", "a.0x", "a.0xff.", "a.09", "1.2.3.4.5"}) {
    EXPECT_TRUE(EndsInNumber(text)) << text;
  }
  for (const std::string_view text : {"", ".", "a", "1.a", "a..", "a.0xg", "1a", "a.1.."}) {
    EXPECT_FALSE(EndsInNumber(text)) << text;
  }
}

TEST(IpAddressTest, WritesTheFirstLongestRunOfZerosShort) {
  EXPECT_EQ(Ipv6Text({0, 0, 0, 0, 0, 0, 0, 0}), "::");
  EXPECT_EQ(Ipv6Text({0, 0, 0, 0, 0, 0, 0, 1}), "::1");
  EXPECT_EQ(Ipv6Text({1, 0, 0, 0, 0, 0, 0, 0}), "1::");
  EXPECT_EQ(Ipv6Text({1, 0, 0, 2, 0, 0, 3, 4}), "1::2:0:0:3:4");
  EXPECT_EQ(Ipv6Text({1, 0, 2, 0, 3, 0, 4, 0}), "1:0:2:0:3:0:4:0");
  EXPECT_EQ(Ipv6Text({0, 1, 2, 3, 4, 5, 6, 0xffff}), "0:1:2:3:4:5:6:ffff");
}

TEST(IpAddressTest, ReadsIpv6) {
  EXPECT_EQ(ParseIpv6("::"), (Ipv6{}));
  EXPECT_EQ(ParseIpv6("1::8"), (Ipv6{1, 0, 0, 0, 0, 0, 0, 8}));
  EXPECT_EQ(ParseIpv6("::1.2.3.4"), (Ipv6{0, 0, 0, 0, 0, 0, 0x0102, 0x0304}));
  EXPECT_EQ(ParseIpv6("1:2:3:4:5:6:1.2.3.4"), (Ipv6{1, 2, 3, 4, 5, 6, 0x0102, 0x0304}));
  EXPECT_EQ(ParseIpv6("1:2:3:4:5:6:7::"), (Ipv6{1, 2, 3, 4, 5, 6, 7, 0}));
  for (const std::string_view text :
       {"", ":", "1", "1:", ":1", ":::", "1::2::3", "1:2:3:4:5:6:7:8:9", "12345::", "g::", "::1.2.3",
        "::1.2.3.4.5", "::01.2.3.4", "::256.1.1.1", "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3.4:5", "::1%eth0",
        "1:2:3:4:5:6:7:8:"}) {
    EXPECT_FALSE(ParseIpv6(text)) << text;
  }
}

TEST(IpAddressTest, ReadsWhatItWrites) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (int i = 0; i < 2000; i++) {
    const auto ipv4 = static_cast<uint32_t>(random.Next());
    ASSERT_EQ(ParseIpv4(Ipv4Text(ipv4)), ipv4);
    Ipv6 ipv6;
    for (uint16_t& group : ipv6)
      group = random.Below(2) == 0 ? uint16_t{0} : static_cast<uint16_t>(random.Next());
    ASSERT_EQ(ParseIpv6(Ipv6Text(ipv6)), ipv6) << Ipv6Text(ipv6);
  }
}

}  // namespace
}  // namespace crivello::web
