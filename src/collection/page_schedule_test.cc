// SPDX-License-Identifier: Apache-2.0
#include "collection/page_schedule.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"
#include "base/test_support.h"

namespace crivello::collection {
namespace {

using Outcome = revisit::VisitNews::Outcome;
constexpr int64_t kStart = int64_t{495'000} * 3600;

class PageScheduleTest : public testing::Test {
 protected:
  PageScheduleTest() {
    families_ = PageSchedule::Families::AddTo(&all_);
    planner_ = *revisit::Planner::Make({.policy = "fixed", .limits = {.shortest = 1, .longest = 1}});
    Open();
  }
  void Open() {
    schedule_ = nullptr;
    db_ = nullptr;
    auto db = kv::Database::Open(folder_ / "db", {.families = all_, .memory_bytes = 8 << 20});
    ASSERT_TRUE(db.ok()) << db.status().ToString();
    db_ = *std::move(db);
    auto schedule = PageSchedule::Open(*db_, families_);
    ASSERT_TRUE(schedule.ok()) << schedule.status().ToString();
    schedule_ = *std::move(schedule);
  }
  void Write(PageSchedule::Change& change, bool written = true) {
    kv::Batch batch;
    ASSERT_TRUE(change.Fill(&batch, planner_.get()).ok());
    if (!written) return;
    ASSERT_TRUE(db_->Write(batch, {.sync = true}).ok());
    change.Done(planner_.get());
  }
  void Visit(const std::vector<std::string>& keys, int64_t time, Outcome outcome = Outcome::kChanged) {
    PageSchedule::Change change = schedule_->Begin();
    for (const std::string& key : keys) {
      ASSERT_TRUE(change.Visit(key, {.outcome = outcome, .time = time}, *planner_).ok());
    }
    Write(change);
  }
  std::vector<PageSchedule::Change::Due> TakeDue(uint32_t hour, size_t limit, bool silent = false) {
    PageSchedule::Change change = schedule_->Begin();
    auto due = change.TakeDue(hour, limit, *planner_,
                              [&](std::string_view) -> Result<PageSchedule::Change::HostView> {
                                return PageSchedule::Change::HostView{.silent = silent};
                              });
    EXPECT_TRUE(due.ok()) << due.status().ToString();
    Write(change);
    return *due;
  }
  std::vector<PageSchedule::Change::Due> TakeDueOf(uint32_t hour,
                                                   const PageSchedule::Change::LookAtHost& look,
                                                   size_t limit = 1000) {
    PageSchedule::Change change = schedule_->Begin();
    auto due = change.TakeDue(hour, limit, *planner_, look);
    EXPECT_TRUE(due.ok()) << due.status().ToString();
    Write(change);
    return *due;
  }
  void Forget(const web::RowKeyRange& range) {
    PageSchedule::Change change = schedule_->Begin();
    EXPECT_TRUE(change.Forget(range).ok());
    Write(change);
  }
  void ExpectSound() {
    EXPECT_TRUE(schedule_->Check([](const std::string& s) { ADD_FAILURE() << s; }).ok());
  }
  std::set<std::string> Keys() {
    std::set<std::string> keys;
    EXPECT_TRUE(schedule_
                    ->ForEachBlock([&](const PageSchedule::BlockView& block) {
                      for (const auto& page : block.schedule.pages)
                        keys.insert(std::string(block.host_key) + page.name);
                      return true;
                    })
                    .ok());
    return keys;
  }

  TemporaryFolder folder_;
  std::vector<kv::FamilyOptions> all_;
  PageSchedule::Families families_;
  std::unique_ptr<revisit::Planner> planner_;
  std::unique_ptr<kv::Database> db_;
  std::unique_ptr<PageSchedule> schedule_;
};

TEST_F(PageScheduleTest, HoldsWhatASimpleMapHolds) {
  SeededRandom random(71);
  std::map<std::string, uint32_t> expected;  // by row key, the hour of the last visit
  for (int round = 0; round < 60; ++round) {
    const int64_t time = kStart + round * 3600;
    std::vector<std::string> keys;
    for (int i = 0; i < 40; ++i) {
      keys.push_back(fmt::format("test,h{})http:80/{}", random.Below(4), random.Below(700)));
    }
    Visit(keys, time);
    for (const std::string& key : keys) expected[key] = static_cast<uint32_t>(time / 3600);
  }
  ExpectSound();
  Open();
  ExpectSound();
  EXPECT_EQ(schedule_->stats().pages, expected.size());
  EXPECT_GE(schedule_->stats().blocks, expected.size() / PageSchedule::kMostPages);
  EXPECT_EQ(Keys().size(), expected.size());
  for (const auto& [key, hour] : expected) {
    const auto found = schedule_->Find(key);
    ASSERT_TRUE(found.ok() && *found) << key;
    EXPECT_EQ((*found)->page.last_hour, hour);
    EXPECT_EQ((*found)->page.due_hour, hour + 24);
  }
  EXPECT_FALSE(*schedule_->Find("test,h1)http:80/none"));
  EXPECT_FALSE(*schedule_->Find("test,h)http:80/0"));
}

TEST_F(PageScheduleTest, GivesEachPageOnceWhenItIsDue) {
  std::vector<std::string> keys;
  for (int i = 0; i < 500; ++i) keys.push_back(fmt::format("test,a)http:80/{:03}", i));
  Visit(keys, kStart);
  EXPECT_EQ(*schedule_->FirstDueHour(), 495'024u);
  EXPECT_TRUE(TakeDue(495'023, 1000).empty());
  std::set<std::string> given;
  for (int i = 0; i < 100 && given.size() < 500; ++i) {
    for (const auto& due : TakeDue(495'024, 30)) EXPECT_TRUE(given.insert(due.row_key).second);
  }
  EXPECT_EQ(given.size(), 500u);
  EXPECT_EQ(schedule_->stats().queued, 500u);
  EXPECT_TRUE(TakeDue(495'030, 1000).empty());
  Visit({keys[7]}, kStart + 25 * 3600, Outcome::kUnchanged);
  EXPECT_EQ(schedule_->stats().queued, 499u);
  // Pages whose visits did not end are given again.
  EXPECT_EQ(TakeDue(495'024 + revisit::Planner::kQueuedHours, 1000).size(), 500u);
  ExpectSound();
}

TEST_F(PageScheduleTest, OfASilentHostOnePageIsAskedForAtATime) {
  Visit({"test,a)http:80/1", "test,a)http:80/2", "test,a)http:80/3"}, kStart);
  uint32_t hour = 495'024;
  const auto first = TakeDue(hour, 10, /*silent=*/true);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(schedule_->stats().failing, 2u);
  size_t gone = 0;
  for (int i = 0; i < 3000; ++i) {
    for (const auto& due : TakeDue(++hour, 10, /*silent=*/true)) gone += due.gone ? 1 : 0;
  }
  EXPECT_EQ(gone, 3u);
  EXPECT_EQ(schedule_->stats().failing, 3u);
  ExpectSound();
}

TEST_F(PageScheduleTest, AChangeThatIsNotWrittenChangesNothing) {
  Visit({"test,a)http:80/1"}, kStart);
  const ScheduleStats before = schedule_->stats();
  {
    PageSchedule::Change change = schedule_->Begin();
    ASSERT_TRUE(change.Visit("test,a)http:80/2", {.time = kStart}, *planner_).ok());
    Write(change, /*written=*/false);
  }
  EXPECT_EQ(schedule_->stats(), before);
  EXPECT_FALSE(*schedule_->Find("test,a)http:80/2"));
  ExpectSound();
}

TEST_F(PageScheduleTest, OnlyAPageEntersTheSchedule) {
  Visit({"test,a)http:80/1"}, kStart, Outcome::kFailed);
  Visit({"test,a)http:80/2"}, kStart, Outcome::kPassedOver);
  EXPECT_EQ(schedule_->stats(), ScheduleStats());
  EXPECT_FALSE(*schedule_->FirstDueHour());
}

TEST_F(PageScheduleTest, ForgetsRangesAndTheKeysOfTheirBlocks) {
  SeededRandom random(72);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> keys;
    for (int i = 0; i < 300; ++i) {
      keys.push_back(
          fmt::format("test,h{})http:80/d{}/{}", random.Below(3), random.Below(5), random.Below(200)));
    }
    Visit(keys, kStart + round * 3600);
    const web::RowKeyRange range =
        round % 4 == 0   ? web::RowKeysOfHost(fmt::format("h{}.test", random.Below(3)))
        : round % 4 == 1 ? web::RowKeysWithPrefix(fmt::format("test,h0)http:80/d{}/", random.Below(5)))
                         : web::RowKeyRange{keys[0], keys[0] + std::string(1, '\0')};
    std::set<std::string> left = Keys();
    std::erase_if(left, [&](const std::string& key) { return range.Contains(key); });
    {
      PageSchedule::Change change = schedule_->Begin();
      ASSERT_TRUE(change.Forget(range).ok());
      Write(change);
    }
    EXPECT_EQ(Keys(), left);
    for (kv::Cursor cursor = db_->Scan(families_.blocks); cursor.valid(); cursor.Next()) {
      EXPECT_FALSE(range.Contains(cursor.key()) && !cursor.key().ends_with('\xff')) << cursor.key();
    }
    ExpectSound();
    if (HasFailure()) return;
  }
}

TEST_F(PageScheduleTest, TellsDamage) {
  std::vector<std::string> keys;
  for (int i = 0; i < 20; ++i) keys.push_back(fmt::format("test,a)http:80/{:03}", i));
  Visit(keys, kStart);
  const std::string key = "test,a)\xff";
  std::string bytes = **db_->Get(families_.blocks, key);
  bytes[bytes.size() / 2] ^= 1;
  kv::Batch batch;
  batch.Put(families_.blocks, key, bytes);
  ASSERT_TRUE(db_->Write(batch, {}).ok());
  std::vector<std::string> notes;
  ASSERT_TRUE(schedule_->Check([&](std::string s) { notes.push_back(std::move(s)); }).ok());
  EXPECT_FALSE(notes.empty());
  EXPECT_EQ(schedule_->Find(keys[0]).status().code(), StatusCode::kCorruption);
}

TEST_F(PageScheduleTest, ItsCountsRefuseEveryFlippedAndCutByte) {
  const std::string bytes =
      EncodeScheduleRecord({.stats = {.pages = 3, .planned = 1.5}, .memory = {.price = 2}});
  ASSERT_TRUE(DecodeScheduleRecord(bytes));
  for (size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(DecodeScheduleRecord(bytes.substr(0, i))) << i;
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x20);
    EXPECT_FALSE(DecodeScheduleRecord(flipped)) << i;
  }
}

TEST_F(PageScheduleTest, TheRecordOfAHostRefusesEveryFlippedAndCutByte) {
  const std::string bytes = EncodeHostLoad({.pages = 300, .planned = 1.5, .price = 2});
  ASSERT_TRUE(DecodeHostLoad(bytes));
  for (size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(DecodeHostLoad(bytes.substr(0, i))) << i;
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x20);
    EXPECT_FALSE(DecodeHostLoad(flipped)) << i;
  }
}

TEST_F(PageScheduleTest, TheRecordOfAHostWithHintsRefusesEveryFlippedAndCutByte) {
  revisit::HostLoad load = {.pages = 300, .planned = 1.5, .price = 2, .hinted_since = 495'000};
  load.trust[1] = revisit::HintTrust();
  load.trust[1]->OnVisit(3, 2, true, revisit::RateBelief::Wide());
  const std::string bytes = EncodeHostLoad(load);
  const auto read = DecodeHostLoad(bytes);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->trust[0]);
  ASSERT_TRUE(read->trust[1]);
  EXPECT_EQ(read->trust[1]->hints(), 2);
  EXPECT_NEAR(read->trust[1]->precision(), load.trust[1]->precision(), 0.01);
  EXPECT_EQ(read->hinted_since, 495'000u);
  for (size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(DecodeHostLoad(bytes.substr(0, i))) << i;
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x20);
    EXPECT_FALSE(DecodeHostLoad(flipped)) << i;
  }
}

TEST_F(PageScheduleTest, LearnsOnceForAllBlocksOfAHostHowOftenHintsAreRight) {
  std::vector<std::string> keys;
  for (int i = 0; i < 600; ++i) keys.push_back(fmt::format("test,a)http:80/{:03}", i));
  Visit(keys, kStart);
  const auto hint = [&](const std::string& key, uint32_t hour) {
    PageSchedule::Change change = schedule_->Begin();
    EXPECT_TRUE(*change.Hint(key, revisit::HintSource::kFeed, hour, *planner_));
    Write(change);
  };
  uint32_t hour = 495'000;
  // Each page has one hint, and the pages are from all over the host.
  for (size_t i = 0; i < 40; ++i) {
    const std::string& key = keys[i * 97 % keys.size()];
    hint(key, hour += 48);
    Visit({key}, int64_t{hour + 1} * 3600, Outcome::kChanged);
  }
  Open();
  ExpectSound();
  const auto host = *schedule_->FindHost("test,a)");
  ASSERT_TRUE(host && host->trust[0]);
  EXPECT_EQ(host->trust[0]->hints(), 40);
  EXPECT_GT(host->trust[0]->precision(), 0.8);
  EXPECT_EQ(host->hinted_since, 495'048u);
  EXPECT_FALSE(host->trust[1]);
  size_t blocks = 0;
  ASSERT_TRUE(schedule_
                  ->ForEachBlock([&](const PageSchedule::BlockView& block) {
                    ++blocks;
                    EXPECT_FALSE(block.schedule.trust[0]) << "the host has it";
                    return true;
                  })
                  .ok());
  EXPECT_GE(blocks, 5u);
  // False hints are noticed in any block.
  for (size_t i = 0; i < 100; ++i) {
    const std::string& key = keys[i * 89 % keys.size()];
    hint(key, hour += 48);
    Visit({key}, int64_t{hour + 1} * 3600, Outcome::kUnchanged);
  }
  EXPECT_LT((*schedule_->FindHost("test,a)"))->trust[0]->precision(), 0.4);
}

// A collection from before hosts had a trust: each block had its own.
TEST_F(PageScheduleTest, TakesTheTrustOfTheBlockThatHasSeenMostHints) {
  std::vector<std::string> keys;
  for (int i = 0; i < 300; ++i) keys.push_back(fmt::format("test,a)http:80/{:03}", i));
  Visit(keys, kStart);
  kv::Batch batch;
  int nth = 0;
  ASSERT_TRUE(schedule_
                  ->ForEachBlock([&](const PageSchedule::BlockView& block) {
                    revisit::HostSchedule old = block.schedule;
                    old.trust[0] = revisit::HintTrust();
                    for (int i = 0; i <= nth % 2; ++i)
                      old.trust[0]->OnVisit(3, 1, nth % 2 == 1, revisit::RateBelief::Wide());
                    old.hinted_since = 494'000 - static_cast<uint32_t>(nth++);
                    kv::Cursor at =
                        db_->Scan(families_.blocks, std::string(block.host_key) + old.pages.back().name);
                    batch.Put(families_.blocks, at.key(), revisit::EncodeHostSchedule(old));
                    return true;
                  })
                  .ok());
  ASSERT_GE(nth, 3);
  ASSERT_TRUE(db_->Write(batch, {.sync = true}).ok());
  Visit(keys, kStart + 86400, Outcome::kUnchanged);
  const auto host = *schedule_->FindHost("test,a)");
  ASSERT_TRUE(host && host->trust[0]);
  EXPECT_EQ(host->trust[0]->hints(), 2);
  EXPECT_GT(host->trust[0]->precision(), 0.5);
  EXPECT_EQ(host->hinted_since, 494'001u - static_cast<uint32_t>(nth));
  ASSERT_TRUE(schedule_
                  ->ForEachBlock([&](const PageSchedule::BlockView& block) {
                    EXPECT_FALSE(block.schedule.trust[0]);
                    return true;
                  })
                  .ok());
  ExpectSound();
}

TEST_F(PageScheduleTest, TakesOfAHostOnlyAsManyPagesAsItHasTimeFor) {
  std::vector<std::string> keys;
  for (int i = 0; i < 300; ++i) keys.push_back(fmt::format("test,slow)http:80/{:03}", i));
  for (int i = 0; i < 30; ++i) keys.push_back(fmt::format("test,soon)http:80/{:03}", i));
  Visit(keys, kStart);
  const uint32_t hour = 495'024;
  int looks = 0;
  const auto due = TakeDueOf(hour, [&](std::string_view key) -> Result<PageSchedule::Change::HostView> {
    ++looks;
    if (key.starts_with("test,soon)")) return PageSchedule::Change::HostView{};
    return PageSchedule::Change::HostView{.room = 2, .wait_hours = 1, .each_hours = 0.5};
  });
  EXPECT_EQ(looks, 2);
  EXPECT_EQ(due.size(), 32u) << "a host without time does not hold up another";
  ExpectSound();
  // The others wait, each half an hour longer than the one before.
  uint32_t latest = 0;
  ASSERT_TRUE(schedule_
                  ->ForEachBlock([&](const PageSchedule::BlockView& block) {
                    for (const auto& page : block.schedule.pages) {
                      EXPECT_GT(page.due_hour, hour);
                      if (!page.queued) latest = std::max(latest, page.due_hour);
                    }
                    return true;
                  })
                  .ok());
  EXPECT_EQ(latest, hour + 1 + 149);
  EXPECT_EQ(*schedule_->FirstDueHour(), hour + 1);
}

TEST_F(PageScheduleTest, AHostWithSeveralBlocksOrAPriceHasARecord) {
  planner_ = *revisit::Planner::Make({.policy = "optimal", .share_per_day = 0.05});
  std::vector<std::string> keys;
  for (int i = 0; i < 300; ++i) keys.push_back(fmt::format("test,many)http:80/{:03}", i));
  for (int i = 0; i < 100; ++i) keys.push_back(fmt::format("test,slow)http:80/{:03}", i));
  for (int i = 0; i < 100; ++i) keys.push_back(fmt::format("test,few)http:80/{:03}", i));
  Visit(keys, kStart);
  EXPECT_TRUE(*schedule_->FindHost("test,many)"));
  EXPECT_FALSE(*schedule_->FindHost("test,slow)"));
  EXPECT_FALSE(*schedule_->FindHost("test,few)"));
  uint32_t hour = 495'000;
  for (int day = 0; day < 400; ++day) {
    hour += 24;
    PageSchedule::Change change = schedule_->Begin();
    const auto due = change.TakeDue(hour, 1000, *planner_, [&](std::string_view key) {
      PageSchedule::Change::HostView view = {.most_per_day = 1000};
      if (key.starts_with("test,slow)"))
        view = {.most_per_day = 0.5, .room = 1, .wait_hours = 48, .each_hours = 48};
      return Result<PageSchedule::Change::HostView>(view);
    });
    ASSERT_TRUE(due.ok());
    for (const auto& page : *due) {
      const auto outcome = hour % 5 == 0 ? Outcome::kChanged : Outcome::kUnchanged;
      ASSERT_TRUE(
          change.Visit(page.row_key, {.outcome = outcome, .time = int64_t{hour} * 3600}, *planner_).ok());
    }
    Write(change);
  }
  ExpectSound();
  Open();
  ExpectSound();
  EXPECT_EQ((*schedule_->FindHost("test,many)"))->price, 0);
  EXPECT_FALSE(*schedule_->FindHost("test,few)"));
  const auto slow = *schedule_->FindHost("test,slow)");
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->pages, 100);
  EXPECT_GT(slow->price, planner_->memory().price);
  EXPECT_LT(slow->planned, 1);  // of 5 a day without a limit

  Forget({.begin = "test,many)", .end = "test,many*"});
  Forget({.begin = "test,slow)http:80/050", .end = "test,slow*"});
  EXPECT_FALSE(*schedule_->FindHost("test,many)"));
  EXPECT_EQ((*schedule_->FindHost("test,slow)"))->pages, 50);
  ExpectSound();
}

// A collection that was written before there were records of hosts.
TEST_F(PageScheduleTest, MeasuresAHostOnceThatHasNoRecord) {
  std::vector<std::string> keys;
  for (int i = 0; i < 300; ++i) keys.push_back(fmt::format("test,a)http:80/{:03}", i));
  Visit(keys, kStart);
  kv::Batch batch;
  batch.Delete(families_.blocks, std::string("\0test,a)", 8));
  ASSERT_TRUE(db_->Write(batch, {.sync = true}).ok());
  ASSERT_FALSE(*schedule_->FindHost("test,a)"));
  (void)TakeDueOf(
      495'024,
      [](std::string_view) -> Result<PageSchedule::Change::HostView> {
        return PageSchedule::Change::HostView{.most_per_day = 1e6};
      },
      10);
  const auto host = *schedule_->FindHost("test,a)");
  ASSERT_TRUE(host);
  EXPECT_EQ(host->pages, 300);
  EXPECT_EQ(host->planned, 300);
  ExpectSound();
}

}  // namespace
}  // namespace crivello::collection
