// SPDX-License-Identifier: Apache-2.0
#include "web/http_date.h"

#include <array>
#include <cstdio>

#include "web/http_syntax.h"

namespace crivello::web {
namespace {

using internal::EqualsIgnoringCase;
using internal::IsDigit;

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr size_t kMaxDateBytes = 100;

struct Civil {
  int64_t year;
  int month;
  int day;
};

// Howard Hinnant's civil_from_days: eras of 400 years, years from March.
Civil CivilFromDays(int64_t days) {
  days += 719468;
  const int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const int64_t day_of_era = days - era * 146097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const auto day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
  const auto month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

struct Date {
  int64_t year = -1;
  int month = 0;
  int day = 0;
  int hour = -1;
  int minute = 0;
  int second = 0;
  int zone_minutes = 0;  // east of Greenwich
};

int DaysInMonth(int64_t year, int month) {
  constexpr std::array<int, 12> kLengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kLengths[static_cast<size_t>(month - 1)];
}

std::optional<int64_t> ToSeconds(const Date& date) {
  if (date.year < 1601 || date.year > 9999 || date.month < 1 || date.month > 12 || date.day < 1)
    return std::nullopt;
  if (date.day > DaysInMonth(date.year, date.month)) return std::nullopt;
  // A leap second is the first of the next minute.
  if (date.hour < 0 || date.hour > 23 || date.minute > 59 || date.second > 60) return std::nullopt;
  return DaysFromCivil(date.year, date.month, date.day) * 86400 + date.hour * 3600 + date.minute * 60 +
         date.second - date.zone_minutes * 60;
}

// At most four digits, all of them.
std::optional<int> SmallNumber(std::string_view text) {
  if (text.empty() || text.size() > 4) return std::nullopt;
  int value = 0;
  for (const char c : text) {
    if (!IsDigit(c)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

int MonthOf(std::string_view word) {
  for (size_t i = 0; i < kMonths.size(); i++) {
    if (word.size() >= 3 && EqualsIgnoringCase(word.substr(0, 3), kMonths[i])) return static_cast<int>(i) + 1;
  }
  return 0;
}

int64_t FullYear(int two_digits, int64_t now) {
  const int64_t this_year = CivilFromDays(now >= 0 ? now / 86400 : (now - 86399) / 86400).year;
  int64_t year = this_year - this_year % 100 + two_digits;
  if (year > this_year + 50) year -= 100;
  if (year <= this_year - 50) year += 100;
  return year;
}

bool SetTime(std::string_view word, Date& date) {
  const size_t colon = word.find(':');
  if (colon == std::string_view::npos) return false;
  const size_t second = word.find(':', colon + 1);
  const auto hour = SmallNumber(word.substr(0, colon));
  const auto minute = SmallNumber(word.substr(colon + 1, second - colon - 1));
  std::string_view rest = second == std::string_view::npos ? "0" : word.substr(second + 1);
  rest = rest.substr(0, rest.find_first_not_of("0123456789"));  // fractions and the Z of ISO 8601
  const auto seconds = SmallNumber(rest);
  if (!hour || !minute || !seconds) return false;
  date.hour = *hour;
  date.minute = *minute;
  date.second = *seconds;
  return true;
}

// "+0100", "-05:00", "EST".
std::optional<int> ZoneMinutes(std::string_view word) {
  struct Zone {
    std::string_view name;
    int hours;
  };
  constexpr std::array<Zone, 13> kZones = {{{"GMT", 0},
                                            {"UTC", 0},
                                            {"UT", 0},
                                            {"Z", 0},
                                            {"EST", -5},
                                            {"EDT", -4},
                                            {"CST", -6},
                                            {"CDT", -5},
                                            {"MST", -7},
                                            {"MDT", -6},
                                            {"PST", -8},
                                            {"PDT", -7},
                                            {"CET", 1}}};
  for (const Zone& zone : kZones) {
    if (EqualsIgnoringCase(word, zone.name)) return zone.hours * 60;
  }
  if (word.size() < 5 || (word[0] != '+' && word[0] != '-')) return std::nullopt;
  const auto hours = SmallNumber(word.substr(1, 2));
  const auto minutes = SmallNumber(word.substr(word[3] == ':' ? 4 : 3));
  if (!hours || !minutes || *hours > 14 || *minutes > 59) return std::nullopt;
  return (word[0] == '-' ? -1 : 1) * (*hours * 60 + *minutes);
}

// "Sun, 06 Nov 1994 08:49:37 GMT": nearly all dates are this, at fixed places.
std::optional<Date> ParseFixed(std::string_view text) {
  if (text.size() != 29 || text[3] != ',' || text[4] != ' ' || text[7] != ' ' || text[11] != ' ' ||
      text[16] != ' ' || text[19] != ':' || text[22] != ':' || text.substr(25) != " GMT") {
    return std::nullopt;
  }
  Date date;
  const auto day = SmallNumber(text.substr(5, 2));
  const auto year = SmallNumber(text.substr(12, 4));
  const std::string_view month = text.substr(8, 3);
  date.month = MonthOf(month);
  if (!day || !year || date.month == 0 || !SetTime(text.substr(17, 8), date)) return std::nullopt;
  date.day = *day;
  date.year = *year;
  return date;
}

// "1994-11-06", with "T08:49:37+01:00" or " 08:49:37" after it.
std::optional<Date> ParseIso(std::string_view text) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = SmallNumber(text.substr(0, 4));
  const auto month = SmallNumber(text.substr(5, 2));
  const auto day = SmallNumber(text.substr(8, 2));
  if (!year || !month || !day) return std::nullopt;
  Date date;
  date.year = *year;
  date.month = *month;
  date.day = *day;
  date.hour = 0;
  text.remove_prefix(10);
  if (text.empty()) return date;
  if (text[0] != 'T' && text[0] != 't' && text[0] != ' ') return std::nullopt;
  text.remove_prefix(1);
  const size_t zone = text.find_first_of("+-Zz");
  if (!SetTime(internal::TrimHttpSpace(text.substr(0, zone)), date)) return std::nullopt;
  if (zone != std::string_view::npos) {
    const auto minutes = ZoneMinutes(text.substr(zone));
    if (!minutes) return std::nullopt;
    date.zone_minutes = *minutes;
  }
  return date;
}

// Words in any order.  The first number that can be a day is the day, so "06-Nov-94" and "Nov  6 ... 1994"
// both work; a '-' joins words unless it is the sign of a zone after the time.
std::optional<Date> ParseLoose(std::string_view text, int64_t now) {
  Date date;
  while (!text.empty()) {
    const size_t word_start = text.find_first_not_of(" \t,()./");
    if (word_start == std::string_view::npos) break;
    text.remove_prefix(word_start);
    const bool signed_zone = date.hour >= 0 && (text[0] == '+' || text[0] == '-');
    if (!signed_zone && text[0] == '-') {
      text.remove_prefix(1);
      continue;
    }
    const size_t end = text.find_first_of(signed_zone ? " \t,()" : " \t,-()+", signed_zone ? 1 : 0);
    const std::string_view word = text.substr(0, end == 0 ? 1 : end);
    text.remove_prefix(word.size());
    if (word.find(':') != std::string_view::npos && !signed_zone) {
      if (date.hour >= 0 || !SetTime(word, date)) return std::nullopt;
    } else if (IsDigit(word[0])) {
      const auto number = SmallNumber(word);
      if (!number) return std::nullopt;
      if (date.day == 0 && word.size() <= 2) {
        date.day = *number;
      } else if (date.year < 0 && word.size() != 3) {
        date.year = word.size() <= 2 ? FullYear(*number, now) : *number;
      } else {
        return std::nullopt;
      }
    } else if (const int month = MonthOf(word); month != 0 && date.month == 0) {
      date.month = month;
    } else if (const auto zone = ZoneMinutes(word)) {
      date.zone_minutes = *zone;
    }  // a weekday, or a word that tells nothing
  }
  if (date.hour < 0) date.hour = 0;
  return date;
}

}  // namespace

// Howard Hinnant's days_from_civil.
int64_t DaysFromCivil(int64_t year, int month, int day) {
  year -= month <= 2 ? 1 : 0;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

std::optional<int64_t> ParseHttpDate(std::string_view text, int64_t now) {
  text = internal::TrimHttpSpace(text);
  if (text.size() > kMaxDateBytes) return std::nullopt;
  if (const auto date = ParseFixed(text)) return ToSeconds(*date);
  if (const auto date = ParseIso(text)) return ToSeconds(*date);
  if (const auto date = ParseLoose(text, now)) return ToSeconds(*date);
  return std::nullopt;
}

std::string FormatHttpDate(int64_t time) {
  const int64_t days = time >= 0 ? time / 86400 : (time - 86399) / 86400;
  const auto second = static_cast<int>(time - days * 86400);
  const Civil civil = CivilFromDays(days);
  const std::string_view weekday = kDays[static_cast<size_t>(((days + 4) % 7 + 7) % 7)];
  const std::string_view month = kMonths[static_cast<size_t>(civil.month - 1)];
  std::array<char, 64> text;
  const int length = std::snprintf(
      text.data(), text.size(), "%.3s, %02d %.3s %04lld %02d:%02d:%02d GMT", weekday.data(), civil.day,
      month.data(), static_cast<long long>(civil.year), second / 3600, second / 60 % 60, second % 60);
  return {text.data(), static_cast<size_t>(length)};
}

}  // namespace crivello::web
