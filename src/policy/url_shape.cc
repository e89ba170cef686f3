// SPDX-License-Identifier: Apache-2.0
#include "policy/url_shape.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/ascii.h"
#include "base/hash.h"

namespace crivello::policy {
namespace {

constexpr size_t kMaxParts = 64;  // parts examined: a URL with more violates another rule

bool IsNumber(std::string_view text) { return !text.empty() && AllAsciiDigits(text); }

// Calls use(part) for each part between separators.
template <typename Use>
void ForEachPart(std::string_view text, char separator, Use use) {
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    use(text.substr(at, end - at));
    at = end + 1;
  }
}

struct Parameter {
  std::string_view name, value;
};
Parameter ParameterOf(std::string_view part) {
  const size_t equals = part.find('=');
  if (equals == std::string_view::npos) return {part, {}};
  return {part.substr(0, equals), part.substr(equals + 1)};
}

// Parts of a path or query, up to kMaxParts of them: views, on the stack.
struct Parts {
  std::array<std::string_view, kMaxParts> part;
  size_t size = 0;
  void Add(std::string_view text) {
    if (size < kMaxParts) part[size++] = text;
  }
};
Parts SegmentsOf(std::string_view path) {
  Parts parts;
  if (path.starts_with('/')) path.remove_prefix(1);
  if (path.ends_with('/')) path.remove_suffix(1);  // the "/" at the end is not a segment
  if (!path.empty()) ForEachPart(path, '/', [&](std::string_view part) { parts.Add(part); });
  return parts;
}

int NumberOf(std::string_view digits) {
  int value = -1;
  if (digits.size() <= 4) std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

bool IsYear(std::string_view text) { return text.size() == 4 && IsNumber(text) && NumberOf(text) > 0; }
bool IsUpTo(std::string_view text, int most) {
  return text.size() <= 2 && IsNumber(text) && NumberOf(text) >= 1 && NumberOf(text) <= most;
}

// The year of "2026-01" or "2026-01-31"; 0 if it is not a date.
int YearOfDashed(std::string_view text) {
  if (text.size() != 7 && text.size() != 10) return 0;
  if (!IsYear(text.substr(0, 4)) || text[4] != '-' || !IsUpTo(text.substr(5, 2), 12)) return 0;
  if (text.size() == 10 && (text[7] != '-' || !IsUpTo(text.substr(8), 31))) return 0;
  return NumberOf(text.substr(0, 4));
}

// A word that calendars have in their paths.
bool NamesCalendar(std::string_view segment) {
  constexpr std::string_view kWords[] = {"calendar",   "cal",    "calendrier", "kalender",
                                         "calendario", "agenda", "day",        "month",
                                         "week",       "date",   "events",     "kalendarium"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return EqualsIgnoringCase(segment, word); });
}

uint32_t Fold(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }

// The hash of the path without its date, and of the parameter names.
uint32_t CalendarHash(std::string_view path, const web::Url& url) {
  return Fold(Mix64(Hash64(path) + ParameterNames(url).value_or(0)));
}

std::optional<UrlDate> DateInPath(const web::Url& url) {
  std::string_view path = url.pathname();
  const Parts segments = SegmentsOf(path);
  if (segments.size == 0 || segments.size == kMaxParts) return std::nullopt;
  const auto& part = segments.part;
  const size_t n = segments.size;
  const auto before = [&](size_t first) {
    return path.substr(0, static_cast<size_t>(part[first].data() - path.data()));
  };
  std::string_view last = part[n - 1];
  last = last.substr(0, last.find('.'));  // 2026-01-31.html
  if (const int year = YearOfDashed(last); year > 0) return UrlDate{year, CalendarHash(before(n - 1), url)};
  if (n >= 3 && IsYear(part[n - 3]) && IsUpTo(part[n - 2], 12) && IsUpTo(last, 31)) {
    return UrlDate{NumberOf(part[n - 3]), CalendarHash(before(n - 3), url)};
  }
  if (n >= 3 && IsYear(part[n - 2]) && IsUpTo(last, 12) && NamesCalendar(part[n - 3])) {
    return UrlDate{NumberOf(part[n - 2]), CalendarHash(before(n - 2), url)};
  }
  return std::nullopt;
}

std::optional<UrlDate> DateInQuery(const web::Url& url) {
  int year = 0, named_year = 0;
  bool month = false;
  ForEachPart(*url.query(), '&', [&](std::string_view part) {
    const auto [name, value] = ParameterOf(part);
    if (year == 0) year = YearOfDashed(value);
    if (IsYear(value) &&
        (EqualsIgnoringCase(name, "year") || EqualsIgnoringCase(name, "y") || EqualsIgnoringCase(name, "yr")))
      named_year = NumberOf(value);
    month = month || (IsUpTo(value, 12) && (EqualsIgnoringCase(name, "month") ||
                                            EqualsIgnoringCase(name, "m") || EqualsIgnoringCase(name, "mo")));
  });
  if (year == 0 && month) year = named_year;
  if (year == 0) return std::nullopt;
  return UrlDate{year, CalendarHash(url.pathname(), url)};
}

bool NamesSession(std::string_view name) {
  constexpr std::string_view kNames[] = {"sid",        "sessionid", "session_id", "session", "phpsessid",
                                         "jsessionid", "sessid",    "cfid",       "cftoken", "zenid",
                                         "oscsid",     "xtcsid",    "sess_id",    "s_id",    "asessionid"};
  if (name.size() > 12 && EqualsIgnoringCase(name.substr(0, 12), "aspsessionid")) return true;
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view n) { return EqualsIgnoringCase(name, n); });
}

// Eight letters and digits or more, some of them digits: not what a person would choose.
bool LooksRandom(std::string_view value) {
  const auto digits = std::count_if(value.begin(), value.end(), IsAsciiDigit);
  const auto letters = std::count_if(value.begin(), value.end(), IsAsciiAlpha);
  return value.size() >= 8 && digits >= 2 && static_cast<size_t>(digits + letters) * 10 >= value.size() * 8;
}

}  // namespace

std::optional<UrlDate> DateOf(const web::Url& url) {
  if (url.query()) {
    if (const auto date = DateInQuery(url)) return date;
  }
  return DateInPath(url);
}

std::optional<uint32_t> WithoutSessionId(const web::Url& url) {
  bool found = false;
  uint64_t hash = Hash64(url.protocol(), url.effective_port());
  const auto add = [&](std::string_view piece) { hash = Mix64(hash ^ Hash64(piece)); };
  ForEachPart(url.pathname(), '/', [&](std::string_view segment) {
    const size_t semicolon = segment.find(';');
    if (segment.starts_with("(S(") || segment.starts_with("(s(")) {
      found = true;
    } else if (semicolon != std::string_view::npos &&
               NamesSession(ParameterOf(segment.substr(semicolon + 1)).name)) {
      found = true;
      add(segment.substr(0, semicolon));
    } else {
      add(segment);
    }
  });
  if (const auto query = url.query()) {
    ForEachPart(*query, '&', [&](std::string_view part) {
      const auto [name, value] = ParameterOf(part);
      if (NamesSession(name) && LooksRandom(value)) {
        found = true;
      } else {
        add(part);
      }
    });
  }
  if (!found) return std::nullopt;
  return Fold(hash);
}

std::optional<uint32_t> ParameterNames(const web::Url& url) {
  const auto query = url.query();
  if (!query || query->empty()) return std::nullopt;
  uint64_t sum = 0;  // independent of the order
  ForEachPart(*query, '&', [&](std::string_view part) { sum += Hash64(ParameterOf(part).name); });
  return Fold(Mix64(sum));
}

bool HasRepeatedSegments(std::string_view path) {
  const Parts segments = SegmentsOf(path);
  const auto& part = segments.part;
  const size_t n = segments.size;
  constexpr size_t kRow = 3, kAll = 5;
  // Repeated sequences of `length` segments: run counts how long the path matches itself, shifted.
  for (size_t length = 1; length * kRow <= n; length++) {
    size_t run = 0;
    for (size_t i = length; i < n; i++) {
      run = part[i] == part[i - length] ? run + 1 : 0;
      // Repeated numbers and single letters are mostly positions in a tree: /0/0/0/, /a/a/a/.
      if (run == length * (kRow - 1) && !(length == 1 && (part[i].size() == 1 || IsNumber(part[i]))))
        return true;
    }
  }
  for (size_t i = 0; i < n; i++) {
    if (part[i].size() <= 1 || IsNumber(part[i])) continue;
    size_t same = 1;
    for (size_t j = i + 1; j < n; j++) same += part[j] == part[i] ? 1 : 0;
    if (same >= kAll) return true;
  }
  return false;
}

bool HasRepeatedParameters(std::string_view query) {
  Parts parameters;
  ForEachPart(query, '&', [&](std::string_view part) { parameters.Add(part); });
  for (size_t i = 0; i < parameters.size; i++) {
    size_t same = 1;
    for (size_t j = i + 1; j < parameters.size; j++) same += parameters.part[j] == parameters.part[i] ? 1 : 0;
    if (same >= 3 && !parameters.part[i].empty()) return true;
  }
  return false;
}

uint32_t CountSegments(std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  return static_cast<uint32_t>(std::count(path.begin(), path.end(), '/'));
}

uint32_t CountParameters(std::string_view query) {
  return query.empty() ? 0 : static_cast<uint32_t>(std::count(query.begin(), query.end(), '&')) + 1;
}

}  // namespace crivello::policy
