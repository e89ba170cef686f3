// SPDX-License-Identifier: Apache-2.0
// IP addresses as hosts of URLs, parsed as liberally as in browsers and written in one form (WHATWG URL
// standard, "IPv4 parser", "IPv6 parser", "host serializing"). All functions are pure and linear.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crivello::web {

// Whether a domain must be an IPv4 address because its last label (ignoring a final dot) is a number: all
// digits, or 0x and hexadecimal digits.
bool EndsInNumber(std::string_view domain);

// Reads one to four parts, each decimal, octal (0...) or hexadecimal (0x...). The last part fills the
// remaining bytes: "0x7f.1" is 127.0.0.1.
std::optional<uint32_t> ParseIpv4(std::string_view text);

// Eight groups, the first the most significant.
using Ipv6 = std::array<uint16_t, 8>;

// Reads an address without its brackets. A trailing dotted IPv4 is accepted, a zone is not.
std::optional<Ipv6> ParseIpv6(std::string_view text);

void AppendIpv4(uint32_t address, std::string* out);
// In the form of RFC 5952, except that embedded IPv4 stays hexadecimal; without brackets.
void AppendIpv6(const Ipv6& address, std::string* out);

// Whether a host, as returned by Url, is an IP literal: "[...]" or dotted decimal. Constant time.
bool IsIpLiteral(std::string_view host);

}  // namespace crivello::web
