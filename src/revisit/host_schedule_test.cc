// SPDX-License-Identifier: Apache-2.0
#include "revisit/host_schedule.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace crivello::revisit {
namespace {

// A typical host: a few folders with numbered or named pages, 20 visits each.
HostSchedule HostOf(Random& random, uint32_t pages) {
  HostSchedule host = {.review_hour = 498'000};
  std::vector<History> histories;
  for (uint32_t i = 0; i < pages; i++) {
    ScheduledPage page;
    page.name = fmt::format("/section-{:02}/20{:02}/{:05}-article-{:x}.html", i * 7 / pages, i * 40 / pages,
                            i, random.Below(1 << 20));
    page.last_hour = static_cast<uint32_t>(495'000 + random.Below(2000));
    page.interval_hours = 1 + static_cast<uint32_t>(random.Below(3000));
    page.due_hour = page.last_hour + page.interval_hours;
    if (random.Below(8) == 0) {
      page.probing = true;
      page.due_hour = page.last_hour + page.interval_hours / 2;
    }
    page.depth = static_cast<uint32_t>(random.Below(9));
    page.probes = static_cast<uint8_t>(random.Below(9));
    page.failures = static_cast<uint8_t>(random.Below(8) == 0);
    page.queued = random.Below(20) == 0;
    if (random.Below(10) == 0) {
      page.hints = 1 + static_cast<uint32_t>(random.Below(5));
      page.hinted_by = HintSource::kIndexNow;
    }
    const double days = std::exp(4 * random.Unit());
    for (int visit = 0; visit < 20; visit++) {
      const double length = days * (0.5 + random.Unit());
      random.Unit() < 0.5 ? page.history.AddChanged(length) : page.history.AddUnchanged(length);
    }
    histories.push_back(page.history);
    host.pages.push_back(std::move(page));
  }
  host.prior = FitSite(histories, {.start = RateBelief::Wide(), .web = RateBelief::Wide()});
  host.fitted_at = 20 * pages;
  host.trust[1] = HintTrust();
  for (int i = 0; i < 20; i++) host.trust[1]->OnVisit(1, 1, random.Below(3) > 0, RateBelief::Wide());
  host.hinted_since = 494'000;
  return host;
}

TEST(HostScheduleTest, ReadsWhatWasWritten) {
  SeededRandom random(51);
  for (const uint32_t pages : {0u, 1u, 2u, 300u}) {
    const HostSchedule schedule = HostOf(random, pages);
    const std::vector<ScheduledPage>& host = schedule.pages;
    const std::string bytes = EncodeHostSchedule(schedule);
    const auto decoded = DecodeHostSchedule(bytes);
    ASSERT_TRUE(decoded) << pages;
    const std::vector<ScheduledPage>* const read = &decoded->pages;
    ASSERT_EQ(read->size(), pages);
    EXPECT_EQ(decoded->review_hour, schedule.review_hour);
    EXPECT_EQ(decoded->fitted_at, schedule.fitted_at);
    EXPECT_EQ(decoded->hinted_since, schedule.hinted_since);
    for (size_t i = 0; i < RateBelief::kRates; i++) {
      EXPECT_NEAR(decoded->prior->probability(i), schedule.prior->probability(i),
                  0.1 * schedule.prior->probability(i) + 1e-6);
    }
    EXPECT_FALSE(decoded->trust[0]);
    EXPECT_NEAR(decoded->trust[1]->precision(), schedule.trust[1]->precision(), 0.02);
    EXPECT_NEAR(decoded->trust[1]->recall(), schedule.trust[1]->recall(), 0.02);
    for (uint32_t i = 0; i < pages; i++) {
      EXPECT_EQ((*read)[i].name, host[i].name);
      EXPECT_EQ((*read)[i].last_hour, host[i].last_hour);
      EXPECT_EQ((*read)[i].due_hour, host[i].due_hour);
      EXPECT_EQ((*read)[i].interval_hours, host[i].interval_hours);
      EXPECT_EQ((*read)[i].depth, host[i].depth);
      EXPECT_EQ((*read)[i].probing, host[i].probing);
      EXPECT_EQ((*read)[i].queued, host[i].queued);
      EXPECT_EQ((*read)[i].hints, host[i].hints);
      if (host[i].hints > 0) {
        EXPECT_EQ((*read)[i].hinted_by, host[i].hinted_by);
      }
      EXPECT_EQ((*read)[i].probes, host[i].probes);
      EXPECT_EQ((*read)[i].failures, host[i].failures);
      EXPECT_NEAR((*read)[i].history.visits(), host[i].history.visits(), 0.125);
      EXPECT_NEAR((*read)[i].history.unchanged_days(), host[i].history.unchanged_days(), 1.0 / 24);
      for (size_t c = 0; c < History::kClasses; c++) {
        EXPECT_NEAR((*read)[i].history.changed(c), host[i].history.changed(c), 0.125);
      }
    }
    EXPECT_EQ(EncodeHostSchedule(*decoded), bytes);
    EXPECT_EQ(FirstDueHour(*decoded).has_value(), pages > 0);
  }
}

TEST(HostScheduleTest, ASitemapMakesAnotherVersion) {
  SeededRandom random(54);
  HostSchedule host = HostOf(random, 3);
  const std::string without = EncodeHostSchedule(host);
  EXPECT_EQ(without[0], 2);
  host.pages[1].sitemap = true;
  const std::string with = EncodeHostSchedule(host);
  EXPECT_EQ(with[0], 3);
  const auto read = DecodeHostSchedule(with);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->pages[0].sitemap);
  EXPECT_TRUE(read->pages[1].sitemap);
  EXPECT_EQ(EncodeHostSchedule(*read), with);
}

TEST(HostScheduleTest, FirstDueHourIsTheLeast) {
  HostSchedule host = {.pages = std::vector<ScheduledPage>(3), .review_hour = 8};
  host.pages[0].due_hour = 9;
  host.pages[1].due_hour = 4;
  host.pages[2].due_hour = 6;
  EXPECT_EQ(FirstDueHour(host), 4u);
  host.review_hour = 2;
  EXPECT_EQ(FirstDueHour(host), 2u);
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
