// SPDX-License-Identifier: Apache-2.0
#include "frontier/agenda.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_support.h"

namespace crivello::frontier {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr kv::Family kOther = 1;

WallTime Second(int64_t n) { return WallTime(seconds(1'700'000'000 + n)); }

class AgendaTest : public testing::Test {
 protected:
  void SetUp() override { Open(); }
  void Open() {
    agenda_ = nullptr;
    db_ = nullptr;
    auto db = kv::Database::Open(
        folder_ / "db", {.families = {Agenda::FamilyOptions(), {.name = "other"}}, .memory_bytes = 8 << 20});
    ASSERT_TRUE(db.ok()) << db.status().ToString();
    db_ = *std::move(db);
    auto agenda = Agenda::Open(*db_, 0);
    ASSERT_TRUE(agenda.ok()) << agenda.status().ToString();
    agenda_ = *std::move(agenda);
  }
  void Add(const std::string& url, WallTime due, bool known = true) {
    const Appointment one = {.record = {.url = url, .priority = 3}, .not_before = due, .known = known};
    ASSERT_TRUE(agenda_->Add({&one, 1}).ok());
  }
  // Moves due entries elsewhere, and returns their URLs.
  std::vector<std::string> Move(WallTime now, size_t limit = 100) {
    auto taken = agenda_->Take(now, limit);
    EXPECT_TRUE(taken.ok()) << taken.status().ToString();
    std::vector<std::string> urls;
    for (const UrlRecord& record : taken->records()) urls.emplace_back(record.url);
    kv::Batch batch;
    taken->Remove(batch);
    for (const std::string& url : urls) batch.Put(kOther, url, "");
    EXPECT_TRUE(db_->Write(batch, {}).ok());
    taken->Done();
    return urls;
  }

  TemporaryFolder folder_;
  std::unique_ptr<kv::Database> db_;
  std::unique_ptr<Agenda> agenda_;
};

TEST_F(AgendaTest, GivesEntriesInTheOrderOfTheirTimeAndNoneBeforeIt) {
  EXPECT_EQ(agenda_->next(), std::nullopt);
  Add("http://a.test/late", Second(30));
  Add("http://b.test/early", Second(10));
  Add("http://a.test/between", Second(20) + milliseconds(1));
  EXPECT_EQ(agenda_->next(), Second(10));
  EXPECT_EQ(agenda_->size(), 3u);
  EXPECT_THAT(Move(Second(9)), IsEmpty());
  EXPECT_THAT(Move(Second(20)), ElementsAre("http://b.test/early"));
  EXPECT_EQ(agenda_->next(), Second(20) + milliseconds(1));
  EXPECT_THAT(Move(Second(99), 1), ElementsAre("http://a.test/between"));
  EXPECT_THAT(Move(Second(99), 1), ElementsAre("http://a.test/late"));
  EXPECT_EQ(agenda_->next(), std::nullopt);
  EXPECT_EQ(agenda_->size(), 0u);
}

TEST_F(AgendaTest, KeepsItsEntriesAcrossARestart) {
  Add("http://a.test/1", Second(10));
  Add("http://a.test/2", Second(20), /*known=*/false);
  Add("http://a.test/1", Second(10));  // a duplicate: one entry
  EXPECT_THAT(Move(Second(10)), ElementsAre("http://a.test/1"));
  Open();
  EXPECT_EQ(agenda_->size(), 1u);
  EXPECT_EQ(agenda_->next(), Second(20));
  const auto taken = agenda_->Take(Second(20), 10);
  ASSERT_TRUE(taken.ok());
  ASSERT_EQ(taken->records().size(), 1u);
  EXPECT_EQ(taken->records()[0].url, "http://a.test/2");
  EXPECT_EQ(taken->records()[0].priority, 3);
  EXPECT_EQ(taken->records()[0].found, Second(20));
  EXPECT_FALSE(taken->known(0));
}

TEST_F(AgendaTest, CountsAsFoundInTheSecondAfterItIsDue) {
  Add("http://a.test/", Second(10) + milliseconds(1));
  const auto taken = agenda_->Take(Second(11), 10);
  ASSERT_TRUE(taken.ok() && taken->records().size() == 1);
  EXPECT_EQ(taken->records()[0].found, Second(11));
}

TEST_F(AgendaTest, WhatWasTakenAndNotMovedStays) {
  Add("http://a.test/", Second(10));
  EXPECT_EQ(agenda_->Take(Second(10), 10)->records().size(), 1u);
  EXPECT_EQ(agenda_->next(), Second(10));
  EXPECT_THAT(Move(Second(10)), ElementsAre("http://a.test/"));
}

TEST_F(AgendaTest, RefusesWhatIsNotACanonicalUrl) {
  const Appointment wrong[] = {{.record = {.url = "http://a.test/"}}, {.record = {.url = "mailto:x"}}};
  EXPECT_EQ(agenda_->Add(wrong).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(agenda_->size(), 0u);
}

TEST_F(AgendaTest, TellsDamagedEntries) {
  Add("http://a.test/", Second(10));
  std::vector<std::string> told;
  const auto note = [&told](std::string sentence) { told.push_back(std::move(sentence)); };
  ASSERT_TRUE(agenda_->Check(note).ok());
  EXPECT_THAT(told, IsEmpty());
  kv::Cursor cursor = db_->Scan(0);
  cursor.Next();
  kv::Batch batch;
  batch.Put(0, cursor.key(), "\x07");
  ASSERT_TRUE(db_->Write(batch, {}).ok());
  ASSERT_TRUE(agenda_->Check(note).ok());
  EXPECT_THAT(told, ElementsAre(testing::HasSubstr("is damaged")));
  EXPECT_EQ(agenda_->Take(Second(10), 10).status().code(), StatusCode::kCorruption);
}

TEST(AgendaEntryTest, RefusesWhatItDidNotWrite) {
  const AgendaEntry entry = {.record = {.url = "https://a.test/x", .priority = 2, .depth = 4}, .known = true};
  const std::string bytes = EncodeAgendaEntry(entry);
  EXPECT_EQ(DecodeAgendaEntry(bytes), entry);
  for (size_t size = 0; size < bytes.size() - 1; ++size) {
    const auto cut = DecodeAgendaEntry(std::string_view(bytes).substr(0, size));
    EXPECT_TRUE(!cut || cut->record.url.size() < entry.record.url.size()) << size;
  }
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      const auto read = DecodeAgendaEntry(flipped);
      EXPECT_TRUE(!read || EncodeAgendaEntry(*read) == flipped || i < 5) << i;
    }
  }
}

}  // namespace
}  // namespace crivello::frontier
