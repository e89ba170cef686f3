// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "cluster/fence/simulation_seeds_test_support.h"
#include "cluster/politeness/turn_granter.h"
#include "cluster/politeness/turn_simulation_test_support.h"
#include "cluster/politeness/turn_taker.h"

namespace crivello::cluster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kAt = "192.0.2.1";

// Two agents and the owner of the tablet of one address, with messages that arrive at once.
class TurnsTest : public testing::Test {
 protected:
  void SetUp() override { Pass(TurnGranter::Longest(options_)); }

  void Pass(Duration time) { now_ += time; }
  void Exchange() {
    for (int round = 0; round < 3; round++) {
      for (TurnTaker* taker : {&red_, &blue_}) {
        for (const TurnRequest& request : taker->Tick(now_)) granter_.OnRequest(request, now_);
      }
      for (const TurnReply& reply : granter_.Tick(now_, may_grant_)) {
        red_.OnReply(reply, now_);
        blue_.OnReply(reply, now_);
      }
    }
  }
  bool Begins(TurnTaker& taker) {
    taker.Want(kAt, "t-0", now_);
    Exchange();
    return taker.Begin(kAt, now_);
  }
  void End(TurnTaker& taker) {
    taker.End(kAt, now_);
    Exchange();
  }

  const TurnOptions options_ = {.term = seconds(5), .request = seconds(20), .delay = seconds(1)};
  MonotonicTime now_{};
  bool may_grant_ = true;
  TurnGranter granter_{"t-0", 1, options_, MonotonicTime{}};
  TurnTaker red_{"red", 1, options_};
  TurnTaker blue_{"blue", 2, options_};
};

TEST_F(TurnsTest, OneAgentAloneAsksOncePerTermAndNotForEachRequest) {
  for (int i = 0; i < 100; i++) {
    ASSERT_TRUE(Begins(red_)) << i;
    Pass(milliseconds(50));
    End(red_);
    Pass(milliseconds(50));
    Exchange();
  }
  EXPECT_EQ(red_.held(), 1u);
  EXPECT_LE(granter_.granted(), 6u);  // 10 s, and half a term for each
  // It gives the turn back when it wants nothing for a while.
  Pass(seconds(3));
  Exchange();
  EXPECT_EQ(red_.held(), 0u);
  EXPECT_EQ(red_.addresses(), 0u);
  Pass(seconds(2));
  Exchange();
  EXPECT_EQ(granter_.addresses(), 0u);
}

TEST_F(TurnsTest, TwoAgentsAlternateWithTheDelayBetweenThem) {
  ASSERT_TRUE(Begins(red_));
  EXPECT_FALSE(Begins(blue_));
  Pass(milliseconds(300));
  EXPECT_FALSE(blue_.Begin(kAt, now_));
  End(red_);
  red_.Want(kAt, "t-0", now_);
  Exchange();
  EXPECT_FALSE(red_.Begin(kAt, now_));
  Pass(milliseconds(900));
  Exchange();
  EXPECT_FALSE(blue_.Begin(kAt, now_));
  Pass(milliseconds(200));
  Exchange();
  ASSERT_THAT(blue_.TakeGranted(), testing::Contains(kAt));
  ASSERT_TRUE(blue_.Begin(kAt, now_));
  End(blue_);
  Pass(milliseconds(1100));
  Exchange();
  EXPECT_TRUE(red_.Begin(kAt, now_));
}

TEST_F(TurnsTest, ATurnThatIsNotReturnedExpires) {
  ASSERT_TRUE(Begins(red_));
  // red is gone: it says nothing more.
  blue_.Want(kAt, "t-0", now_);
  const auto exchange_blue = [&] {
    for (const TurnRequest& request : blue_.Tick(now_)) granter_.OnRequest(request, now_);
    for (const TurnReply& reply : granter_.Tick(now_, true)) blue_.OnReply(reply, now_);
  };
  const MonotonicTime granted = now_;
  while (!blue_.Begin(kAt, now_)) {
    ASSERT_LT(now_ - granted, seconds(60));
    Pass(milliseconds(100));
    exchange_blue();
  }
  // The term, the longest request and the delay, times 1.1.
  EXPECT_NEAR(static_cast<double>((now_ - granted).count()) / 1e9, 1.1 * 26, 0.2);
  EXPECT_EQ(granter_.expired(), 1u);
}

TEST_F(TurnsTest, ANewOwnerWaitsForTheTurnsOfTheLastOne) {
  ASSERT_TRUE(Begins(red_));
  TurnGranter next("t-0", 2, options_, now_);
  const MonotonicTime opened = now_;
  blue_.Want(kAt, "t-0", now_);
  while (!blue_.Begin(kAt, now_)) {
    ASSERT_LT(now_ - opened, seconds(60));
    Pass(milliseconds(100));
    for (const TurnRequest& request : blue_.Tick(now_)) next.OnRequest(request, now_);
    for (const TurnReply& reply : next.Tick(now_, true)) blue_.OnReply(reply, now_);
  }
  EXPECT_GE(now_ - opened, TurnGranter::Longest(options_));
  // What the old owner says is ignored from now on.
  TurnReply old = {.agent = "blue", .process = 2, .tablet = "t-0", .epoch = 1, .grants = {}};
  End(blue_);
  Pass(seconds(10));
  blue_.Want(kAt, "t-0", now_);
  for (const TurnRequest& request : blue_.Tick(now_)) {
    for (const auto& ask : request.asks) {
      old.grants.push_back({.address = kAt, .number = ask.number, .term = seconds(5)});
    }
  }
  ASSERT_FALSE(old.grants.empty());
  blue_.OnReply(old, now_);
  EXPECT_FALSE(blue_.Begin(kAt, now_));
}

TEST_F(TurnsTest, AnOwnerWithoutALeaseGrantsNothing) {
  may_grant_ = false;
  EXPECT_FALSE(Begins(red_));
  may_grant_ = true;
  Exchange();
  EXPECT_TRUE(red_.Begin(kAt, now_));
}

TEST_F(TurnsTest, AGrantThatComesAfterItsTermIsWorthNothing) {
  red_.Want(kAt, "t-0", now_);
  for (const TurnRequest& request : red_.Tick(now_)) granter_.OnRequest(request, now_);
  const auto replies = granter_.Tick(now_, true);
  Pass(seconds(6));
  for (const TurnReply& reply : replies) red_.OnReply(reply, now_);
  EXPECT_FALSE(red_.Begin(kAt, now_));
  Exchange();  // it gives the turn back and asks again
  Pass(seconds(2));
  Exchange();
  EXPECT_TRUE(red_.Begin(kAt, now_));
}

TEST(TurnMessageTest, ReadsWhatItWritesAndNothingElse) {
  const TurnRequest request = {
      .agent = "red",
      .process = 0x0123456789abcdef,
      .tablet = "t-01",
      .returns = {{.address = "192.0.2.7", .through = 3, .rested = milliseconds(250)}},
      .asks = {{.address = "2001:db8::1", .number = 4, .delay = seconds(1), .request = seconds(120)}}};
  const TurnReply reply = {
      .agent = "red",
      .process = 5,
      .tablet = "t-01",
      .epoch = 12,
      .grants = {{.address = "2001:db8::1", .number = 4, .term = seconds(5), .once = true}}};
  for (const TurnMessage& message : {TurnMessage(request), TurnMessage(reply)}) {
    const std::string bytes = EncodeTurns(message);
    EXPECT_TRUE(DecodeTurns(bytes).value() == message);
    for (size_t i = 0; i < bytes.size(); i++) {
      EXPECT_EQ(DecodeTurns(bytes.substr(0, i)).status().code(), StatusCode::kCorruption) << i;
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ 1);
      EXPECT_EQ(DecodeTurns(flipped).status().code(), StatusCode::kCorruption) << i;
    }
  }
}

TEST(TurnSimulationTest, NeverServesAnAddressTwiceWithinItsDelayAndStarvesNobody) {
  TurnSimulationStats all;
  const uint64_t seeds = SimulationSeeds(40);
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    TurnSimulation simulation(seed, TurnBug::kNone);
    EXPECT_EQ(simulation.Run(), "") << "seed " << seed;
    all.Add(simulation.stats());
  }
  const auto n = [](uint64_t number) { return static_cast<size_t>(number); };
  std::printf(
      "turns: %zu seeds, %zu requests, %zu of them long, %zu turns, %zu expired, %zu messages, %zu lost, %zu "
      "repeated, %zu tablets moved, %zu handed over, %zu stale owners, %zu agents killed, %zu cut off; "
      "longest wait %zu s\n",
      n(seeds), n(all.requests), n(all.long_requests), n(all.granted), n(all.expired), n(all.messages),
      n(all.lost), n(all.repeated), n(all.moves), n(all.handed_over), n(all.stale_owners), n(all.crashes),
      n(all.cuts), n(static_cast<uint64_t>(all.longest_wait / seconds(1))));
  for (const uint64_t met : {all.long_requests, all.expired, all.lost, all.repeated, all.moves,
                             all.handed_over, all.stale_owners, all.crashes, all.cuts}) {
    EXPECT_GT(met, 0u);
  }
}

class TurnBugTest : public testing::TestWithParam<TurnBug> {};

TEST_P(TurnBugTest, IsFound) {
  if (kIsSanitized) GTEST_SKIP() << "the release build looks for deliberate bugs";
  for (uint64_t seed = 1; seed <= 200; seed++) {
    const std::string violation = TurnSimulation(seed, GetParam()).Run();
    if (violation.empty()) continue;
    std::printf("bug: %-46s found by seed %4zu: %s\n", std::string(TurnBugName(GetParam())).c_str(),
                static_cast<size_t>(seed), violation.c_str());
    return;
  }
  ADD_FAILURE() << TurnBugName(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, TurnBugTest, testing::ValuesIn(kTurnBugs));

}  // namespace
}  // namespace crivello::cluster
