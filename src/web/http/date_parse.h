// SPDX-License-Identifier: Apache-2.0
// Dates as feeds, sitemaps and careless servers write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace crivello::web {

// Seconds since 1970-01-01T00:00:00Z of a date, or nothing if it makes no sense.  Taken are
//   - RFC 3339 and ISO 8601: every granularity of W3CDTF (2004, 2004-01, 2004-01-05, with time, seconds,
//     fraction, zone), the basic form (20040105T102030Z), ordinal days (2004-005), a space or '_' for the
//     'T';
//   - RFC 822, 2822, 850 and asctime with the usual errors: no weekday or a wrong one, full month names,
//     months in the western European languages, years of two digits, no seconds, no zone, AM and PM, zones by
//     name, the parts in another order, commas and dashes anywhere;
//   - 1/5/2004 (month first unless that cannot be), 5.1.2004 (day first), 2004/01/05.
// A missing zone is UTC, a missing time midnight, a missing month or day the first; fractions are cut.  24:00
// is the next midnight, a leap second the next minute.  Years 1 to 9999; one of two digits is among the
// hundred years up to `latest_short_year` (at least 99).  Linear, no allocation, thread-safe.
std::optional<int64_t> ParseDate(std::string_view text, int latest_short_year = 2049);

}  // namespace crivello::web
