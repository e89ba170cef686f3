// SPDX-License-Identifier: Apache-2.0
// HTTP dates, in seconds since 1970-01-01 00:00:00 UTC.
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
// and anything else that ParseDate() accepts. A two-digit year is the one at most 50 years after `now`.
// Years 1601 to 9999. nullopt if the text is not a date or the day is not in the calendar. No allocation,
// linear.
std::optional<int64_t> ParseHttpDate(std::string_view text, int64_t now);

// Writes an IMF-fixdate. REQUIRES: the year is in 0 to 9999.
std::string FormatHttpDate(int64_t time);

}  // namespace crivello::web
