// SPDX-License-Identifier: Apache-2.0
#include "web/http/http_date.h"

#include <gtest/gtest.h>

#include <ctime>

#include "base/random.h"

namespace crivello::web {
namespace {

constexpr int64_t kNow = 1794700800;  // 2026-11-15
constexpr int64_t kExample = 784111777;

std::optional<int64_t> ParseDate(std::string_view text) { return ParseHttpDate(text, kNow); }

TEST(HttpDateTest, ReadsTheThreeForms) {
  EXPECT_EQ(ParseDate("Sun, 06 Nov 1994 08:49:37 GMT"), kExample);
  EXPECT_EQ(ParseDate("Sunday, 06-Nov-94 08:49:37 GMT"), kExample);
  EXPECT_EQ(ParseDate("Sun Nov  6 08:49:37 1994"), kExample);
}

TEST(HttpDateTest, ReadsWhatElseServersSend) {
  for (const std::string_view text :
       {"06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 UTC", "Sun, 06-Nov-1994 08:49:37 GMT",
        "Mon, 06 Nov 1994 08:49:37 GMT", "sun, 06 november 1994 08:49:37", "Sun, 06 Nov 1994 09:49:37 +0100",
        "Sun, 06 Nov 1994 03:49:37 EST", "Sun, 06 Nov 1994 03:49:37 -05:00", "1994-11-06T08:49:37Z",
        "1994-11-06 08:49:37", "1994-11-06T10:49:37.25+02:00", "Nov 6, 1994 08:49:37",
        " Sun, 06 Nov 1994 08:49:37 GMT "}) {
    EXPECT_EQ(ParseDate(text), kExample) << text;
  }
  EXPECT_EQ(ParseDate("Sun, 06 Nov 1994 08:49 GMT"), kExample - 37);
  EXPECT_EQ(ParseDate("1994-11-06"), kExample - kExample % 86400);
}

TEST(HttpDateTest, RefusesWhatIsNoDate) {
  for (const std::string_view text :
       {"", "0", "-1", "now", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
        "Sun, 06 Nov 1994 08:61:37 GMT", "06 Nov", "Sun, 00 Nov 1994 08:49:37 GMT", "1994-13-06T08:49:37Z",
        "Thu, 01 Jan 0001 00:00:00 GMT", "Sun, 06 Nov 19940 08:49:37 GMT"}) {
    EXPECT_EQ(ParseDate(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseDate(std::string(1000, '1')), std::nullopt);
}

TEST(HttpDateTest, PutsTwoDigitYearsAtMostFiftyYearsAhead) {
  const auto year = [](std::string_view two) {
    const auto time = ParseDate("Sunday, 06-Nov-" + std::string(two) + " 00:00:00 GMT");
    return FormatHttpDate(*time).substr(12, 4);
  };
  EXPECT_EQ(year("26"), "2026");
  EXPECT_EQ(year("76"), "2076");
  EXPECT_EQ(year("77"), "1977");
  EXPECT_EQ(year("99"), "1999");
  EXPECT_EQ(year("00"), "2000");
}

TEST(HttpDateTest, WritesWhatItReads) {
  EXPECT_EQ(FormatHttpDate(kExample), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(FormatHttpDate(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(FormatHttpDate(-1), "Wed, 31 Dec 1969 23:59:59 GMT");
  constexpr uint64_t kSeed = 7;
  SCOPED_TRACE(kSeed);
  SeededRandom random(kSeed);
  for (int i = 0; i < 20000; i++) {
    const auto time = static_cast<int64_t>(random.Below(250000000000)) - 11000000000;
    const std::string text = FormatHttpDate(time);
    ASSERT_EQ(ParseDate(text), time) << text;
    // The system's calendar is the reference.
    const std::time_t system = time;
    std::tm parts = {};
    gmtime_r(&system, &parts);
    char expected[64];
    std::strftime(expected, sizeof(expected), "%a, %d %b %Y %H:%M:%S GMT", &parts);
    ASSERT_EQ(text, expected);
  }
}

}  // namespace
}  // namespace crivello::web
