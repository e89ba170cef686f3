// SPDX-License-Identifier: Apache-2.0
#include "crawl/robots_keeper.h"

#include <gtest/gtest.h>

#include "base/test_support.h"

namespace crivello::crawl {
namespace {

constexpr int64_t kNow = 1'700'000'000;
constexpr int64_t kDay = 24 * 3600;

class RobotsKeeperTest : public testing::Test {
 protected:
  void SetUp() override { Reopen({}); }
  void Reopen(RobotsKeeper::Options options) {
    keeper_.reset();
    db_.reset();
    kv::DatabaseOptions db;
    db.families = {{.name = "robots"}};
    db_ = kv::Database::Open(folder_.path() + "/db", db).value();
    keeper_ = std::make_unique<RobotsKeeper>(*db_, 0, std::move(options));
  }
  void Keep(std::string_view origin, const RobotsRecord& record) {
    kv::Batch batch;
    keeper_->Keep(origin, record, &batch);
    ASSERT_EQ(db_->Write(batch, {}), Status::Ok());
  }

  TemporaryFolder folder_;
  std::unique_ptr<kv::Database> db_;
  std::unique_ptr<RobotsKeeper> keeper_;
};

TEST_F(RobotsKeeperTest, RulesShowAtOnceAndLast) {
  EXPECT_EQ(keeper_->Find("https://a.example").value(), nullptr);
  Keep("https://a.example", JudgeRobots(200, "User-agent: *\nDisallow: /x\n", nullptr, kNow));
  for (int opened = 0; opened < 2; ++opened) {
    const auto rules = keeper_->Find("https://a.example").value();
    ASSERT_NE(rules, nullptr);
    EXPECT_FALSE(rules->robots.Check("/x/y").allowed);
    EXPECT_EQ(rules->robots.Check("/x/y").line, 2u);
    EXPECT_TRUE(rules->robots.Check("/y").allowed);
    EXPECT_EQ(rules->record.expires, kNow + kDay);
    Reopen({});
  }
}

TEST_F(RobotsKeeperTest, TheBudgetHoldsAndTheDiskKnowsTheRest) {
  Reopen({.memory_bytes = 4096});
  for (int i = 0; i < 100; ++i) {
    Keep("https://" + std::to_string(i),
         JudgeRobots(200, "User-agent: *\nDisallow: /" + std::to_string(i) + "$", nullptr, kNow));
  }
  for (int i = 0; i < 100; ++i) {
    const auto rules = keeper_->Find("https://" + std::to_string(i)).value();
    ASSERT_NE(rules, nullptr);
    EXPECT_FALSE(rules->robots.Check("/" + std::to_string(i)).allowed);
    EXPECT_TRUE(rules->robots.Check("/x").allowed);
  }
}

TEST(JudgeRobotsTest, StatusesMeanWhatTheRfcSays) {
  EXPECT_EQ(JudgeRobots(404, "", nullptr, kNow).access, web::RobotsAccess::kAllowAll);
  EXPECT_EQ(JudgeRobots(301, "", nullptr, kNow).access, web::RobotsAccess::kAllowAll);
  EXPECT_EQ(JudgeRobots(500, "", nullptr, kNow).access, web::RobotsAccess::kDisallowAll);
  EXPECT_EQ(JudgeRobots(429, "", nullptr, kNow).access, web::RobotsAccess::kDisallowAll);
  EXPECT_EQ(JudgeRobots(0, "", nullptr, kNow).access, web::RobotsAccess::kDisallowAll);
}

TEST(JudgeRobotsTest, AFailureIsAskedAboutSoonAndForgivenAfterAMonth) {
  const RobotsRecord first = JudgeRobots(503, "", nullptr, kNow);
  EXPECT_EQ(first.expires, kNow + 60);
  EXPECT_EQ(first.unreachable_since, kNow);
  const RobotsRecord later = JudgeRobots(0, "", &first, kNow + 3600);
  EXPECT_EQ(later.unreachable_since, kNow);
  EXPECT_EQ(later.expires, kNow + 7200);
  EXPECT_EQ(JudgeRobots(0, "", &later, kNow + 31 * kDay).access, web::RobotsAccess::kAllowAll);
  EXPECT_EQ(JudgeRobots(200, "", &later, kNow + 31 * kDay).unreachable_since, 0);
}

TEST(JudgeRobotsTest, WhatAServerSaidHoldsForADayOfFailures) {
  const RobotsRecord good = JudgeRobots(200, "User-agent: *\nDisallow: /x\n", nullptr, kNow);
  EXPECT_EQ(JudgeRobots(500, "", &good, kNow + kDay - 1).text, good.text);
  EXPECT_EQ(JudgeRobots(500, "", &good, kNow + kDay).access, web::RobotsAccess::kDisallowAll);
}

TEST(RobotsRecordTest, WhatIsDamagedIsRefused) {
  RobotsRecord record = JudgeRobots(200, "User-agent: *\n", nullptr, kNow);
  const std::string bytes = record.Encode();
  EXPECT_EQ(RobotsRecord::Decode(bytes).value().text, record.text);
  for (size_t cut = 0; cut + record.text.size() < bytes.size(); ++cut) {
    EXPECT_EQ(RobotsRecord::Decode(std::string_view(bytes).substr(0, cut)).status().code(),
              StatusCode::kCorruption);
  }
  std::string newer = bytes;
  newer[0] = 2;
  EXPECT_EQ(RobotsRecord::Decode(newer).status().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace crivello::crawl
