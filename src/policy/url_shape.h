// SPDX-License-Identifier: Apache-2.0
// The features of a URL that the trap rules use.  All functions are pure and linear, and do not allocate.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "web/url/url.h"

namespace crivello::policy {

// The date that a page is about, if its URL ends in one: ".../2026/1", ".../2026/01/31/", ".../2026-01-31",
// "?date=2026-01", "?year=2026&month=1".  Without a day or a month written with a dash, only if the path or a
// parameter mentions a calendar: "/topic/1984/12" is not a date.  Nullopt for ".../2026/01/31/title".
struct UrlDate {
  int year = 0;
  uint32_t calendar = 0;  // hash of the rest of the URL: the same for all dates of a calendar
};
std::optional<UrlDate> DateOf(const web::Url& url);

// A hash of the URL without its session id; nullopt if it has none. A session id is a parameter with one of
// the names in use (or ";jsessionid=" in the path, or a segment "(S(...))") whose value looks random.
std::optional<uint32_t> WithoutSessionId(const web::Url& url);

// A hash of the set of parameter names, in any order; nullopt if there are none.
std::optional<uint32_t> ParameterNames(const web::Url& url);

// Whether a sequence of path segments occurs three times in a row, or one segment five times in total.
// Numbers and single letters count only for the former: dates and alphabets repeat.
bool HasRepeatedSegments(std::string_view path);

// Whether a parameter occurs three times with the same value.
bool HasRepeatedParameters(std::string_view query);

uint32_t CountSegments(std::string_view path);
uint32_t CountParameters(std::string_view query);

}  // namespace crivello::policy
