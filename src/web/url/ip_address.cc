// SPDX-License-Identifier: Apache-2.0
#include "web/url/ip_address.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "web/url/percent.h"

namespace crivello::web {
namespace {

// One part of an IPv4 address. Values beyond 32 bits are returned as kTooLarge, whatever their length.
constexpr uint64_t kTooLarge = uint64_t{1} << 32;

std::optional<uint64_t> ParseIpv4Part(std::string_view part) {
  if (part.empty()) return std::nullopt;
  unsigned radix = 10;
  if (part.size() >= 2 && part[0] == '0' && (part[1] == 'x' || part[1] == 'X')) {
    radix = 16;
    part.remove_prefix(2);
  } else if (part.size() >= 2 && part[0] == '0') {
    radix = 8;
    part.remove_prefix(1);
  }
  uint64_t value = 0;
  for (const char c : part) {
    const int digit = HexValue(c);
    if (digit < 0 || static_cast<unsigned>(digit) >= radix) return std::nullopt;
    value = std::min(kTooLarge, value * radix + static_cast<unsigned>(digit));
  }
  return value;
}

template <typename T>
void AppendNumber(T value, int base, std::string* out) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, base).ptr;
  out->append(digits, end);
}

// The dotted decimal at the end of an IPv6 address: exactly four parts, without leading zeros.
std::optional<uint32_t> ParseEmbeddedIpv4(std::string_view text) {
  uint32_t address = 0;
  size_t at = 0;
  for (int part = 0; part < 4; part++) {
    if (part > 0 && (at >= text.size() || text[at++] != '.')) return std::nullopt;
    const size_t start = at;
    uint32_t value = 0;
    while (at < text.size() && IsAsciiDigit(text[at])) {
      if (at > start && value == 0) return std::nullopt;
      value = value * 10 + static_cast<uint32_t>(text[at++] - '0');
      if (value > 255) return std::nullopt;
    }
    if (at == start) return std::nullopt;
    address = address << 8 | value;
  }
  if (at != text.size()) return std::nullopt;
  return address;
}

}  // namespace

bool EndsInNumber(std::string_view domain) {
  if (domain.ends_with('.')) domain.remove_suffix(1);
  const std::string_view last = domain.substr(domain.rfind('.') + 1);
  if (last.empty()) return false;
  return std::all_of(last.begin(), last.end(), IsAsciiDigit) || ParseIpv4Part(last).has_value();
}

std::optional<uint32_t> ParseIpv4(std::string_view text) {
  if (text.ends_with('.')) text.remove_suffix(1);
  uint64_t address = 0;
  for (int part = 0; part < 4; part++) {
    const size_t dot = text.find('.');
    const auto value = ParseIpv4Part(text.substr(0, dot));
    if (!value) return std::nullopt;
    if (dot == text.npos) {
      const int bits = 8 * (4 - part);
      if (*value >> bits != 0) return std::nullopt;
      return static_cast<uint32_t>(address << bits | *value);
    }
    if (*value > 255) return std::nullopt;
    address = address << 8 | *value;
    text.remove_prefix(dot + 1);
  }
  return std::nullopt;
}

std::optional<Ipv6> ParseIpv6(std::string_view text) {
  Ipv6 address{};
  size_t piece = 0, at = 0;
  std::optional<size_t> compress;
  if (text.starts_with(':')) {
    if (!text.starts_with("::")) return std::nullopt;
    at = 2;
    compress = piece;
  }
  while (at < text.size()) {
    if (piece == 8) return std::nullopt;
    if (text[at] == ':') {
      if (compress) return std::nullopt;
      at++;
      compress = piece;
      continue;
    }
    const size_t start = at;
    unsigned value = 0;
    while (at < text.size() && at - start < 4 && HexValue(text[at]) >= 0) {
      value = value * 16 + static_cast<unsigned>(HexValue(text[at++]));
    }
    if (at < text.size() && text[at] == '.') {
      const auto ipv4 = ParseEmbeddedIpv4(text.substr(start));
      if (!ipv4 || piece > 6) return std::nullopt;
      address[piece++] = static_cast<uint16_t>(*ipv4 >> 16);
      address[piece++] = static_cast<uint16_t>(*ipv4);
      break;
    }
    if (at == start) return std::nullopt;
    if (at < text.size()) {
      if (text[at] != ':' || at + 1 == text.size()) return std::nullopt;
      at++;
    }
    address[piece++] = static_cast<uint16_t>(value);
  }
  if (compress) {
    std::rotate(address.begin() + static_cast<ptrdiff_t>(*compress),
                address.begin() + static_cast<ptrdiff_t>(piece), address.end());
  } else if (piece != 8) {
    return std::nullopt;
  }
  return address;
}

void AppendIpv4(uint32_t address, std::string* out) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    AppendNumber((address >> shift) & 255, 10, out);
    if (shift > 0) out->push_back('.');
  }
}

void AppendIpv6(const Ipv6& address, std::string* out) {
  // The first of the longest runs of at least two zeros is written "::".
  size_t zeros_start = 8, zeros = 1;
  for (size_t i = 0; i < 8;) {
    size_t end = i;
    while (end < 8 && address[end] == 0) end++;
    if (end - i > zeros) {
      zeros_start = i;
      zeros = end - i;
    }
    i = end + 1;
  }
  for (size_t i = 0; i < 8; i++) {
    if (i == zeros_start) {
      out->append(i == 0 ? "::" : ":");
      i += zeros - 1;
      continue;
    }
    AppendNumber(static_cast<unsigned>(address[i]), 16, out);
    if (i < 7) out->push_back(':');
  }
}

bool IsIpLiteral(std::string_view host) { return !host.empty() && (host[0] == '[' || EndsInNumber(host)); }

}  // namespace crivello::web
