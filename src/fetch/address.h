// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

struct sockaddr;

namespace crivello::fetch {

// An IPv4 or IPv6 address, without a port or a zone.  A value of 17 bytes.
class IpAddress {
 public:
  // 0.0.0.0: no address.
  IpAddress() = default;
  static IpAddress FromIpv4(uint32_t host_order);
  static IpAddress FromIpv6(const std::array<uint8_t, 16>& network_order);
  // Nullopt for another address family.
  static std::optional<IpAddress> FromSockaddr(const sockaddr* address);
  // Parses dotted decimal or RFC 4291 text, with or without brackets, as in Url::hostname() for an IP
  // literal. Nullopt for a name.
  static std::optional<IpAddress> Parse(std::string_view text);

  bool is_ipv4() const { return ipv4_; }
  // In host byte order.  REQUIRES: is_ipv4().
  uint32_t ipv4() const;
  // In network byte order; for an IPv4 address, the first four bytes.
  const std::array<uint8_t, 16>& bytes() const { return bytes_; }
  size_t size_bits() const { return ipv4_ ? 32 : 128; }

  // "192.0.2.1", "2001:db8::1".
  std::string ToString() const;

  friend auto operator<=>(const IpAddress&, const IpAddress&) = default;

 private:
  std::array<uint8_t, 16> bytes_{};
  bool ipv4_ = true;
};

// The addresses whose first `bits` are those of `address`.
struct IpPrefix {
  IpAddress address;
  unsigned bits = 0;

  // "10.0.0.0/8"; without "/", a single address.
  static std::optional<IpPrefix> Parse(std::string_view text);
  bool Contains(const IpAddress& candidate) const;
};

}  // namespace crivello::fetch

template <>
struct std::hash<crivello::fetch::IpAddress> {
  size_t operator()(const crivello::fetch::IpAddress& address) const noexcept;
};
