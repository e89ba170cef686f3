// SPDX-License-Identifier: Apache-2.0
// Any bytes give either no date or one in the years 1 to 9999 (give or take a zone), which survives a round
// trip.

#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "web/http/date_parse.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto seconds = crivello::web::ParseDate({reinterpret_cast<const char*>(data), size});
  if (!seconds) return 0;
  if (*seconds < -62135596800 - 100000 || *seconds > 253402300799 + 100000) std::abort();
  const auto moment = static_cast<time_t>(*seconds);
  tm parts{};
  gmtime_r(&moment, &parts);
  if (parts.tm_year + 1900 < 1 || parts.tm_year + 1900 > 9999) return 0;
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02dZ", parts.tm_year + 1900, parts.tm_mon + 1,
                parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
  if (crivello::web::ParseDate(text) != *seconds) std::abort();
  return 0;
}
