// SPDX-License-Identifier: Apache-2.0
// Numbers, times and names as the pages show them, in English.  Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crivello::serve {

// 1234567 is "1,234,567".
std::string Grouped(uint64_t number);
// "1 page", "2,000 pages".
std::string Counted(uint64_t number, std::string_view one, std::string_view many);
// "3.5 MiB".
std::string SizeOf(uint64_t bytes);
// "8 s", "12 min", "3 h 5 min", "2 days".
std::string LastingOf(double seconds);
// "12 November 2026"; with the time, "12 November 2026, 18:05 UTC".
std::string DayOf(int64_t seconds);
std::string MomentOf(int64_t seconds);
// "pt-BR" is "Portuguese (Brazil)"; an unknown code is returned as is.
std::string LanguageName(std::string_view code);
// "application/pdf" and "pdf" are "PDF"; other types are returned as is.
std::string TypeName(std::string_view type);
// Whether a type is plain HTML, which the pages need not mention.
bool IsHtmlType(std::string_view type);

}  // namespace crivello::serve
