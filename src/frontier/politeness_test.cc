// SPDX-License-Identifier: Apache-2.0
#include "frontier/politeness.h"

#include <gtest/gtest.h>

namespace crivello::frontier {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr MonotonicTime kStart{seconds(1000)};

FetchOutcome Answer(int status, Duration took = milliseconds(200)) {
  return {.status = status, .started = kStart, .ended = kStart + took};
}

FetchOutcome Failure(FetchResult result) {
  return {.result = result, .started = kStart, .ended = kStart + seconds(1)};
}

TEST(PolitenessTest, CountsTheDelayFromTheEndOfARequest) {
  Manners manners;
  const Rest rest = AfterFetch({}, Answer(200, seconds(3)), {.number = 1}, manners);
  EXPECT_EQ(rest.verdict, Verdict::kFinish);
  EXPECT_EQ(rest.host_next, kStart + seconds(3 + 4));
  EXPECT_EQ(rest.address_next, kStart + seconds(3 + 1));
  EXPECT_FALSE(rest.go_on);
}

TEST(PolitenessTest, TakesTheLongerOfDelayAndCrawlDelayUpToALimit) {
  const PolitenessOptions options;
  EXPECT_EQ(HostDelay(options, {.crawl_delay = seconds(1)}), seconds(4));
  EXPECT_EQ(HostDelay(options, {.crawl_delay = seconds(10)}), seconds(10));
  EXPECT_EQ(HostDelay(options, {.crawl_delay = hours(100)}), options.max_crawl_delay);
}

TEST(PolitenessTest, ByProportionGoesOnForABurstAndRestsAsManyTimes) {
  const PolitenessOptions options = {.host_delay = {}, .proportion = 0.1, .burst = seconds(1)};
  Manners manners;
  FetchOutcome outcome = Answer(200, milliseconds(400));
  EXPECT_TRUE(AfterFetch(options, outcome, {.number = 1}, manners).go_on);
  outcome.started = outcome.ended;
  outcome.ended += milliseconds(400);
  EXPECT_TRUE(AfterFetch(options, outcome, {.number = 1}, manners).go_on);
  outcome.started = outcome.ended;
  outcome.ended += milliseconds(400);
  const Rest rest = AfterFetch(options, outcome, {.number = 1}, manners);
  EXPECT_FALSE(rest.go_on) << "1.2 s are more than the burst";
  EXPECT_EQ(rest.host_next, outcome.ended + seconds(12));
  EXPECT_FALSE(manners.in_burst);

  // A slow resource takes longer than the burst: the real duration counts.
  Manners slow;
  EXPECT_EQ(AfterFetch(options, Answer(200, seconds(7)), {.number = 1}, slow).host_next,
            kStart + seconds(7 + 70));
}

TEST(PolitenessTest, ByNumberGoesOnForSoManyRequestsAndThenRestsForTheDelay) {
  const PolitenessOptions options = {.host_delay = seconds(4), .burst_requests = 10};
  Manners manners;
  FetchOutcome outcome = Answer(200, seconds(3));  // however long each takes
  for (int burst = 0; burst < 2; burst++) {
    for (int request = 1; request < 10; request++) {
      EXPECT_TRUE(AfterFetch(options, outcome, {.number = 1}, manners).go_on) << request;
      outcome.started = outcome.ended;
      outcome.ended += milliseconds(400);
    }
    const Rest rest = AfterFetch(options, outcome, {.number = 1}, manners);
    EXPECT_FALSE(rest.go_on);
    EXPECT_EQ(rest.host_next, outcome.ended + seconds(4));
    outcome.started = rest.host_next;
    outcome.ended = outcome.started + milliseconds(400);
  }
  EXPECT_FALSE(AfterFetch(options, Answer(503), {.number = 1}, manners).go_on);
}

TEST(PolitenessTest, ACrawlDelayAllowsNoBurst) {
  for (const PolitenessOptions& options :
       {PolitenessOptions{.proportion = 0.5}, PolitenessOptions{.burst_requests = 5}}) {
    Manners manners = {.crawl_delay = seconds(10)};
    const Rest rest = AfterFetch(options, Answer(200), {.number = 1}, manners);
    EXPECT_FALSE(rest.go_on);
    EXPECT_EQ(rest.host_next, kStart + milliseconds(200) + seconds(10));
  }
}

TEST(PolitenessTest, BacksOffExponentiallyUpToALimit) {
  const PolitenessOptions options;
  EXPECT_EQ(BackOff(options, 1), seconds(30));
  EXPECT_EQ(BackOff(options, 2), minutes(1));
  EXPECT_EQ(BackOff(options, 5), minutes(8));
  EXPECT_EQ(BackOff(options, 4000000000), options.max_back_off);
}

TEST(PolitenessTest, GivesAHostUpAfterSoManyFailuresInARow) {
  const PolitenessOptions options = {.max_failures = 3, .max_attempts = 100};
  for (const auto result : {FetchResult::kConnectFailed, FetchResult::kTimedOut}) {
    Manners manners;
    EXPECT_EQ(AfterFetch(options, Failure(result), {.number = 1}, manners).verdict, Verdict::kRetry);
    EXPECT_EQ(AfterFetch(options, Failure(result), {.number = 2}, manners).verdict, Verdict::kRetry);
    EXPECT_EQ(AfterFetch(options, Answer(404), {.number = 1}, manners).verdict, Verdict::kFinish);
    EXPECT_EQ(manners.failures, 0u) << "an answer, whatever it is, starts the count again";
    Rest rest;
    for (uint32_t i = 1; i <= 3; i++) rest = AfterFetch(options, Failure(result), {.number = i}, manners);
    EXPECT_EQ(rest.verdict, Verdict::kGiveUpHost);
    EXPECT_EQ(rest.host_next, kStart + seconds(1) + BackOff(options, 3));
  }
}

TEST(PolitenessTest, ObeysRetryAfterUpToALimit) {
  for (const int status : {429, 503}) {
    FetchOutcome outcome = Answer(status);
    outcome.retry_after = hours(1);
    Manners manners;
    Rest rest = AfterFetch({}, outcome, {.number = 1}, manners);
    EXPECT_EQ(rest.verdict, Verdict::kRetry);
    EXPECT_EQ(rest.host_next, outcome.ended + hours(1));
    outcome.retry_after = hours(10000);
    rest = AfterFetch({}, outcome, {.number = 1}, manners);
    EXPECT_EQ(rest.host_next, outcome.ended + PolitenessOptions().max_retry_after);
    outcome.retry_after = seconds(0);
    rest = AfterFetch({}, outcome, {.number = 1}, manners);
    EXPECT_EQ(rest.host_next, outcome.ended + BackOff({}, 3)) << "it cannot hurry us";
  }
}

TEST(PolitenessTest, TakesAFailingRobotsTxtForAFailingHost) {
  const PolitenessOptions options;
  Manners manners;
  for (uint32_t i = 1; i <= options.max_attempts; i++) {
    const Rest rest = AfterFetch(options, Answer(500), {.robots = true}, manners);
    EXPECT_EQ(manners.failures, i);
    EXPECT_EQ(rest.host_next, Answer(500).ended + BackOff(options, i));
    EXPECT_EQ(rest.verdict, i < options.max_attempts ? Verdict::kRetry : Verdict::kGiveUpHost);
  }
  AfterFetch(options, Answer(404), {.robots = true}, manners);
  EXPECT_EQ(manners.failures, 0u) << "to have none is no failure";
}

TEST(PolitenessTest, TriesAPageThatFailsAFewTimes) {
  const PolitenessOptions options = {.max_attempts = 3};
  Manners manners;
  EXPECT_EQ(AfterFetch(options, Answer(500), {.number = 1}, manners).verdict, Verdict::kRetry);
  EXPECT_EQ(AfterFetch(options, Answer(500), {.number = 3}, manners).verdict, Verdict::kGiveUpUrl);
  EXPECT_EQ(AfterFetch(options, Failure(FetchResult::kBroken), {.number = 1}, manners).verdict,
            Verdict::kRetry);
  EXPECT_EQ(manners.failures, 0u) << "that is the page's failure, not the host's";
  EXPECT_EQ(AfterFetch(options, Answer(500), {.number = 1}, manners).host_next,
            Answer(500).ended + options.host_delay);
}

TEST(PolitenessTest, AHostAtAForbiddenAddressIsGivenUpAtOnce) {
  const PolitenessOptions options;
  Manners manners;
  const Rest rest = AfterFetch(options, Failure(FetchResult::kForbidden), {.number = 1}, manners);
  EXPECT_EQ(rest.verdict, Verdict::kGiveUpHost);
}

}  // namespace
}  // namespace crivello::frontier
