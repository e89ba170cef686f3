// SPDX-License-Identifier: Apache-2.0
#include "fetch/address_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace crivello::fetch {
namespace {

// Addresses that are not public: the IANA special-purpose registries of IPv4 and IPv6 (RFC 6890 and its
// updates) as of 2026, without globally reachable blocks that may contain servers, and the multicast ranges.
struct Row4 {
  uint32_t address;
  unsigned bits;
  std::string_view why;
};

constexpr uint32_t V4(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return a << 24 | b << 16 | c << 8 | d;
}

constexpr Row4 kRefused4[] = {
    {V4(0, 0, 0, 0), 8, "this network (RFC 791)"},
    {V4(10, 0, 0, 0), 8, "private (RFC 1918)"},
    {V4(100, 64, 0, 0), 10, "shared by carriers (RFC 6598)"},
    {V4(127, 0, 0, 0), 8, "loopback (RFC 1122)"},
    {V4(169, 254, 0, 0), 16, "link-local (RFC 3927)"},
    {V4(172, 16, 0, 0), 12, "private (RFC 1918)"},
    {V4(192, 0, 0, 0), 24, "IETF protocols (RFC 6890)"},
    {V4(192, 0, 2, 0), 24, "documentation (RFC 5737)"},
    {V4(192, 31, 196, 0), 24, "AS112 (RFC 7535)"},
    {V4(192, 52, 193, 0), 24, "AMT (RFC 7450)"},
    {V4(192, 88, 99, 0), 24, "6to4 relays (RFC 7526)"},
    {V4(192, 168, 0, 0), 16, "private (RFC 1918)"},
    {V4(192, 175, 48, 0), 24, "AS112 (RFC 7534)"},
    {V4(198, 18, 0, 0), 15, "benchmarking (RFC 2544)"},
    {V4(198, 51, 100, 0), 24, "documentation (RFC 5737)"},
    {V4(203, 0, 113, 0), 24, "documentation (RFC 5737)"},
    {V4(224, 0, 0, 0), 4, "multicast (RFC 5771)"},
    {V4(240, 0, 0, 0), 4, "reserved or broadcast (RFC 1112, RFC 8190)"},
};

// The first 64 bits determine all rows, except those below ::/64.
struct Row6 {
  uint64_t high;
  unsigned bits;
  std::string_view why;
};

constexpr uint64_t V6(uint64_t a, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0) {
  return a << 48 | b << 32 | c << 16 | d;
}

constexpr Row6 kRefused6[] = {
    {V6(0x0064, 0xff9b, 0x0001), 48, "local NAT64 (RFC 8215)"},
    {V6(0x0100), 64, "discard (RFC 6666)"},
    {V6(0x0100, 0, 0, 1), 64, "dummy (RFC 9780)"},
    {V6(0x2001, 0x0000), 23, "IETF protocols (RFC 2928), Teredo, ORCHID, benchmarking"},
    {V6(0x2001, 0x0db8), 32, "documentation (RFC 3849)"},
    {V6(0x2620, 0x004f, 0x8000), 48, "AS112 (RFC 7534)"},
    {V6(0x3fff), 20, "documentation (RFC 9637)"},
    {V6(0x5f00), 16, "segment routing (RFC 9602)"},
    {V6(0xfc00), 7, "unique local (RFC 4193)"},
    {V6(0xfe80), 10, "link-local (RFC 4291)"},
    {V6(0xfec0), 10, "site-local (RFC 3879)"},
    {V6(0xff00), 8, "multicast (RFC 4291)"},
};

std::string_view WhyRefused4(uint32_t address) {
  for (const Row4& row : kRefused4) {
    if ((address ^ row.address) >> (32 - row.bits) == 0) return row.why;
  }
  return "";
}

std::string_view WhyRefused6(const std::array<uint8_t, 16>& bytes) {
  uint64_t high = 0, low = 0;
  for (size_t i = 0; i < 8; i++) {
    high = high << 8 | bytes[i];
    low = low << 8 | bytes[8 + i];
  }
  const auto low4 = static_cast<uint32_t>(low);

  // Contains IPv4: the inner address decides, if it can be reached that way at all.
  if (high == 0) {
    if (low == 0) return "unspecified (RFC 4291)";
    if (low == 1) return "loopback (RFC 4291)";
    if (low >> 32 == 0xffff) return WhyRefused4(low4);  // mapped: the kernel connects by IPv4
    if (low >> 32 == 0xffff0000) return "translated IPv4 (RFC 2765)";
    return "compatible with IPv4, or reserved (RFC 4291)";
  }
  if (high == V6(0x0064, 0xff9b) && low >> 32 == 0) return WhyRefused4(low4);       // NAT64 (RFC 6052)
  if (high >> 48 == 0x2002) return WhyRefused4(static_cast<uint32_t>(high >> 16));  // 6to4 (RFC 3056)
  if (high >> 32 == 0x20010000) return "Teredo (RFC 4380)";
  // ISATAP (RFC 5214): an interface id of 0000:5efe or 0200:5efe, then IPv4.
  if ((low >> 32 & ~uint64_t{0x02000000}) == 0x00005efe) {
    const std::string_view inner = WhyRefused4(low4);
    if (!inner.empty()) return inner;
  }

  for (const Row6& row : kRefused6) {
    if ((high ^ row.high) >> (64 - row.bits) == 0) return row.why;
  }
  // Of the rest only 2000::/3 is assigned (RFC 4291, section 2.4), and NAT64's prefix, which passed above.
  if (high >> 61 != 1) return "not global unicast (RFC 4291)";
  return "";
}

}  // namespace

AddressGuard AddressGuard::AllowingAll() {
  AddressGuard guard;
  guard.all_ = true;
  return guard;
}

std::string_view AddressGuard::WhyRefused(const IpAddress& address) const {
  if (all_) return "";
  const std::string_view why = address.is_ipv4() ? WhyRefused4(address.ipv4()) : WhyRefused6(address.bytes());
  if (why.empty()) return why;
  const bool excepted = std::any_of(exceptions_.begin(), exceptions_.end(),
                                    [&](const IpPrefix& prefix) { return prefix.Contains(address); });
  return excepted ? "" : why;
}

std::string AddressGuard::Explain(const IpAddress& address, std::string_view why) {
  return fmt::format("{} is {}; to fetch from such addresses, give --allow-private", address.ToString(), why);
}

}  // namespace crivello::fetch
