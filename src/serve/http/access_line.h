// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace crivello::serve {

// What a log may keep about a request: neither the search words nor the full address of the client.
struct AccessLine {
  int64_t time_seconds = 0;
  std::string client;  // ShortenedAddress()
  std::string method;
  std::string path;  // without the query string
  unsigned status = 0;
  uint64_t bytes = 0;  // of the answer, head and body
  Duration duration = {};
};

// The common log format with milliseconds at the end.  Whatever the client sent, this is one line of
// printable ASCII:
//   192.0.2.0 - - [2026-01-02T03:04:05Z] "GET /api/v1/search" 200 5120 1.734
std::string FormatAccessLine(const AccessLine& line);

// "192.0.2.77" becomes "192.0.2.0", "2001:db8:1:2::3" becomes "2001:db8:1::", and "::ffff:192.0.2.77" is
// treated as IPv4; empty if this is not an address.
std::string ShortenedAddress(std::string_view address);

}  // namespace crivello::serve
