// SPDX-License-Identifier: Apache-2.0
#include "search/query/date_filter.h"

#include <limits>

#include "base/ascii.h"
#include "base/civil_time.h"

namespace crivello::search {
namespace {

constexpr int64_t kEarliest = std::numeric_limits<int64_t>::min();
constexpr int64_t kLatest = std::numeric_limits<int64_t>::max();

// Exactly so many digits, taken off the front.
std::optional<int> TakeNumber(std::string_view* text, size_t digits) {
  if (text->size() < digits) return std::nullopt;
  int number = 0;
  for (size_t i = 0; i < digits; i++) {
    if (!IsAsciiDigit((*text)[i])) return std::nullopt;
    number = number * 10 + ((*text)[i] - '0');
  }
  text->remove_prefix(digits);
  return number;
}

// The first second of a year, month or day, and that after its last.
std::optional<DateInterval> ReadPeriod(std::string_view text) {
  CivilTime first;
  const std::optional<int> year = TakeNumber(&text, 4);
  if (!year || *year >= 9999) return std::nullopt;
  first.year = *year;
  CivilTime after = first;
  if (text.empty()) {
    after.year++;
  } else {
    text.remove_prefix(1);
    const std::optional<int> month = TakeNumber(&text, 2);
    if (!month || *month < 1 || *month > 12) return std::nullopt;
    first.month = *month;
    after.month = *month % 12 + 1;
    after.year += *month == 12 ? 1 : 0;
    if (!text.empty()) {
      text.remove_prefix(1);
      const std::optional<int> day = TakeNumber(&text, 2);
      if (!day || !text.empty()) return std::nullopt;
      first.day = *day;
      const std::optional<int64_t> start = SecondsFromCivil(first);
      if (!start) return std::nullopt;
      return DateInterval{*start, *start + kSecondsPerDay};
    }
  }
  return DateInterval{*SecondsFromCivil(first), *SecondsFromCivil(after)};
}

}  // namespace

std::optional<DateInterval> ReadDateFilter(std::string_view text) {
  const size_t dots = text.find("..");
  if (dots != std::string_view::npos) {
    DateInterval all{kEarliest, kLatest};
    const std::string_view from = text.substr(0, dots);
    const std::string_view until = text.substr(dots + 2);
    if (from.empty() && until.empty()) return std::nullopt;
    if (!from.empty()) {
      const std::optional<DateInterval> period = ReadPeriod(from);
      if (!period) return std::nullopt;
      all.from = period->from;
    }
    if (!until.empty()) {
      const std::optional<DateInterval> period = ReadPeriod(until);
      if (!period) return std::nullopt;
      all.until = period->until;
    }
    return all;
  }
  if (text.empty() || (text[0] != '<' && text[0] != '>')) return ReadPeriod(text);
  const bool before = text[0] == '<';
  const bool equal = text.size() > 1 && text[1] == '=';
  const std::optional<DateInterval> period = ReadPeriod(text.substr(equal ? 2 : 1));
  if (!period) return std::nullopt;
  if (before) return DateInterval{kEarliest, equal ? period->until : period->from};
  return DateInterval{equal ? period->from : period->until, kLatest};
}

}  // namespace crivello::search
