// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace crivello::serve {

// What a log may keep of a request: not what was searched for, and not who asked.
struct AccessLine {
  int64_t time_seconds = 0;
  std::string client;  // ShortenedAddress()
  std::string method;
  std::string path;  // without the query string
  unsigned status = 0;
  uint64_t bytes = 0;  // of the answer, head and body
  Duration duration = {};
};

// As the common log format has it, with the milliseconds at the end; whatever the client sent, it is one line
// of printable ASCII:
//   192.0.2.0 - - [2026-01-02T03:04:05Z] "GET /api/v1/search" 200 5120 1.734
std::string FormatAccessLine(const AccessLine& line);

// "192.0.2.77" to "192.0.2.0", "2001:db8:1:2::3" to "2001:db8:1::", "::ffff:192.0.2.77" as the first; empty
// if it is no address.
std::string ShortenedAddress(std::string_view address);

}  // namespace crivello::serve
