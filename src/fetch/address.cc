// SPDX-License-Identifier: Apache-2.0
#include "fetch/address.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cassert>
#include <charconv>
#include <cstring>

#include "base/hash.h"
#include "web/url/ip_address.h"

namespace crivello::fetch {

IpAddress IpAddress::FromIpv4(uint32_t host_order) {
  IpAddress address;
  for (size_t i = 0; i < 4; i++) address.bytes_[i] = static_cast<uint8_t>(host_order >> (24 - 8 * i));
  return address;
}

IpAddress IpAddress::FromIpv6(const std::array<uint8_t, 16>& network_order) {
  IpAddress address;
  address.bytes_ = network_order;
  address.ipv4_ = false;
  return address;
}

std::optional<IpAddress> IpAddress::FromSockaddr(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    sockaddr_in in;
    std::memcpy(&in, address, sizeof in);
    return FromIpv4(ntohl(in.sin_addr.s_addr));
  }
  if (address->sa_family == AF_INET6) {
    sockaddr_in6 in6;
    std::memcpy(&in6, address, sizeof in6);
    std::array<uint8_t, 16> bytes;
    std::memcpy(bytes.data(), &in6.sin6_addr, sizeof bytes);
    return FromIpv6(bytes);
  }
  return std::nullopt;
}

std::optional<IpAddress> IpAddress::Parse(std::string_view text) {
  if (text.size() > 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  if (text.find(':') != text.npos) {
    const auto groups = web::ParseIpv6(text);
    if (!groups) return std::nullopt;
    std::array<uint8_t, 16> bytes;
    for (size_t i = 0; i < 8; i++) {
      bytes[2 * i] = static_cast<uint8_t>((*groups)[i] >> 8);
      bytes[2 * i + 1] = static_cast<uint8_t>((*groups)[i]);
    }
    return FromIpv6(bytes);
  }
  // The liberal forms of browsers ("127.1") never reach this: Url normalises them.
  uint32_t address = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int part = 0; part < 4; part++) {
    if (part > 0 && (at == end || *at++ != '.')) return std::nullopt;
    uint8_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (next - at > 1 && *at == '0')) return std::nullopt;
    address = address << 8 | value;
    at = next;
  }
  if (at != end) return std::nullopt;
  return FromIpv4(address);
}

uint32_t IpAddress::ipv4() const {
  assert(ipv4_);
  uint32_t address = 0;
  for (size_t i = 0; i < 4; i++) address = address << 8 | bytes_[i];
  return address;
}

std::string IpAddress::ToString() const {
  std::string text;
  if (ipv4_) {
    web::AppendIpv4(ipv4(), &text);
  } else {
    web::Ipv6 groups;
    for (size_t i = 0; i < 8; i++) groups[i] = static_cast<uint16_t>(bytes_[2 * i] << 8 | bytes_[2 * i + 1]);
    web::AppendIpv6(groups, &text);
  }
  return text;
}

std::optional<IpPrefix> IpPrefix::Parse(std::string_view text) {
  const size_t slash = text.find('/');
  const auto address = IpAddress::Parse(text.substr(0, slash));
  if (!address) return std::nullopt;
  IpPrefix prefix{*address, static_cast<unsigned>(address->size_bits())};
  if (slash != text.npos) {
    const char* const end = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data() + slash + 1, end, prefix.bits);
    if (error != std::errc() || next != end || prefix.bits > address->size_bits()) return std::nullopt;
  }
  return prefix;
}

bool IpPrefix::Contains(const IpAddress& candidate) const {
  if (candidate.is_ipv4() != address.is_ipv4()) return false;
  const size_t whole = bits / 8;
  if (std::memcmp(candidate.bytes().data(), address.bytes().data(), whole) != 0) return false;
  if (bits % 8 == 0) return true;
  return (candidate.bytes()[whole] ^ address.bytes()[whole]) >> (8 - bits % 8) == 0;
}

}  // namespace crivello::fetch

size_t std::hash<crivello::fetch::IpAddress>::operator()(
    const crivello::fetch::IpAddress& address) const noexcept {
  uint64_t words[2];
  std::memcpy(words, address.bytes().data(), sizeof words);
  return static_cast<size_t>(
      crivello::Mix64(words[0] ^ crivello::Mix64(words[1] + (address.is_ipv4() ? 1 : 0))));
}
