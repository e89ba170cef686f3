// SPDX-License-Identifier: Apache-2.0
// Seconds since 1970-01-01T00:00:00Z as dates of the Gregorian calendar, and back.  Pure functions, constant
// time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"

namespace crivello {

constexpr int64_t kSecondsPerDay = 86400;

// A moment of UTC as people write it.  Whoever reads one from text fills it in, in range or not;
// SecondsFromCivil() judges.
struct CivilTime {
  int year = 0;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
};

// Nothing unless the year is in 0 to 9999, the day in the calendar and the time in the day.  Second 60, a
// leap second, is the first of the next minute.
std::optional<int64_t> SecondsFromCivil(const CivilTime& time);

// REQUIRES: the year is in 0 to 9999 (elsewhere the fields are some values in their ranges, the year aside).
CivilTime CivilFromSeconds(int64_t seconds);

// 0 is Sunday.
int WeekdayOf(int64_t seconds);

// "2020-01-02T03:04:05Z", as RFC 3339 has it.  REQUIRES: as CivilFromSeconds.
std::string FormatRfc3339(int64_t seconds);

// Since 1970, towards it.
constexpr int64_t ToSeconds(WallTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}
constexpr int64_t ToMicroseconds(WallTime time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

}  // namespace crivello
