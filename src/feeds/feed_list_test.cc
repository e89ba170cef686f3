// SPDX-License-Identifier: Apache-2.0
#include "feeds/feed_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/test_support.h"
#include "feeds/subscription_list.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::feeds {
namespace {

FeedRecord Full() {
  FeedRecord record;
  record.origin = Origin::kFound;
  record.format = web::FeedFormat::kAtom;
  record.title = "News";
  record.site = "https://a.example/";
  record.hubs = {"https://hub.example/", "https://hub.example/2"};
  record.topic = "https://a.example/feed";
  record.push = true;
  record.depth = 3;
  record.last_poll = 1772445600;
  record.next_poll = 1772449200;
  record.last_status = 304;
  record.trouble = "none";
  record.failures = 2;
  record.polls = 70;
  record.items = 300;
  record.last_new = 1;
  record.last_news = 1772445000;
  record.hints = {.interval_s = 3600, .fresh_s = 60, .skip_hours = 5, .skip_days = 64};
  record.history = {.seconds = 99999, .thousandths = 1500};
  record.etag = "\"e\"";
  record.last_modified = -5;
  record.seen = {1, 2, 0xffffffffffffffff};
  return record;
}

TEST(FeedRecordTest, ReadsWhatItWrites) {
  for (const FeedRecord& record : {Full(), FeedRecord()}) {
    const auto again = FeedRecord::Decode(record.Encode());
    ASSERT_TRUE(again.ok()) << again.status().message();
    EXPECT_EQ(*again, record);
  }
}

TEST(FeedRecordTest, RefusesCutRecordsAndSurvivesFlippedOnes) {
  const std::string bytes = Full().Encode();
  for (size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_EQ(FeedRecord::Decode(bytes.substr(0, i)).status().code(), StatusCode::kCorruption) << i;
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      const auto record = FeedRecord::Decode(flipped);
      if (record.ok()) {
        EXPECT_EQ(record->Encode(), flipped) << i;
      }
    }
  }
  EXPECT_EQ(FeedRecord::Decode(bytes + '\0').status().code(), StatusCode::kCorruption);
  std::string newer = bytes;
  newer[0] = 3;
  EXPECT_THAT(FeedRecord::Decode(newer).status().message(), testing::HasSubstr("version 3"));
}

class FeedListTest : public testing::Test {
 protected:
  void SetUp() override { Open(); }
  void Open() {
    list_ = nullptr;
    db_ = nullptr;
    auto db = kv::Database::Open(folder_ / "db", {.families = {FeedList::FamilyOptions()}});
    ASSERT_TRUE(db.ok()) << db.status().message();
    db_ = std::move(db).value();
    auto list = FeedList::Open(*db_, 0);
    ASSERT_TRUE(list.ok()) << list.status().message();
    list_ = std::move(list).value();
  }
  static std::string KeyOf(const std::string& url) { return *web::RowKey(*web::CanonicalUrl(url)); }
  void Put(const std::string& url, const FeedRecord& record) {
    kv::Batch batch;
    list_->Put(KeyOf(url), record, &batch);
    ASSERT_TRUE(list_->Write(batch).ok());
  }
  std::vector<std::string> Urls(const std::string& after = {}) {
    std::vector<std::string> urls;
    const Status status = list_->ForEach(after, [&](std::string_view key, const FeedRecord&) -> Result<bool> {
      urls.emplace_back(web::UrlOfRowKey(key)->href());
      return true;
    });
    EXPECT_TRUE(status.ok()) << status.message();
    return urls;
  }

  TemporaryFolder folder_;
  std::unique_ptr<kv::Database> db_;
  std::unique_ptr<FeedList> list_;
};

TEST_F(FeedListTest, KeepsRecordsAcrossOpenings) {
  EXPECT_FALSE(list_->any());
  Put("https://a.example/feed", Full());
  Put("https://a.example/other", FeedRecord());
  Open();
  EXPECT_TRUE(list_->any());
  const auto record = list_->Get(KeyOf("https://a.example/feed"));
  ASSERT_TRUE(record.ok()) << record.status().message();
  EXPECT_EQ(*record, Full());
  const auto none = list_->Get(KeyOf("https://a.example/none"));
  ASSERT_TRUE(none.ok()) << none.status().message();
  EXPECT_FALSE(*none);
  EXPECT_THAT(Urls(), testing::ElementsAre("https://a.example/feed", "https://a.example/other"));
  EXPECT_THAT(Urls(KeyOf("https://a.example/feed")), testing::ElementsAre("https://a.example/other"));
}

TEST_F(FeedListTest, CheckTellsDamagedRecords) {
  Put("https://a.example/feed", Full());
  kv::Batch batch;
  batch.Put(0, KeyOf("https://a.example/other"), "\x01 broken");
  ASSERT_TRUE(list_->Write(batch).ok());
  std::vector<std::string> notes;
  ASSERT_TRUE(list_->Check([&](std::string note) { notes.push_back(std::move(note)); }).ok());
  EXPECT_THAT(notes, testing::ElementsAre(testing::HasSubstr("/other")));
}

std::vector<Subscription> TwoSubscriptions() {
  SeededRandom random(7);
  std::vector<Subscription> all = {Subscription::New(random), Subscription::New(random)};
  all[0].hub = "https://hub.example/";
  all[0].topic = "https://a.example/feed";
  all[0].base = "https://push.example/";
  all[0].lease_end = 1'800'000'000;
  all[0].recent = {1, UINT64_MAX};
  all[1].leaving = true;
  all[1].pending = Subscription::Pending::kUnsubscribe;
  all[1].trouble = "the hub answered 500";
  return all;
}

TEST(SubscriptionTest, RefusesCutRecordsAndSurvivesFlippedOnes) {
  const std::string bytes = EncodeSubscriptions(TwoSubscriptions());
  ASSERT_EQ(*DecodeSubscriptions(bytes), TwoSubscriptions());
  for (size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_EQ(DecodeSubscriptions(bytes.substr(0, i)).status().code(), StatusCode::kCorruption) << i;
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      const auto all = DecodeSubscriptions(flipped);
      if (all.ok()) {
        EXPECT_EQ(EncodeSubscriptions(*all), flipped) << i;
      }
    }
  }
  EXPECT_EQ(DecodeSubscriptions(bytes + '\0').status().code(), StatusCode::kCorruption);
  // An id or a secret that could be guessed counts as damage.
  std::vector<Subscription> short_id = TwoSubscriptions();
  short_id[1].id.pop_back();
  EXPECT_EQ(DecodeSubscriptions(EncodeSubscriptions(short_id)).status().code(), StatusCode::kCorruption);
}

TEST(SubscriptionListTest, KeepsThemUntilTheyAreReplaced) {
  TemporaryFolder folder;
  kv::DatabaseOptions options;
  options.families = {SubscriptionList::FamilyOptions()};
  auto db = kv::Database::Open(folder / "db", options);
  ASSERT_TRUE(db.ok()) << db.status().ToString();
  SubscriptionList list(**db, 0);
  const std::string key = *web::RowKey(*web::CanonicalUrl("https://a.example/feed"));
  EXPECT_THAT(*list.Get(key), testing::IsEmpty());
  ASSERT_TRUE(list.Put(key, TwoSubscriptions()).ok());
  EXPECT_EQ(*list.Get(key), TwoSubscriptions());
  int seen = 0;
  EXPECT_TRUE(list.ForEach([&](std::string_view at, const std::vector<Subscription>& all) {
                    seen += at == key && all.size() == 2 ? 1 : 0;
                    return Status::Ok();
                  })
                  .ok());
  EXPECT_EQ(seen, 1);
  kv::Batch batch;
  batch.Put(list.family(), "no row key", "x");
  ASSERT_TRUE((*db)->Write(batch, {.sync = false}).ok());
  std::vector<std::string> sentences;
  EXPECT_TRUE(list.Check([&](std::string sentence) { sentences.push_back(std::move(sentence)); }).ok());
  EXPECT_THAT(sentences, testing::ElementsAre("subscriptions of no row key: the record is damaged"));
  ASSERT_TRUE(list.Put(key, {}).ok());
  EXPECT_THAT(*list.Get(key), testing::IsEmpty());
}

}  // namespace
}  // namespace crivello::feeds
