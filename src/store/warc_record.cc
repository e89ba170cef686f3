// SPDX-License-Identifier: Apache-2.0
#include "store/warc_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "web/http_date.h"

namespace crivello::store {
namespace {

constexpr std::array<std::string_view, 10> kTypeNames = {
    "unknown",  "warcinfo", "response",   "resource",     "request",
    "metadata", "revisit",  "conversion", "continuation", "arc_header"};

bool SameText(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return lower(x) == lower(y);
  });
}

struct CivilTime {
  int64_t year;
  unsigned month, day, hour, minute, second;
};

// The inverse of web::DaysFromCivil (Hinnant: chrono-compatible low-level date algorithms).
CivilTime ToCivil(int64_t seconds) {
  int64_t days = seconds / 86400;
  int64_t rest = seconds % 86400;
  if (rest < 0) rest += 86400, days--;
  days += 719468;
  const int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const auto day_of_era = static_cast<unsigned>(days - era * 146097);
  const unsigned year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const unsigned shifted = (5 * day_of_year + 2) / 153;
  const unsigned month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {.year = static_cast<int64_t>(year_of_era) + era * 400 + (month <= 2 ? 1 : 0),
          .month = month,
          .day = day_of_year - (153 * shifted + 2) / 5 + 1,
          .hour = static_cast<unsigned>(rest / 3600),
          .minute = static_cast<unsigned>(rest / 60 % 60),
          .second = static_cast<unsigned>(rest % 60)};
}

}  // namespace

std::string_view WarcTypeName(WarcType type) { return kTypeNames[static_cast<size_t>(type)]; }

WarcType WarcTypeOf(std::string_view name) {
  for (size_t i = 1; i < kTypeNames.size(); i++) {
    if (SameText(kTypeNames[i], name)) return static_cast<WarcType>(i);
  }
  return WarcType::kUnknown;
}

std::optional<int64_t> ParseWarcDate(std::string_view text) {
  // Year, month, day, hour, minute, second: digits, each after its separator or after nothing.
  constexpr std::array<size_t, 6> kDigits = {4, 2, 2, 2, 2, 2};
  constexpr std::array<std::string_view, 6> kSeparators = {"", "-", "-", "T ", ":", ":"};
  std::array<int, 6> part = {0, 1, 1, 0, 0, 0};
  size_t at = 0, parts = 0;
  for (; parts < kDigits.size() && at < text.size(); parts++) {
    if (kSeparators[parts].find(text[at]) != std::string_view::npos) at++;
    if (at + kDigits[parts] > text.size()) return std::nullopt;
    const char* const first = text.data() + at;
    const auto [end, error] = std::from_chars(first, first + kDigits[parts], part[parts]);
    if (error != std::errc() || end != first + kDigits[parts] || *first == '-') return std::nullopt;
    at += kDigits[parts];
    if (at < text.size() && text[at] == 'Z') {
      parts++;
      break;
    }
  }
  if (parts == 0 || part[1] < 1 || part[1] > 12 || part[2] < 1 || part[2] > 31 || part[3] > 23 ||
      part[4] > 59 || part[5] > 60) {
    return std::nullopt;
  }
  return ((web::DaysFromCivil(part[0], part[1], part[2]) * 24 + part[3]) * 60 + part[4]) * 60 + part[5];
}

std::string FormatWarcDate(int64_t seconds) {
  const CivilTime t = ToCivil(seconds);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", t.year, t.month, t.day, t.hour, t.minute,
                     t.second);
}

std::string FormatTimestamp14(int64_t seconds) {
  const CivilTime t = ToCivil(seconds);
  return fmt::format("{:04}{:02}{:02}{:02}{:02}{:02}", t.year, t.month, t.day, t.hour, t.minute, t.second);
}

std::optional<ArcLine> ParseArcLine(std::string_view line) {
  // From the right, since URLs may hold spaces: version 1 has four fields after the URL.
  std::array<std::string_view, 4> last;
  std::string_view rest = line;
  for (size_t i = last.size(); i-- > 0;) {
    const size_t space = rest.rfind(' ');
    if (space == std::string_view::npos || space == 0) return std::nullopt;
    last[i] = rest.substr(space + 1);
    rest = rest.substr(0, space);
  }
  if (rest.find(':') == std::string_view::npos) return std::nullopt;  // a URL has a scheme
  // Dates have fourteen digits; writers have put in more, or fewer.
  const auto is_date = [](std::string_view text) {
    return text.size() >= 4 && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (!is_date(last[1])) return std::nullopt;
  ArcLine result = {.url = rest, .ip = last[0], .date = last[1], .content_type = last[2], .length = {}};
  uint64_t length = 0;
  const auto [end, error] = std::from_chars(last[3].data(), last[3].data() + last[3].size(), length);
  if (error == std::errc() && end == last[3].data() + last[3].size()) result.length = length;
  return result;
}

}  // namespace crivello::store
