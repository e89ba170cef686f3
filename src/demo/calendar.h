// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace crivello::demo {

// The path of the newspaper's calendar.
inline constexpr std::string_view kCalendarPath = "/agenda/";

// The page of a month (/agenda/2026/11) or of a day (/agenda/2026/11/15); nullopt for any other path.  A
// month links to its days and to the adjacent months, up to the year 999999: more pages than a crawl should
// ever take, each slightly different from the others, as in real calendars.  Thread-safe.
std::optional<std::string> CalendarPage(std::string_view path);

}  // namespace crivello::demo
