// SPDX-License-Identifier: Apache-2.0
// Converts seconds since 1970-01-01T00:00:00Z to dates of the Gregorian calendar, and back. Pure functions,
// constant time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"

namespace crivello {

constexpr int64_t kSecondsPerDay = 86400;

// A UTC date and time. Parsers fill it in without checking ranges; SecondsFromCivil() checks
// them.
struct CivilTime {
  int year = 0;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
};

// nullopt unless the year is in 0 to 9999 and the date and time are valid. Second 60, a leap second, is the
// first second of the next minute.
std::optional<int64_t> SecondsFromCivil(const CivilTime& time);

// REQUIRES: the year is in 0 to 9999 (otherwise the fields have arbitrary values, in range except the year).
CivilTime CivilFromSeconds(int64_t seconds);

// 0 is Sunday.
int WeekdayOf(int64_t seconds);

// Like "2020-01-02T03:04:05Z" (RFC 3339). REQUIRES: as for CivilFromSeconds.
std::string FormatRfc3339(int64_t seconds);

// Since 1970, truncated towards zero.
constexpr int64_t ToSeconds(WallTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}
constexpr int64_t ToMicroseconds(WallTime time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

}  // namespace crivello
