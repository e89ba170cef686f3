// SPDX-License-Identifier: Apache-2.0
#include "serve/dashboard/crawl_history.h"

#include <gtest/gtest.h>

namespace crivello::serve {
namespace {

TEST(CrawlHistoryTest, KeepsEverySecondOfTenMinutesAndEveryTenSecondsOfHours) {
  CrawlHistory history;
  const int64_t start = 1'000'000;
  const int64_t end = start + 2 * CrawlHistory::kFarSpan;
  for (int64_t time = start; time <= end; ++time) {
    history.Add({.time = time, .pages = static_cast<uint64_t>(time - start)});
  }
  const auto near = history.Last(CrawlHistory::kNearSpan);
  ASSERT_EQ(near.size(), static_cast<size_t>(CrawlHistory::kNearSpan) + 1);
  for (size_t i = 0; i < near.size(); ++i) {
    EXPECT_EQ(near[i].time, end - CrawlHistory::kNearSpan + static_cast<int64_t>(i));
  }
  const auto far = history.Last(CrawlHistory::kFarSpan);
  ASSERT_GE(far.size(), static_cast<size_t>(CrawlHistory::kFarSpan / CrawlHistory::kFarStep));
  EXPECT_EQ(far.back().time, end);
  for (size_t i = 1; i < far.size(); ++i) {
    EXPECT_LE(far[i].time - far[i - 1].time, CrawlHistory::kFarStep);
    EXPECT_EQ(far[i].pages, static_cast<uint64_t>(far[i].time - start));
  }
  EXPECT_EQ(history.Last(10).size(), 11u);
}

TEST(CrawlHistoryTest, TakesTheLastOfASecondAndNothingOfAClockThatGoesBack) {
  CrawlHistory history;
  EXPECT_TRUE(history.Last(600).empty());
  history.Add({.time = 100, .pages = 1});
  history.Add({.time = 100, .pages = 2});
  history.Add({.time = 50, .pages = 3});
  ASSERT_EQ(history.Last(600).size(), 1u);
  EXPECT_EQ(history.Last(600).front().pages, 2u);
}

}  // namespace
}  // namespace crivello::serve
