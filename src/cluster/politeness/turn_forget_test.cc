// SPDX-License-Identifier: Apache-2.0
// An agent whose host has moved to another one wants its turns no longer.
#include <gtest/gtest.h>

#include "cluster/politeness/turn_granter.h"
#include "cluster/politeness/turn_taker.h"

namespace crivello::cluster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kAddress = "192.0.2.1";

class ForgottenWantTest : public testing::Test {
 protected:
  // Both agents and the owner of the tablet talk; then some time passes.
  void Pass(Duration time) {
    for (int round = 0; round < 3; round++) {
      for (TurnTaker* const taker : {&mover_, &other_}) {
        for (const TurnRequest& request : taker->Tick(now_)) granter_.OnRequest(request, now_);
      }
      for (const TurnReply& reply : granter_.Tick(now_, true)) {
        mover_.OnReply(reply, now_);
        other_.OnReply(reply, now_);
      }
    }
    now_ += time;
  }
  // How many requests the other agent makes while it wants them all the time.
  int RequestsOfOther(Duration time) {
    int requests = 0;
    for (const MonotonicTime end = now_ + time; now_ < end; Pass(milliseconds(50))) {
      other_.Want(kAddress, "t-0", now_);
      if (now_ < next_ || !other_.Begin(kAddress, now_)) continue;
      other_.End(kAddress, now_);
      next_ = now_ + options_.delay;
      requests++;
    }
    return requests;
  }

  const TurnOptions options_ = {.request = seconds(20), .forget = seconds(5)};
  MonotonicTime now_ = MonotonicTime(seconds(1000));
  MonotonicTime next_ = {};
  TurnGranter granter_{"t-0", 1, options_, now_ - seconds(1000)};
  TurnTaker mover_{"mover", 1, options_};
  TurnTaker other_{"other", 2, options_};
};

TEST_F(ForgottenWantTest, LeavesAllTurnsToOthers) {
  mover_.Want(kAddress, "t-0", now_);
  // It asks no more: its host has moved.  What it has waited for may cost one term.
  RequestsOfOther(seconds(12));
  EXPECT_EQ(mover_.addresses(), 0u);
  EXPECT_GE(RequestsOfOther(seconds(60)), 58);
}

TEST_F(ForgottenWantTest, IsKeptWhileItIsRepeated) {
  int requests = 0;
  for (int i = 0; i < 400; i++) {
    mover_.Want(kAddress, "t-0", now_);
    other_.Want(kAddress, "t-0", now_);
    for (TurnTaker* const taker : {&mover_, &other_}) {
      if (!taker->Begin(kAddress, now_)) continue;
      taker->End(kAddress, now_);
      requests += taker == &mover_ ? 1 : 0;
    }
    Pass(milliseconds(100));
  }
  EXPECT_GE(requests, 14);  // each second turn, and a delay after each
}

}  // namespace
}  // namespace crivello::cluster
