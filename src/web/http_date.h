// SPDX-License-Identifier: Apache-2.0
// Dates of HTTP, in seconds since 1970-01-01 00:00:00 UTC.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crivello::web {

// Reads the three forms of RFC 9110 (section 5.6.7)
//   Sun, 06 Nov 1994 08:49:37 GMT      IMF-fixdate
//   Sunday, 06-Nov-94 08:49:37 GMT     RFC 850
//   Sun Nov  6 08:49:37 1994           asctime
// and what else is met: any order of day, month name, year and time (as RFC 6265 reads cookies' dates), no
// seconds, no weekday or a wrong one, zones (+0100, EST), and ISO 8601.  A time without a zone is UTC.
//
// A year of two digits is the one that is at most 50 years after `now`.  Years 1601 to 9999.  Nothing if the
// text is no date or the day is not in the calendar.  No allocation; linear, and at most 100 bytes are read.
std::optional<int64_t> ParseHttpDate(std::string_view text, int64_t now);

// IMF-fixdate.  REQUIRES: the year is in 0 to 9999.
std::string FormatHttpDate(int64_t time);

// Days since 1970-01-01 of a date of the (proleptic) Gregorian calendar.
int64_t DaysFromCivil(int64_t year, int month, int day);

}  // namespace crivello::web
