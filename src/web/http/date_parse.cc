// SPDX-License-Identifier: Apache-2.0
#include "web/http/date_parse.h"

#include <algorithm>
#include <cstddef>

#include "base/ascii.h"
#include "base/civil_time.h"

namespace crivello::web {
namespace {

// Longer than any date; longer text is rejected.
constexpr size_t kMaxDateBytes = 128;

bool IsLetter(char c) { return IsAsciiAlpha(c) || (c & 0x80) != 0; }

struct Named {
  std::string_view name;
  int value;
};

// The beginnings of month names: English, then the different ones in German, French, Italian, Spanish,
// Portuguese and Dutch.
constexpr std::string_view kMonthNames[12] = {"jan gen ene",
                                              "feb fev f\xc3\xa9v",
                                              "mar m\xc3\xa4r maa mrt",
                                              "apr avr abr",
                                              "may mai mag mei",
                                              "jun giu juin",
                                              "jul lug juil",
                                              "aug ago ao\xc3\xbb aou",
                                              "sep set",
                                              "oct okt ott out",
                                              "nov",
                                              "dec dez dic d\xc3\xa9"
                                              "c"};

// Minutes east of Greenwich. An ambiguous name has its North American or European meaning.
constexpr Named kZones[] = {
    {"z", 0},      {"ut", 0},     {"utc", 0},     {"gmt", 0},     {"wet", 0},    {"west", 60},  {"bst", 60},
    {"cet", 60},   {"met", 60},   {"cest", 120},  {"mest", 120},  {"eet", 120},  {"eest", 180}, {"msk", 180},
    {"msd", 240},  {"ist", 330},  {"jst", 540},   {"kst", 540},   {"aest", 600}, {"aedt", 660}, {"nzst", 720},
    {"nzdt", 780}, {"hst", -600}, {"akst", -540}, {"akdt", -480}, {"pst", -480}, {"pdt", -420}, {"mst", -420},
    {"mdt", -360}, {"cst", -360}, {"cdt", -300},  {"est", -300},  {"edt", -240}, {"ast", -240}, {"adt", -180},
    {"brt", -180}, {"nst", -210}, {"ndt", -150},  {"pt", -480},   {"mt", -420},  {"ct", -360},  {"et", -300}};

int MonthOf(std::string_view word) {
  for (int month = 1; month <= 12; month++) {
    std::string_view names = kMonthNames[month - 1];
    while (!names.empty()) {
      const size_t end = std::min(names.size(), names.find(' '));
      if (StartsWithIgnoringCase(word, names.substr(0, end))) return month;
      names.remove_prefix(std::min(names.size(), end + 1));
    }
  }
  return 0;
}

bool ZoneOf(std::string_view word, int* minutes) {
  for (const Named& zone : kZones) {
    if (EqualsIgnoringCase(word, zone.name)) {
      *minutes = zone.value;
      return true;
    }
  }
  return false;
}

struct Parts : CivilTime {
  int zone_minutes = 0;
};

std::optional<int64_t> SecondsOf(const Parts& parts) {
  CivilTime time = parts;
  const bool next_midnight = time.hour == 24 && time.minute == 0 && time.second == 0;
  if (next_midnight) time.hour = 0;
  const auto seconds = SecondsFromCivil(time);
  if (!seconds || time.year == 0) return std::nullopt;
  return *seconds + (next_midnight ? kSecondsPerDay : 0) - int64_t{parts.zone_minutes} * 60;
}

// A position in a text that is read only forwards.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool done() const { return at_ >= text_.size(); }
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void Skip(size_t n = 1) { at_ += n; }
  bool Take(char c) {
    if (peek() != c || done()) return false;
    at_++;
    return true;
  }
  void SkipSpaces() {
    while (!done() && IsAsciiSpace(peek())) at_++;
  }
  size_t CountDigits() const {
    size_t n = 0;
    while (IsAsciiDigit(peek(n))) n++;
    return n;
  }
  // REQUIRES: the next n characters are digits, n <= 9.
  int Number(size_t n) {
    int value = 0;
    for (; n > 0; n--) value = value * 10 + (text_[at_++] - '0');
    return value;
  }
  std::string_view Word() {
    const size_t start = at_;
    while (!done() && IsLetter(peek())) at_++;
    return text_.substr(start, at_ - start);
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

// Reads "+01:00", "-0800", "+1", starting at the sign.
bool ReadOffset(Reader* in, int* minutes) {
  const int sign = in->peek() == '-' ? -1 : 1;
  in->Skip();
  const size_t digits = in->CountDigits();
  int h = 0;
  int m = 0;
  if (digits == 4 || digits == 3) {
    h = in->Number(digits - 2);
    m = in->Number(2);
  } else if (digits == 1 || digits == 2) {
    h = in->Number(digits);
    if (in->peek() == ':' && IsAsciiDigit(in->peek(1)) && IsAsciiDigit(in->peek(2))) {
      in->Skip();
      m = in->Number(2);
    }
  } else {
    return false;
  }
  if (h > 24 || m > 59) return false;
  *minutes = sign * (h * 60 + m);
  return true;
}

// Reads what follows the hour: ":mm", ":mm:ss", ":mm:ss.fff".
bool ReadMinutesAndSeconds(Reader* in, Parts* parts) {
  if (!in->Take(':')) return false;
  size_t digits = in->CountDigits();
  if (digits < 1 || digits > 2) return false;
  parts->minute = in->Number(digits);
  if (in->peek() == ':') {
    in->Skip();
    digits = in->CountDigits();
    if (digits < 1 || digits > 2) return false;
    parts->second = in->Number(digits);
  }
  if ((in->peek() == '.' || in->peek() == ',') && IsAsciiDigit(in->peek(1))) {
    in->Skip();
    while (IsAsciiDigit(in->peek())) in->Skip();
  }
  return true;
}

// Reads the rest of an ISO date after the day: nothing, or a time and perhaps a zone.
bool ReadIsoTime(Reader* in, Parts* parts) {
  if (in->peek() == 'T' || in->peek() == 't' || in->peek() == '_') in->Skip();
  in->SkipSpaces();
  if (in->done()) return true;
  if (IsAsciiDigit(in->peek())) {
    const size_t digits = in->CountDigits();
    if (digits == 4 || digits == 6) {
      parts->hour = in->Number(2);
      parts->minute = in->Number(2);
      if (digits == 6) parts->second = in->Number(2);
      if ((in->peek() == '.' || in->peek() == ',') && IsAsciiDigit(in->peek(1))) {
        in->Skip();
        while (IsAsciiDigit(in->peek())) in->Skip();
      }
    } else if (digits == 1 || digits == 2) {
      parts->hour = in->Number(digits);
      if (in->peek() == ':' && !ReadMinutesAndSeconds(in, parts)) return false;
    } else {
      return false;
    }
    in->SkipSpaces();
  }
  if (in->peek() == '+' || in->peek() == '-') {
    if (!ReadOffset(in, &parts->zone_minutes)) return false;
  } else if (const std::string_view zone = in->Word(); !zone.empty()) {
    if (EqualsIgnoringCase(zone, "am") || EqualsIgnoringCase(zone, "pm")) {
      if (parts->hour < 1 || parts->hour > 12) return false;
      parts->hour = parts->hour % 12 + (AsciiLower(zone[0]) == 'p' ? 12 : 0);
    } else if (!ZoneOf(zone, &parts->zone_minutes)) {
      return false;
    }
  }
  in->SkipSpaces();
  return in->done();
}

std::optional<int64_t> ParseIso(std::string_view text) {
  Reader in(text);
  Parts parts;
  const size_t digits = in.CountDigits();
  if (digits == 8 || digits == 14) {
    parts.year = in.Number(4);
    parts.month = in.Number(2);
    parts.day = in.Number(2);
    return ReadIsoTime(&in, &parts) ? SecondsOf(parts) : std::nullopt;
  }
  if (digits != 4) return std::nullopt;
  parts.year = in.Number(4);
  if (in.done()) return SecondsOf(parts);
  const char separator = in.peek();
  if (separator != '-' && separator != '/' && separator != '.') return std::nullopt;
  in.Skip();
  const size_t month_digits = in.CountDigits();
  if (month_digits == 3) {
    const int day = in.Number(3);
    const bool leap = SecondsFromCivil({.year = parts.year, .month = 2, .day = 29}).has_value();
    if (day < 1 || day > (leap ? 366 : 365) || !ReadIsoTime(&in, &parts)) return std::nullopt;
    const auto time = SecondsOf(parts);
    return time ? std::optional<int64_t>(*time + (day - 1) * kSecondsPerDay) : std::nullopt;
  }
  if (month_digits < 1 || month_digits > 2) return std::nullopt;
  parts.month = in.Number(month_digits);
  if (in.peek() == separator) {
    in.Skip();
    const size_t day_digits = in.CountDigits();
    if (day_digits < 1 || day_digits > 2) return std::nullopt;
    parts.day = in.Number(day_digits);
  }
  return ReadIsoTime(&in, &parts) ? SecondsOf(parts) : std::nullopt;
}

// Reads a date whose parts are recognised by their form rather than their position.
class LooseReader {
 public:
  LooseReader(std::string_view text, int latest_short_year)
      : in_(text), latest_short_year_(latest_short_year) {
    parts_.year = -1;
  }

  std::optional<int64_t> Read() {
    while (!in_.done()) {
      const char c = in_.peek();
      bool good = true;
      if (IsAsciiDigit(c)) {
        good = ReadNumber();
      } else if (IsLetter(c)) {
        good = ReadWord();
      } else if ((c == '+' || c == '-') && has_time_ && IsAsciiDigit(in_.peek(1))) {
        good = ReadOffset(&in_, &parts_.zone_minutes);
      } else {
        in_.Skip();
      }
      if (!good) return std::nullopt;
    }
    if (parts_.year < 0 || !has_day_ || !has_month_) return std::nullopt;
    if (half_ != 0) {
      if (parts_.hour < 1 || parts_.hour > 12) return std::nullopt;
      parts_.hour = parts_.hour % 12 + (half_ == 'p' ? 12 : 0);
    }
    return SecondsOf(parts_);
  }

 private:
  int FullYear(int year, size_t digits) const {
    if (digits > 3) return year;
    if (digits == 3) return year + 1900;
    const int back = (latest_short_year_ - year) % 100;  // years between the intended year and the latest
    return latest_short_year_ - back;
  }

  bool ReadNumber() {
    const size_t digits = in_.CountDigits();
    if (digits > 4) return false;
    const int number = in_.Number(digits);
    const char next = in_.peek();
    if (next == ':' && !has_time_) {
      has_time_ = true;
      parts_.hour = number;
      return ReadMinutesAndSeconds(&in_, &parts_);
    }
    if ((next == '/' || next == '.') && digits <= 2 && !has_day_ && IsAsciiDigit(in_.peek(1))) {
      return ReadNumericDate(number, next);
    }
    if (digits <= 2 && !has_day_) {
      has_day_ = true;
      parts_.day = number;
      return true;
    }
    if (digits >= 2 && parts_.year < 0) {
      parts_.year = FullYear(number, digits);
      return true;
    }
    return false;
  }

  // "1/5/2004", "5.1.2004", at the first separator.
  bool ReadNumericDate(int first, char separator) {
    in_.Skip();
    size_t digits = in_.CountDigits();
    if (digits > 2) return false;
    const int second = in_.Number(digits);
    if (!in_.Take(separator)) return false;
    digits = in_.CountDigits();
    if (digits < 2 || digits > 4) return false;
    parts_.year = FullYear(in_.Number(digits), digits);
    const bool day_first = separator == '.' || first > 12;
    parts_.day = day_first ? first : second;
    parts_.month = day_first ? second : first;
    has_day_ = has_month_ = true;
    return true;
  }

  // Skips words without meaning (weekdays, "at", "de"). A second month replaces the first, because "mar" may
  // also be a Tuesday.
  bool ReadWord() {
    const std::string_view word = in_.Word();
    if (EqualsIgnoringCase(word, "am") || EqualsIgnoringCase(word, "pm")) {
      if (has_time_) half_ = AsciiLower(word[0]);
      return true;
    }
    if (has_time_ && ZoneOf(word, &parts_.zone_minutes)) return true;
    if (const int month = MonthOf(word); month != 0) {
      has_month_ = true;
      parts_.month = month;
    }
    return true;
  }

  Reader in_;
  int latest_short_year_;
  Parts parts_;
  bool has_day_ = false;
  bool has_month_ = false;
  bool has_time_ = false;
  char half_ = 0;
};

}  // namespace

std::optional<int64_t> ParseDate(std::string_view text, int latest_short_year) {
  text = TrimAsciiSpace(text);
  if (text.empty() || text.size() > kMaxDateBytes) return std::nullopt;
  if (const auto iso = ParseIso(text)) return iso;
  return LooseReader(text, latest_short_year).Read();
}

}  // namespace crivello::web
