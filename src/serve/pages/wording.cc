// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/wording.h"

#include <fmt/format.h>
#include <unicode/uloc.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/civil_time.h"

namespace crivello::serve {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};

constexpr std::pair<std::string_view, std::string_view> kTypeWords[] = {
    {"html", "Web pages"},
    {"pdf", "PDF"},
    {"application/pdf", "PDF"},
    {"text", "Plain text"},
    {"text/plain", "Text"},
    {"markdown", "Markdown"},
    {"text/markdown", "Markdown"},
    {"docx", "Word"},
    {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "Word"},
    {"odt", "OpenDocument"},
    {"application/vnd.oasis.opendocument.text", "OpenDocument"},
    {"epub", "EPUB"},
    {"application/epub+zip", "EPUB"},
    {"rtf", "RTF"},
    {"application/rtf", "RTF"},
    {"text/rtf", "RTF"},
};

}  // namespace

std::string Grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string Counted(uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", Grouped(number), number == 1 ? one : many);
}

std::string SizeOf(uint64_t bytes) {
  constexpr std::string_view kNames[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t i = 0;
  auto value = static_cast<double>(bytes);
  for (; value >= 1024 && i + 1 < std::size(kNames); i++) value /= 1024;
  return fmt::format("{:.{}f} {}", value, i == 0 || value >= 10 ? 0 : 1, kNames[i]);
}

std::string LastingOf(double seconds) {
  constexpr double kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  const auto whole = [](double value) { return static_cast<uint64_t>(std::max(value, 0.0)); };
  if (seconds < kMinute) return fmt::format("{} s", whole(seconds));
  if (seconds < kHour) return fmt::format("{} min", whole(seconds / kMinute));
  if (seconds < 2 * kDay) {
    return fmt::format("{} h {} min", whole(seconds / kHour), whole(seconds / kMinute) % 60);
  }
  return Grouped(whole(seconds / kDay)) + " days";
}

std::string DayOf(int64_t seconds) {
  const CivilTime time = CivilFromSeconds(seconds);
  const auto month = static_cast<size_t>(std::clamp(time.month, 1, 12));
  return fmt::format("{} {} {}", time.day, kMonths[month - 1], time.year);
}

std::string MomentOf(int64_t seconds) {
  const CivilTime time = CivilFromSeconds(seconds);
  return fmt::format("{}, {:02}:{:02} UTC", DayOf(seconds), time.hour, time.minute);
}

std::string LanguageName(std::string_view code) {
  icu::UnicodeString name;
  UErrorCode error = U_ZERO_ERROR;
  constexpr int32_t kRoom = 64;
  char16_t* buffer = name.getBuffer(kRoom);
  const int32_t length = uloc_getDisplayName(std::string(code).c_str(), "en", buffer, kRoom, &error);
  name.releaseBuffer(U_SUCCESS(error) && length < kRoom ? length : 0);
  std::string out;
  name.toUTF8String(out);
  return out.empty() ? std::string(code) : out;
}

std::string TypeName(std::string_view type) {
  for (const auto& [known, name] : kTypeWords) {
    if (type == known) return std::string(name);
  }
  return std::string(type);
}

bool IsHtmlType(std::string_view type) { return type == "text/html" || type == "application/xhtml+xml"; }

}  // namespace crivello::serve
