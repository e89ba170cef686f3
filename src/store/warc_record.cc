// SPDX-License-Identifier: Apache-2.0
#include "store/warc_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/ascii.h"
#include "base/civil_time.h"

namespace crivello::store {
namespace {

constexpr std::array<std::string_view, 10> kTypeNames = {
    "unknown",  "warcinfo", "response",   "resource",     "request",
    "metadata", "revisit",  "conversion", "continuation", "arc_header"};

}  // namespace

std::string_view WarcTypeName(WarcType type) { return kTypeNames[static_cast<size_t>(type)]; }

WarcType WarcTypeOf(std::string_view name) {
  for (size_t i = 1; i < kTypeNames.size(); i++) {
    if (EqualsIgnoringCase(kTypeNames[i], name)) return static_cast<WarcType>(i);
  }
  return WarcType::kUnknown;
}

std::optional<int64_t> ParseWarcDate(std::string_view text) {
  // Year, month, day, hour, minute, second: digits, each after its separator or after nothing.
  constexpr std::array<size_t, 6> kDigits = {4, 2, 2, 2, 2, 2};
  constexpr std::array<std::string_view, 6> kSeparators = {"", "-", "-", "T ", ":", ":"};
  CivilTime time;
  const std::array<int*, 6> part = {&time.year, &time.month,  &time.day,
                                    &time.hour, &time.minute, &time.second};
  size_t at = 0, parts = 0;
  for (; parts < kDigits.size() && at < text.size(); parts++) {
    if (kSeparators[parts].find(text[at]) != std::string_view::npos) at++;
    if (at + kDigits[parts] > text.size()) return std::nullopt;
    const char* const first = text.data() + at;
    const auto [end, error] = std::from_chars(first, first + kDigits[parts], *part[parts]);
    if (error != std::errc() || end != first + kDigits[parts] || *first == '-') return std::nullopt;
    at += kDigits[parts];
    if (at < text.size() && text[at] == 'Z') {
      parts++;
      break;
    }
  }
  return parts > 0 ? SecondsFromCivil(time) : std::nullopt;
}

std::string FormatTimestamp14(int64_t seconds) {
  const CivilTime t = CivilFromSeconds(seconds);
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
  // Dates should have fourteen digits, but some writers use more or fewer.
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
