// SPDX-License-Identifier: Apache-2.0
#include "base/civil_time.h"

#include <fmt/format.h>

#include <chrono>

namespace crivello {
namespace {

// Rounded down, also before 1970.
int64_t DaysOf(int64_t seconds) { return seconds / kSecondsPerDay - (seconds % kSecondsPerDay < 0 ? 1 : 0); }

}  // namespace

std::optional<int64_t> SecondsFromCivil(const CivilTime& time) {
  if (time.year < 0 || time.year > 9999 || time.month < 1 || time.month > 12 || time.day < 1 || time.day > 31)
    return std::nullopt;
  if (time.hour < 0 || time.hour > 23 || time.minute < 0 || time.minute > 59 || time.second < 0 ||
      time.second > 60)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(time.year),
                                         std::chrono::month(static_cast<unsigned>(time.month)),
                                         std::chrono::day(static_cast<unsigned>(time.day))};
  if (!date.ok()) return std::nullopt;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return days * kSecondsPerDay + time.hour * 3600 + time.minute * 60 + time.second;
}

CivilTime CivilFromSeconds(int64_t seconds) {
  const auto rest = static_cast<int>(seconds % kSecondsPerDay);
  const int second = rest < 0 ? rest + static_cast<int>(kSecondsPerDay) : rest;
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(DaysOf(seconds)))};
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<int>(static_cast<unsigned>(date.month())),
          .day = static_cast<int>(static_cast<unsigned>(date.day())),
          .hour = second / 3600,
          .minute = second / 60 % 60,
          .second = second % 60};
}

int WeekdayOf(int64_t seconds) {
  const auto day = static_cast<int>((DaysOf(seconds) + 4) % 7);  // 1970 began on a Thursday
  return day < 0 ? day + 7 : day;
}

std::string FormatRfc3339(int64_t seconds) {
  const CivilTime t = CivilFromSeconds(seconds);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", t.year, t.month, t.day, t.hour, t.minute,
                     t.second);
}

}  // namespace crivello
