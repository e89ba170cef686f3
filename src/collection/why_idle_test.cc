// SPDX-License-Identifier: Apache-2.0
#include "collection/why_idle.h"

#include <gtest/gtest.h>

namespace crivello::collection {
namespace {

using namespace std::chrono_literals;

TEST(WhyIdleTest, SaysNothingOfACrawlThatIsBusy) {
  EXPECT_EQ(WhyIdle({.ready = 1, .host_delay = 3, .queued_urls = 5}, {}), "");
  EXPECT_EQ(WhyIdle({.taken = 1, .queued_urls = 5}, {}), "");
}

TEST(WhyIdleTest, TellsTheEndFromAWait) {
  EXPECT_EQ(WhyIdle({}, {}), "nothing is left to fetch");
  EXPECT_EQ(WhyIdle({.sieve_waiting = 2}, {}), "the sieve is checking new URLs");
  EXPECT_EQ(WhyIdle({.uncommitted_urls = 1}, {}), "the last pages are being read and committed");
}

TEST(WhyIdleTest, CountsTheHostsByWhatTheyWaitForAndNamesTheNext) {
  frontier::FrontierStats counts = {.host_delay = 2, .robots = 1, .queued_urls = 5};
  EXPECT_EQ(WhyIdle(counts, {}), "2 hosts wait for the host's delay, 1 for robots.txt");
  counts.next = MonotonicTime(2500ms);
  counts.next_host = "a.example";
  EXPECT_EQ(WhyIdle(counts, MonotonicTime(2s)),
            "2 hosts wait for the host's delay, 1 for robots.txt; next in 0.5 s from a.example");
  EXPECT_EQ(WhyIdle({.host_delay = 1, .queued_urls = 5}, {}), "1 host waits for the host's delay");
}

}  // namespace
}  // namespace crivello::collection
