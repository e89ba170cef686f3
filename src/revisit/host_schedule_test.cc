// SPDX-License-Identifier: Apache-2.0
#include "revisit/host_schedule.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace crivello::revisit {
namespace {

// A host as crawls find them: a few folders with numbered or named pages, 20 visits each.
std::vector<ScheduledPage> HostOf(Random& random, uint32_t pages) {
  std::vector<ScheduledPage> host;
  for (uint32_t i = 0; i < pages; i++) {
    ScheduledPage page;
    page.name = fmt::format("/section-{:02}/20{:02}/{:05}-article-{:x}.html", i * 7 / pages, i * 40 / pages,
                            i, random.Below(1 << 20));
    page.last_hour = static_cast<uint32_t>(495'000 + random.Below(2000));
    page.due_hour = page.last_hour + 1 + static_cast<uint32_t>(random.Below(3000));
    page.probes = static_cast<uint8_t>(random.Below(9));
    page.failures = static_cast<uint8_t>(random.Below(3));
    const double days = std::exp(4 * random.Unit());
    for (int visit = 0; visit < 20; visit++) {
      const double length = days * (0.5 + random.Unit());
      random.Unit() < 0.5 ? page.history.AddChanged(length) : page.history.AddUnchanged(length);
    }
    host.push_back(std::move(page));
  }
  return host;
}

TEST(HostScheduleTest, ReadsWhatWasWritten) {
  SeededRandom random(51);
  for (const uint32_t pages : {0u, 1u, 2u, 300u}) {
    const std::vector<ScheduledPage> host = HostOf(random, pages);
    const std::string bytes = EncodeHostSchedule(host);
    const auto read = DecodeHostSchedule(bytes);
    ASSERT_TRUE(read) << pages;
    ASSERT_EQ(read->size(), pages);
    for (uint32_t i = 0; i < pages; i++) {
      EXPECT_EQ((*read)[i].name, host[i].name);
      EXPECT_EQ((*read)[i].last_hour, host[i].last_hour);
      EXPECT_EQ((*read)[i].due_hour, host[i].due_hour);
      EXPECT_EQ((*read)[i].probes, host[i].probes);
      EXPECT_EQ((*read)[i].failures, host[i].failures);
      EXPECT_NEAR((*read)[i].history.visits(), host[i].history.visits(), 0.125);
      EXPECT_NEAR((*read)[i].history.unchanged_days(), host[i].history.unchanged_days(), 1.0 / 24);
      for (size_t c = 0; c < History::kClasses; c++) {
        EXPECT_NEAR((*read)[i].history.changed(c), host[i].history.changed(c), 0.125);
      }
    }
    EXPECT_EQ(EncodeHostSchedule(*read), bytes);
    EXPECT_EQ(FirstDueHour(*read).has_value(), pages > 0);
  }
}

TEST(HostScheduleTest, FirstDueHourIsTheLeast) {
  std::vector<ScheduledPage> host(3);
  host[0].due_hour = 9;
  host[1].due_hour = 4;
  host[2].due_hour = 6;
  EXPECT_EQ(FirstDueHour(host), 4u);
}

TEST(HostScheduleTest, TakesAtMost40BytesAPageWithItsName) {
  SeededRandom random(52);
  const std::string bytes = EncodeHostSchedule(HostOf(random, 1000));
  EXPECT_LE(bytes.size(), 40u * 1000);
}

TEST(HostScheduleTest, RefusesEveryFlippedAndCutByte) {
  SeededRandom random(53);
  const std::string bytes = EncodeHostSchedule(HostOf(random, 5));
  for (size_t i = 0; i < bytes.size(); i++) {
    EXPECT_FALSE(DecodeHostSchedule(bytes.substr(0, i))) << i;
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    EXPECT_FALSE(DecodeHostSchedule(flipped)) << i;
  }
}

}  // namespace
}  // namespace crivello::revisit
