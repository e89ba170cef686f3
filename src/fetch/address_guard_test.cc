// SPDX-License-Identifier: Apache-2.0
#include "fetch/address_guard.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/random.h"

namespace crivello::fetch {
namespace {

IpAddress Ip(const char* text) {
  const auto address = IpAddress::Parse(text);
  EXPECT_TRUE(address) << text;
  return address.value_or(IpAddress());
}

TEST(IpAddressTest, ReadsAndWritesBothFamilies) {
  for (const char* text :
       {"0.0.0.0", "192.0.2.1", "255.255.255.255", "::", "::1", "2001:db8::1", "fe80::1:0:0:1"}) {
    EXPECT_EQ(Ip(text).ToString(), text);
  }
  EXPECT_EQ(Ip("[2001:db8::1]"), Ip("2001:db8:0:0:0:0:0:1"));
  EXPECT_NE(Ip("::"), Ip("0.0.0.0"));
  for (const char* text : {"", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.04", "1.2.3.4 ", "name", "[1.2",
                           "1..2.3", "-1.2.3.4", ":::", "1:2:3:4:5:6:7:8:9", "fe80::1%eth0"}) {
    EXPECT_FALSE(IpAddress::Parse(text)) << text;
  }
}

TEST(IpAddressTest, AgreesWithTheSystem) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  SeededRandom random(seed);
  for (int i = 0; i < 1000; i++) {
    std::array<uint8_t, 16> bytes;
    for (uint8_t& byte : bytes) byte = random.Below(2) == 0 ? 0 : static_cast<uint8_t>(random.Next());
    const IpAddress address = IpAddress::FromIpv6(bytes);
    in6_addr system{};
    ASSERT_EQ(::inet_pton(AF_INET6, address.ToString().c_str(), &system), 1) << address.ToString();
    EXPECT_EQ(std::memcmp(&system, bytes.data(), 16), 0);
    EXPECT_EQ(IpAddress::Parse(address.ToString()), address);
    const IpAddress ipv4 = IpAddress::FromIpv4(static_cast<uint32_t>(random.Next()));
    in_addr system4{};
    ASSERT_EQ(::inet_pton(AF_INET, ipv4.ToString().c_str(), &system4), 1);
    EXPECT_EQ(ntohl(system4.s_addr), ipv4.ipv4());
  }
}

TEST(IpPrefixTest, ContainsWhatStartsWithItsBits) {
  const auto prefix = IpPrefix::Parse("10.128.0.0/9");
  ASSERT_TRUE(prefix);
  EXPECT_TRUE(prefix->Contains(Ip("10.128.0.0")));
  EXPECT_TRUE(prefix->Contains(Ip("10.255.255.255")));
  EXPECT_FALSE(prefix->Contains(Ip("10.127.255.255")));
  EXPECT_FALSE(prefix->Contains(Ip("::")));
  EXPECT_TRUE(IpPrefix::Parse("::/0")->Contains(Ip("2001:db8::1")));
  EXPECT_TRUE(IpPrefix::Parse("127.0.0.1")->Contains(Ip("127.0.0.1")));
  EXPECT_FALSE(IpPrefix::Parse("127.0.0.1")->Contains(Ip("127.0.0.2")));
  for (const char* text : {"10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "x/8", "10.0.0.0/8 ", "::/129"}) {
    EXPECT_FALSE(IpPrefix::Parse(text)) << text;
  }
}

TEST(AddressGuardTest, RefusesWhatIsNotPublic) {
  const AddressGuard guard;
  for (const char* text : {
           "0.0.0.0",
           "0.255.255.255",
           "10.0.0.0",
           "10.255.255.255",
           "100.64.0.0",
           "100.127.255.255",
           "127.0.0.1",
           "127.255.255.255",
           "169.254.0.0",
           "169.254.169.254",
           "172.16.0.0",
           "172.31.255.255",
           "192.0.0.1",
           "192.0.2.7",
           "192.88.99.1",
           "192.168.0.1",
           "192.168.255.255",
           "198.18.0.1",
           "198.19.255.255",
           "198.51.100.1",
           "203.0.113.1",
           "224.0.0.1",
           "239.255.255.255",
           "240.0.0.1",
           "255.255.255.255",
           // native IPv6
           "::",
           "::1",
           "100::1",
           "2001:db8::1",
           "2001:2::1",
           "2001:20::1",
           "3fff::1",
           "5f00::1",
           "fc00::1",
           "fd12:3456::1",
           "fe80::1",
           "febf::1",
           "fec0::1",
           "ff02::1",
           "4000::1",
           "8000::1",
           "64:ff9b:1::1",
           "2620:4f:8000::1",
           // with IPv4 inside
           "::ffff:10.0.0.1",
           "::ffff:127.0.0.1",
           "::127.0.0.1",
           "::8.8.8.8",
           "::ffff:0:127.0.0.1",
           "64:ff9b::10.0.0.1",
           "64:ff9b::169.254.169.254",
           "2002:7f00:1::",
           "2002:a00:1::1",
           "2002:c0a8:101::",
           "2001::1",
           "2001:0:4136:e378:8000:63bf:3fff:fdd2",
           "2a00::5efe:10.0.0.1",
           "2a00::200:5efe:192.168.1.1",
       }) {
    EXPECT_FALSE(guard.Allows(Ip(text))) << text;
  }
}

TEST(AddressGuardTest, AllowsWhatIsPublic) {
  const AddressGuard guard;
  for (const char* text : {"1.1.1.1",         "8.8.8.8",           "9.255.255.255",        "11.0.0.0",
                           "100.63.255.255",  "100.128.0.0",       "126.255.255.255",      "128.0.0.0",
                           "159.149.1.1",     "169.253.255.255",   "169.255.0.0",          "172.15.255.255",
                           "172.32.0.0",      "192.167.255.255",   "192.169.0.0",          "198.17.255.255",
                           "198.20.0.0",      "223.255.255.255",   "2001:4860:4860::8888", "2001:200::1",
                           "2606:4700::1111", "2a00:1450:4002::1", "::ffff:8.8.8.8",       "64:ff9b::8.8.8.8",
                           "2002:808:808::1", "2a00::5efe:8.8.8.8"}) {
    EXPECT_EQ(guard.WhyRefused(Ip(text)), "") << text;
  }
}

TEST(AddressGuardTest, MakesExceptions) {
  const AddressGuard guard({*IpPrefix::Parse("127.0.0.0/8"), *IpPrefix::Parse("fd00::/16")});
  EXPECT_TRUE(guard.Allows(Ip("127.3.2.1")));
  EXPECT_TRUE(guard.Allows(Ip("fd00::1")));
  EXPECT_FALSE(guard.Allows(Ip("fd01::1")));
  EXPECT_FALSE(guard.Allows(Ip("10.0.0.1")));
  EXPECT_FALSE(guard.Allows(Ip("::ffff:127.0.0.1")));
  EXPECT_TRUE(AddressGuard::AllowingAll().Allows(Ip("0.0.0.0")));
  EXPECT_EQ(AddressGuard().WhyRefused(Ip("10.1.2.3")), "private (RFC 1918)");
}

}  // namespace
}  // namespace crivello::fetch
