// SPDX-License-Identifier: Apache-2.0
#include "cluster/agent/lock_question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/test_support.h"
#include "cluster/agent/memory_bus_test_support.h"
#include "cluster/membership/cluster_records.h"

namespace crivello::cluster {
namespace {

using testing::HasSubstr;

class LockQuestionTest : public testing::Test {
 protected:
  void AddMember(const std::string& name) {
    ASSERT_TRUE(bus_.Put(MemberKey(name), EncodeMember({.name = name, .process = 1, .version = "1"})).ok());
  }
  Result<std::optional<std::string>> Ask() {
    return AskAnotherAgentToLock(bus_,
                                 {.scope = "test", .folder = folder_.path(), .agent = "red", .process = 7});
  }
  bool AnythingLeft() const { return !std::filesystem::is_empty(folder_ / "agents"); }

  TemporaryFolder folder_;
  MemoryBus bus_;
};

TEST_F(LockQuestionTest, IsAnsweredByAnAgentThatCannotTakeTheLock) {
  AddMember("blue");
  AddMember("red");  // itself
  const auto answers = AnswerLockQuestions(bus_, "test", "blue", folder_.path());
  ASSERT_TRUE(answers.ok());
  const auto told = Ask();
  ASSERT_TRUE(told.ok()) << told.status().message();
  EXPECT_THAT(told->value_or(""), HasSubstr("agent blue cannot take a lock"));
  EXPECT_FALSE(AnythingLeft());
}

TEST_F(LockQuestionTest, RefusesWhereTheOtherOneGetsTheLock) {
  AddMember("blue");
  // As on a file system whose locks each machine keeps for itself: the file is there, and nobody holds it.
  const auto answers = bus_.Subscribe("crivello.test.lock.blue", [this](const Bus::Message& message) {
    EXPECT_TRUE(std::filesystem::exists(folder_ / ("agents/" + message.bytes)));
    bus_.Publish(message.reply_to, "free").IgnoreError();
  });
  const Status refused = Ask().status();
  EXPECT_EQ(refused.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(refused.message(), HasSubstr("locks are local"));
  EXPECT_FALSE(AnythingLeft());
}

TEST_F(LockQuestionTest, RefusesWhereTheOtherOneHasAnotherFolder) {
  AddMember("blue");
  const TemporaryFolder other;
  const auto answers = AnswerLockQuestions(bus_, "test", "blue", other.path());
  const Status refused = Ask().status();
  EXPECT_EQ(refused.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(refused.message(), HasSubstr("another folder"));
}

TEST_F(LockQuestionTest, FindsALockThatNobodyHolds) {
  const auto answers = AnswerLockQuestions(bus_, "test", "blue", folder_.path());
  std::filesystem::create_directories(folder_ / "agents");
  const std::string name = "lock-red-0000000000000007";
  std::ofstream(folder_ / ("agents/" + name)) << "";
  EXPECT_EQ(bus_.Request("crivello.test.lock.blue", name, std::chrono::seconds(60)).value(), "free");
  // What is not the name of a lock is not looked at.
  for (const char* bytes : {"", "../lock-red", "lock-red/../../x", "agents"}) {
    EXPECT_FALSE(bus_.Request("crivello.test.lock.blue", bytes, std::chrono::milliseconds(20)).ok()) << bytes;
  }
}

TEST_F(LockQuestionTest, AsksTheNextOneWhereNobodyAnswers) {
  EXPECT_FALSE(Ask().value().has_value());
  AddMember("amber");  // it has died
  AddMember("blue");
  const auto answers = AnswerLockQuestions(bus_, "test", "blue", folder_.path());
  const auto told = AskAnotherAgentToLock(bus_, {.scope = "test",
                                                 .folder = folder_.path(),
                                                 .agent = "red",
                                                 .process = 7,
                                                 .limit = std::chrono::seconds(3)});
  EXPECT_THAT(told.value().value_or(""), HasSubstr("agent blue"));
  bus_.SetDown(true);
  EXPECT_EQ(Ask().status().code(), StatusCode::kUnavailable);
}

}  // namespace
}  // namespace crivello::cluster
