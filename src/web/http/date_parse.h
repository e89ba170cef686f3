// SPDX-License-Identifier: Apache-2.0
// Dates as found in feeds, sitemaps and the responses of careless servers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace crivello::web {

// Seconds since 1970-01-01T00:00:00Z of a date, or nullopt if it is not understood. Accepts
//   - RFC 3339 and ISO 8601: every granularity of W3CDTF (2004, 2004-01, 2004-01-05, with time, seconds,
//     fraction, zone), the basic form (20040105T102030Z), ordinal days (2004-005), a space or '_' for the
//     'T';
//   - RFC 822, 2822, 850 and asctime with the usual errors: missing or wrong weekday, full month names,
//     months in western European languages, two-digit years, no seconds, no zone, AM and PM, named zones, a
//     different order of the parts, commas and dashes anywhere;
//   - 1/5/2004 (month first unless that cannot be), 5.1.2004 (day first), 2004/01/05.
// The default zone is UTC, the default time midnight, the default month or day the first; fractions are
// truncated. 24:00 is the next midnight, a leap second the next minute. Years 1 to 9999. A two-digit year is
// in the hundred years up to `latest_short_year` (at least 99). Linear, no allocation, thread-safe.
std::optional<int64_t> ParseDate(std::string_view text, int latest_short_year = 2049);

}  // namespace crivello::web
