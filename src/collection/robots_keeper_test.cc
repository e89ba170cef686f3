// SPDX-License-Identifier: Apache-2.0
#include "collection/robots_keeper.h"

#include <gtest/gtest.h>

#include <optional>

#include "base/test_support.h"

namespace crivello::collection {
namespace {

constexpr int64_t kRobotsTime = 1'700'000'000;
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
  Keep("https://a.example",
       JudgeRobots({.status = 200, .text = "User-agent: *\nDisallow: /x\n"}, nullptr, kRobotsTime));
  for (int opened = 0; opened < 2; ++opened) {
    const auto rules = keeper_->Find("https://a.example").value();
    ASSERT_NE(rules, nullptr);
    EXPECT_FALSE(rules->robots.Check("/x/y").allowed);
    EXPECT_EQ(rules->robots.Check("/x/y").line, 2u);
    EXPECT_TRUE(rules->robots.Check("/y").allowed);
    EXPECT_EQ(rules->record.expires, kRobotsTime + kDay);
    Reopen({});
  }
}

TEST_F(RobotsKeeperTest, TheBudgetHoldsAndTheDiskKnowsTheRest) {
  Reopen({.memory_bytes = 4096});
  for (int i = 0; i < 100; ++i) {
    Keep("https://" + std::to_string(i),
         JudgeRobots({.status = 200, .text = "User-agent: *\nDisallow: /" + std::to_string(i) + "$"}, nullptr,
                     kRobotsTime));
  }
  for (int i = 0; i < 100; ++i) {
    const auto rules = keeper_->Find("https://" + std::to_string(i)).value();
    ASSERT_NE(rules, nullptr);
    EXPECT_FALSE(rules->robots.Check("/" + std::to_string(i)).allowed);
    EXPECT_TRUE(rules->robots.Check("/x").allowed);
  }
}

TEST(JudgeRobotsTest, StatusesMeanWhatTheRfcSays) {
  EXPECT_EQ(JudgeRobots({.status = 404}, nullptr, kRobotsTime).access, web::RobotsAccess::kAllowAll);
  EXPECT_EQ(JudgeRobots({.status = 301}, nullptr, kRobotsTime).access, web::RobotsAccess::kAllowAll);
  EXPECT_EQ(JudgeRobots({.status = 500}, nullptr, kRobotsTime).access, web::RobotsAccess::kDisallowAll);
  EXPECT_EQ(JudgeRobots({.status = 429}, nullptr, kRobotsTime).access, web::RobotsAccess::kDisallowAll);
  EXPECT_EQ(JudgeRobots({.status = 0}, nullptr, kRobotsTime).access, web::RobotsAccess::kDisallowAll);
}

TEST(JudgeRobotsTest, AFailureIsAskedAboutSoonAndForgivenAfterAMonth) {
  const RobotsRecord first = JudgeRobots({.status = 503}, nullptr, kRobotsTime);
  EXPECT_EQ(first.expires, kRobotsTime + 60);
  EXPECT_EQ(first.unreachable_since, kRobotsTime);
  const RobotsRecord later = JudgeRobots({.status = 0}, &first, kRobotsTime + 3600);
  EXPECT_EQ(later.unreachable_since, kRobotsTime);
  EXPECT_EQ(later.expires, kRobotsTime + 7200);
  EXPECT_EQ(JudgeRobots({.status = 0}, &later, kRobotsTime + 31 * kDay).access, web::RobotsAccess::kAllowAll);
  EXPECT_EQ(JudgeRobots({.status = 200}, &later, kRobotsTime + 31 * kDay).unreachable_since, 0);
}

TEST(JudgeRobotsTest, WhatAServerSaidHoldsForADayOfFailures) {
  const RobotsRecord good =
      JudgeRobots({.status = 200, .text = "User-agent: *\nDisallow: /x\n"}, nullptr, kRobotsTime);
  EXPECT_EQ(JudgeRobots({.status = 500}, &good, kRobotsTime + kDay - 1).text, good.text);
  EXPECT_EQ(JudgeRobots({.status = 500}, &good, kRobotsTime + kDay).access, web::RobotsAccess::kDisallowAll);
}

TEST(JudgeRobotsTest, ItsFieldsShortenTheDayForWhichItServes) {
  const auto serves = [](int status, std::optional<int64_t> fresh) {
    return JudgeRobots({.status = status, .text = "User-agent: *\n", .fresh_seconds = fresh}, nullptr,
                       kRobotsTime)
               .expires -
           kRobotsTime;
  };
  EXPECT_EQ(serves(200, std::nullopt), kDay);
  EXPECT_EQ(serves(200, 7200), 7200);
  EXPECT_EQ(serves(404, 7200), 7200);
  EXPECT_EQ(serves(200, 7 * kDay), kDay);
  EXPECT_EQ(serves(200, 0), 600);
  // A failure has times of its own.
  EXPECT_EQ(serves(503, 7200), 60);
}

TEST(RobotsRecordTest, WhatIsDamagedIsRefused) {
  RobotsRecord record = JudgeRobots({.status = 200, .text = "User-agent: *\n"}, nullptr, kRobotsTime);
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
}  // namespace crivello::collection
