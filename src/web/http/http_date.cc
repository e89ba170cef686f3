// SPDX-License-Identifier: Apache-2.0
#include "web/http/http_date.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/civil_time.h"
#include "web/http/date_parse.h"

namespace crivello::web {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr int64_t kFirstSecond = -11644473600;  // of 1601

// "Sun, 06 Nov 1994 08:49:37 GMT": nearly all dates have this form, with fixed positions.
std::optional<int64_t> ParseFixed(std::string_view text) {
  constexpr std::string_view kPattern = "***, ## *** #### ##:##:## GMT";
  if (text.size() != kPattern.size()) return std::nullopt;
  for (size_t i = 0; i < text.size(); i++) {
    const char wanted = kPattern[i];
    if (wanted != '*' && (wanted == '#' ? !IsAsciiDigit(text[i]) : text[i] != wanted)) return std::nullopt;
  }
  const auto number = [text](size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  const auto month = std::find(kMonths.begin(), kMonths.end(), text.substr(8, 3)) - kMonths.begin();
  return SecondsFromCivil({.year = number(12) * 100 + number(14),
                           .month = static_cast<int>(month) + 1,
                           .day = number(5),
                           .hour = number(17),
                           .minute = number(20),
                           .second = number(23)});
}

}  // namespace

std::optional<int64_t> ParseHttpDate(std::string_view text, int64_t now) {
  text = TrimAsciiSpace(text);
  auto time = ParseFixed(text);
  if (!time) time = ParseDate(text, std::clamp(CivilFromSeconds(now).year, 49, 9949) + 50);
  return time && *time >= kFirstSecond ? time : std::nullopt;
}

std::string FormatHttpDate(int64_t time) {
  const CivilTime t = CivilFromSeconds(time);
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[static_cast<size_t>(WeekdayOf(time))],
                     t.day, kMonths[static_cast<size_t>(t.month - 1)], t.year, t.hour, t.minute, t.second);
}

}  // namespace crivello::web
