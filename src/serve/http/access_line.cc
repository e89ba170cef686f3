// SPDX-License-Identifier: Apache-2.0
#include "serve/http/access_line.h"

#include <fmt/format.h>

#include <chrono>

#include "base/civil_time.h"
#include "web/url/ip_address.h"

namespace crivello::serve {
namespace {

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c > ' ' && c < 0x7F && c != '"' && c != '\\') {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string ShortenedIpv4(uint32_t address) {
  std::string out;
  web::AppendIpv4(address & ~uint32_t{0xFF}, &out);
  return out;
}

}  // namespace

std::string FormatAccessLine(const AccessLine& line) {
  const double milliseconds = std::chrono::duration<double, std::milli>(line.duration).count();
  return fmt::format("{} - - [{}] \"{} {}\" {} {} {:.3f}", line.client.empty() ? "-" : line.client,
                     FormatRfc3339(line.time_seconds), Escaped(line.method), Escaped(line.path), line.status,
                     line.bytes, milliseconds);
}

std::string ShortenedAddress(std::string_view address) {
  if (const auto v6 = web::ParseIpv6(address.substr(0, address.find('%')))) {
    const web::Ipv6& g = *v6;
    if (g[0] == 0 && g[1] == 0 && g[2] == 0 && g[3] == 0 && g[4] == 0 && g[5] == 0xFFFF) {
      return ShortenedIpv4(uint32_t{g[6]} << 16 | g[7]);
    }
    std::string out;
    web::AppendIpv6({g[0], g[1], g[2], 0, 0, 0, 0, 0}, &out);
    return out;
  }
  if (const auto v4 = web::ParseIpv4(address)) return ShortenedIpv4(*v4);
  return "";
}

}  // namespace crivello::serve
