// SPDX-License-Identifier: Apache-2.0
#include "web/http/date_parse.h"

#include <gtest/gtest.h>
#include <time.h>

#include "base/random.h"

namespace crivello::web {
namespace {

// 2004-01-05T10:20:30Z.
constexpr int64_t kMoment = 1073298030;
constexpr int64_t kDay = 1073260800;

TEST(DateParseTest, ReadsEveryGranularityOfW3cdtf) {
  EXPECT_EQ(ParseDate("2004"), 1072915200);
  EXPECT_EQ(ParseDate("2004-01"), 1072915200);
  EXPECT_EQ(ParseDate("2004-01-05"), kDay);
  EXPECT_EQ(ParseDate("2004-01-05T10:20Z"), kMoment - 30);
  EXPECT_EQ(ParseDate("2004-01-05T10:20:30Z"), kMoment);
  EXPECT_EQ(ParseDate("2004-01-05T10:20:30.99Z"), kMoment);
  EXPECT_EQ(ParseDate("2004-01-05T12:20:30+02:00"), kMoment);
  EXPECT_EQ(ParseDate("2004-01-05T02:20:30.5-08:00"), kMoment);
}

TEST(DateParseTest, ReadsIso8601AsItIsWritten) {
  for (const char* text : {"20040105T102030Z", "20040105102030", "2004-01-05 10:20:30", "2004-01-05T10:20:30",
                           "2004-01-05t10:20:30z", "2004-01-05T12:20:30+0200", "2004-01-05T12:20:30+02",
                           " 2004-01-05T10:20:30Z\n", "2004-01-05 10:20:30 UTC", "2004-01-05 02:20:30 PST",
                           "2004-005T10:20:30Z", "2004/01/05 10:20:30", "2004-1-5 10:20:30",
                           "2004-01-05_10:20:30", "2004-01-05 10:20:30 AM", "2004-01-05T10:20:30 +0000"}) {
    EXPECT_EQ(ParseDate(text), kMoment) << text;
  }
}

TEST(DateParseTest, ReadsRfc822AndItsUsualErrors) {
  for (const char* text : {"Mon, 05 Jan 2004 10:20:30 GMT",
                           "Mon, 5 Jan 2004 10:20:30 +0000",
                           "05 Jan 2004 10:20:30 GMT",
                           "5 Jan 04 10:20:30 UT",
                           "Thu, 05 Jan 2004 10:20:30 Z",
                           "Monday, 05 January 2004 10:20:30 GMT",
                           "Mon, 05 Jan 2004 02:20:30 PST",
                           "Mon, 05 Jan 2004 02:20:30 -0800",
                           "Mon,05 Jan 2004 10:20:30 GMT",
                           "Mon 05 Jan 2004 10:20:30",
                           "Mon, Jan 05 2004 10:20:30 GMT",
                           "Monday, 05-Jan-04 10:20:30 GMT",
                           "Mon Jan  5 10:20:30 2004",
                           "Mon Jan  5 02:20:30 PST 2004",
                           "Jan 5, 2004 10:20:30 AM",
                           "January 5, 2004, 10:20:30",
                           "5-Jan-2004 10:20:30 GMT",
                           "Mon, 05 Jan 2004 12:20:30 GMT+0200",
                           "1/5/2004 10:20:30",
                           "5.1.2004 10:20:30",
                           "Mon, 05 Jan 2004 11:20:30 CET",
                           "lun, 05 gen 2004 10:20:30 GMT",
                           "lun. 5 janv. 2004 10:20:30",
                           "05 Jan 2004 10:20:30 +00:00",
                           "  Mon,  05  Jan  2004  10:20:30  GMT ",
                           "Mon, 05 Jan 104 10:20:30 GMT"}) {
    EXPECT_EQ(ParseDate(text), kMoment) << text;
  }
  EXPECT_EQ(ParseDate("Mon, 05 Jan 2004"), kDay);
  EXPECT_EQ(ParseDate("13/1/2004"), kDay + 8 * 86400);
  EXPECT_EQ(ParseDate("Jan 5, 2004 12:00 am"), kDay);
  EXPECT_EQ(ParseDate("Jan 5, 2004 12:00 pm"), kDay + 43200);
  EXPECT_EQ(ParseDate("mar, 06 apr 2004"), 1081209600) << "a Tuesday, not March";
  EXPECT_EQ(ParseDate("6 Nov 94 08:49:37 GMT"), 784111777);
}

TEST(DateParseTest, RollsOverMidnightsAndLeapSeconds) {
  EXPECT_EQ(ParseDate("2004-01-04T24:00:00Z"), kDay);
  EXPECT_EQ(ParseDate("Sun, 04 Jan 2004 23:59:60 GMT"), kDay);
}

TEST(DateParseTest, RefusesWhatIsNoDate) {
  for (const char* text : {"",
                           " ",
                           "yesterday",
                           "2004-13-05",
                           "2004-02-30",
                           "2003-02-29",
                           "2004-00-05",
                           "2004-01-00",
                           "0000-01-01",
                           "2004-01-05T25:00Z",
                           "2004-01-05T24:00:01Z",
                           "2004-01-05T10:60Z",
                           "2004-01-05T10:20:61Z",
                           "2004-366x",
                           "2003-366",
                           "32 Jan 2004",
                           "Jan 2004",
                           "5 2004",
                           "10:20:30",
                           "Mon, 05 Foo 2004 10:20:30 GMT",
                           "Mon, 05 Jan 2004 13:00 PM",
                           "2004-01-05T10:20+99:00",
                           "1/2",
                           "123456789",
                           "5 Jan 2004 2005",
                           "99999999999999999999"}) {
    EXPECT_EQ(ParseDate(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseDate(std::string(1000, '1')), std::nullopt);
}

// Compared with the C library, which has its own calendar.
TEST(DateParseTest, AgreesWithTheSystemOnRandomMoments) {
  const uint64_t seed = 20040105;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (int i = 0; i < 2000; i++) {
    // Years 1 to 9999.
    const auto moment = static_cast<time_t>(random.Below(uint64_t{315537897600})) - time_t{62135596800};
    tm parts{};
    gmtime_r(&moment, &parts);
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02dZ", parts.tm_year + 1900, parts.tm_mon + 1,
                  parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
    EXPECT_EQ(ParseDate(text), int64_t{moment}) << text;
    if (parts.tm_year < -900) continue;  // the system writes years below 1000 with fewer digits
    strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
    EXPECT_EQ(ParseDate(text), int64_t{moment}) << text;
    strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &parts);
    EXPECT_EQ(ParseDate(text), int64_t{moment}) << text;
  }
}

}  // namespace
}  // namespace crivello::web
