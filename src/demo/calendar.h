// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace crivello::demo {

// Under which the newspaper's calendar lies.
inline constexpr std::string_view kCalendarPath = "/agenda/";

// The page of a month (/agenda/2026/11) or of a day of it (/agenda/2026/11/15); nothing for any other path.
// A month links to its days and to the months beside it, up to the year 999999: more pages than a crawl
// should ever take, each a little different from the others, as calendars are.  Thread-safe.
std::optional<std::string> CalendarPage(std::string_view path);

}  // namespace crivello::demo
