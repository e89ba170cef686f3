// SPDX-License-Identifier: Apache-2.0
#include "base/civil_time.h"

#include <gtest/gtest.h>

#include <ctime>
#include <limits>

#include "base/random.h"

namespace crivello {
namespace {

TEST(CivilTimeTest, KnowsTheCalendar) {
  EXPECT_EQ(SecondsFromCivil({.year = 1970}), 0);
  EXPECT_EQ(SecondsFromCivil({.year = 2000, .month = 2, .day = 29}), 951782400);
  EXPECT_EQ(SecondsFromCivil({.year = 1994, .month = 11, .day = 6, .hour = 8, .minute = 49, .second = 37}),
            784111777);
  EXPECT_EQ(SecondsFromCivil({.year = 2016, .month = 12, .day = 31, .hour = 23, .minute = 59, .second = 60}),
            SecondsFromCivil({.year = 2017}));
}

TEST(CivilTimeTest, RefusesWhatIsNoMoment) {
  for (const CivilTime& time :
       {CivilTime{.year = -1}, CivilTime{.year = 10000}, CivilTime{.month = 0}, CivilTime{.month = 13},
        CivilTime{.day = 0}, CivilTime{.month = 4, .day = 31}, CivilTime{.year = 1900, .month = 2, .day = 29},
        CivilTime{.day = std::numeric_limits<int>::max()}, CivilTime{.day = 257}, CivilTime{.month = 257},
        CivilTime{.hour = 24}, CivilTime{.hour = -1}, CivilTime{.minute = 60}, CivilTime{.minute = -1},
        CivilTime{.second = 61}, CivilTime{.second = -1}}) {
    EXPECT_EQ(SecondsFromCivil(time), std::nullopt) << time.year << '-' << time.month << '-' << time.day;
  }
}

// Compared with the C library, which has its own calendar.
TEST(CivilTimeTest, AgreesWithTheSystemOnRandomMoments) {
  const uint64_t seed = 28500;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (int i = 0; i < 20000; i++) {
    // Years 0 to 9999.
    const auto moment = static_cast<time_t>(random.Below(uint64_t{315569520000})) - time_t{62167219200};
    tm parts{};
    gmtime_r(&moment, &parts);
    const CivilTime civil = CivilFromSeconds(moment);
    ASSERT_EQ(civil.year, parts.tm_year + 1900) << moment;
    ASSERT_EQ(civil.month, parts.tm_mon + 1) << moment;
    ASSERT_EQ(civil.day, parts.tm_mday) << moment;
    ASSERT_EQ(civil.hour, parts.tm_hour) << moment;
    ASSERT_EQ(civil.minute, parts.tm_min) << moment;
    ASSERT_EQ(civil.second, parts.tm_sec) << moment;
    ASSERT_EQ(WeekdayOf(moment), parts.tm_wday) << moment;
    ASSERT_EQ(SecondsFromCivil(civil), int64_t{moment});
  }
}

TEST(CivilTimeTest, CountsWholeSecondsAndMicroseconds) {
  const WallTime time(std::chrono::nanoseconds(1'999'999'999));
  EXPECT_EQ(ToSeconds(time), 1);
  EXPECT_EQ(ToMicroseconds(time), 1'999'999);
}

TEST(CivilTimeTest, WritesRfc3339) {
  EXPECT_EQ(FormatRfc3339(1577934245), "2020-01-02T03:04:05Z");
  EXPECT_EQ(FormatRfc3339(-1), "1969-12-31T23:59:59Z");
  EXPECT_EQ(FormatRfc3339(-62167219200), "0000-01-01T00:00:00Z");
  EXPECT_EQ(FormatRfc3339(253402300799), "9999-12-31T23:59:59Z");
}

TEST(CivilTimeTest, SurvivesMomentsOfNoCalendar) {
  for (const int64_t moment : {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}) {
    const CivilTime civil = CivilFromSeconds(moment);
    EXPECT_TRUE(civil.month >= 1 && civil.month <= 12 && civil.hour >= 0 && civil.hour < 24);
  }
}

}  // namespace
}  // namespace crivello
