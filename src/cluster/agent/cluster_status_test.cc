// SPDX-License-Identifier: Apache-2.0
#include "cluster/agent/cluster_status.h"

#include <gtest/gtest.h>

#include "cluster/agent/memory_bus_test_support.h"
#include "cluster/membership/cluster_records.h"

namespace crivello::cluster {
namespace {

class ClusterStatusTest : public testing::Test {
 protected:
  void AddAgent(const std::string& name, uint64_t process, bool leaving = false) {
    const MemberRecord record = {.name = name,
                                 .process = process,
                                 .leaving = leaving,
                                 .version = "1",
                                 .memory_bytes = 7,
                                 .tablets = 1};
    ASSERT_TRUE(bus_.Put(MemberKey(name), EncodeMember(record)).ok());
  }
  void AddLease(const std::string& tablet, const std::string& owner, uint64_t process, LeaseState state) {
    const LeaseRecord record = {
        .owner = owner, .process = process, .epoch = 3, .state = state, .lag_urls = 5};
    ASSERT_TRUE(bus_.Put(TabletKey(tablet), EncodeLease(record)).ok());
  }
  std::unique_ptr<Bus::Subscription> Answer(const std::string& name, uint64_t process) {
    return AnswerWhetherAlive(bus_, "test", name, process).value();
  }
  ClusterStatus Read() {
    return ReadClusterStatus(bus_, "test", {"t-0", "t-1"}, std::chrono::milliseconds(300)).value();
  }

  MemoryBus bus_;
};

TEST_F(ClusterStatusTest, NamesTheOwnersThatAnswer) {
  AddAgent("red", 1);
  AddLease("t-0", "red", 1, LeaseState::kOpen);
  AddLease("t-1", "red", 1, LeaseState::kOpening);
  const auto red = Answer("red", 1);
  const ClusterStatus status = Read();
  ASSERT_EQ(status.agents.size(), 1u);
  EXPECT_TRUE(status.agents[0].alive);
  EXPECT_EQ(status.agents[0].memory_bytes, 7u);
  ASSERT_EQ(status.tablets.size(), 2u);
  EXPECT_EQ(status.tablets[0].owner, "red");
  EXPECT_EQ(status.tablets[0].state, "open");
  EXPECT_EQ(status.tablets[0].epoch, 3u);
  EXPECT_EQ(status.tablets[0].lag_urls, 5u);
  EXPECT_EQ(status.tablets[1].state, "opening");
  EXPECT_TRUE(status.complete());
}

TEST_F(ClusterStatusTest, ATabletOfAnAgentThatDoesNotAnswerHasNoOwner) {
  AddAgent("red", 1);
  AddLease("t-0", "red", 1, LeaseState::kOpen);
  const ClusterStatus status = Read();
  EXPECT_FALSE(status.agents.at(0).alive);
  EXPECT_EQ(status.tablets[0].owner, "");
  EXPECT_EQ(status.tablets[0].state, "expired");
  EXPECT_EQ(status.tablets[1].state, "free");
  EXPECT_FALSE(status.complete());
}

TEST_F(ClusterStatusTest, ALeaseOfAnEarlierProcessHasNoOwner) {
  AddAgent("red", 1);
  AddLease("t-0", "red", 1, LeaseState::kOpen);
  AddLease("t-1", "red", 2, LeaseState::kOpen);
  const auto red = Answer("red", 2);  // it was killed and started again
  const ClusterStatus status = Read();
  EXPECT_TRUE(status.agents.at(0).alive);
  EXPECT_EQ(status.tablets[0].owner, "");
  EXPECT_EQ(status.tablets[0].state, "expired");
  EXPECT_EQ(status.tablets[1].owner, "red");
  EXPECT_FALSE(status.complete());
}

TEST_F(ClusterStatusTest, AnAgentThatHasLeftIsNotShown) {
  AddAgent("red", 1, /*leaving=*/true);
  AddLease("t-0", "red", 1, LeaseState::kReleased);
  const ClusterStatus status = Read();
  EXPECT_TRUE(status.agents.empty());
  EXPECT_EQ(status.tablets[0].state, "released");
  bus_.SetDown(true);
  EXPECT_EQ(ReadClusterStatus(bus_, "test", {}, std::chrono::seconds(1)).status().code(),
            StatusCode::kUnavailable);
}

}  // namespace
}  // namespace crivello::cluster
