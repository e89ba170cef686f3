// SPDX-License-Identifier: Apache-2.0
#include "engine/store_forgetter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/test_support.h"
#include "care/forget.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::engine {
namespace {

class FakeIndex final : public care::IndexKeeper {
 public:
  explicit FakeIndex(std::function<Status()> rebuild) : rebuild_(std::move(rebuild)) {}
  Status Rebuild(collection::Collection& /*store*/, Progress& /*progress*/) override { return rebuild_(); }

 private:
  const std::function<Status()> rebuild_;
};

class StoreForgetterTest : public testing::Test {
 protected:
  void SetUp() override {
    collection::CollectionOptions options;
    options.directory = folder_ / "c";
    auto store = collection::Collection::Open(options);
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    store_ = *std::move(store);
    kv::Batch batch;
    for (const char* url : {"https://a.example/1", "https://a.example/2", "https://b.example/"}) {
      const store::FetchCell fetch = {.status = 200, .body_bytes = 10};
      const store::RowVersion version = {
          .time = 1'700'000'000'000'000, .fetch = &fetch, .text = {}, .links = {}};
      ASSERT_TRUE(store_->tablet(0)->table().Put(KeyOf(url), version, &batch).ok());
    }
    ASSERT_TRUE(store_->tablet(0)->db().Write(batch, {.sync = false}).ok());
  }
  static std::string KeyOf(std::string_view url) {
    return web::RowKey(web::CanonicalUrl(url).value()).value();
  }
  bool Has(std::string_view url) { return store_->tablet(0)->table().Newest(KeyOf(url)).value().has_value(); }

  TemporaryFolder folder_;
  std::unique_ptr<collection::Collection> store_;
  const collection::ForgetTarget host_ = collection::ForgetTarget::Parse("a.example").value();
};

TEST_F(StoreForgetterTest, ForgetsInAThreadOfItsOwnOneAtATime) {
  Mutex held;
  FakeIndex index([&held] {
    MutexLock lock(held);
    return Status::Ok();
  });
  StoreForgetter forgetter(*store_, &index);
  EXPECT_EQ(forgetter.Preview(host_)->rows, 2u);
  {
    MutexLock lock(held);
    ASSERT_TRUE(forgetter.Begin(host_, "asked").ok());
    EXPECT_FALSE(forgetter.WaitUntilIdle(std::chrono::milliseconds(10)));
    const serve::ForgetControl::State state = forgetter.state();
    EXPECT_TRUE(state.running);
    ASSERT_EQ(state.entries.size(), 1u);
    EXPECT_EQ(state.entries[0].done, 0);
    EXPECT_EQ(forgetter.Begin(host_, "again").code(), StatusCode::kUnavailable);
    SilentProgress silent;
    EXPECT_EQ(care::Forget(*store_, {&host_, 1}, "by command", {}, silent).status().code(),
              StatusCode::kUnavailable);
  }
  ASSERT_TRUE(forgetter.WaitUntilIdle(std::chrono::seconds(60)));
  const serve::ForgetControl::State state = forgetter.state();
  EXPECT_TRUE(state.ended.ok()) << state.ended.ToString();
  ASSERT_EQ(state.entries.size(), 1u);
  EXPECT_EQ(state.entries[0].reason, "asked");
  EXPECT_NE(state.entries[0].done, 0);
  EXPECT_EQ(state.entries[0].rows, 2u);
  EXPECT_FALSE(Has("https://a.example/1"));
  EXPECT_TRUE(Has("https://b.example/"));
}

TEST_F(StoreForgetterTest, WaitsForNoTurnAndTellsWhoAsked) {
  StoreForgetter forgetter(*store_, nullptr);
  {
    const auto turn = store_->care().Take();
    ASSERT_TRUE(turn.ok());
    EXPECT_EQ(forgetter.Begin(host_, "asked").code(), StatusCode::kUnavailable);
    EXPECT_TRUE(forgetter.state().entries.empty());
    EXPECT_TRUE(forgetter.state().ended.ok());
  }
  ASSERT_TRUE(forgetter.Begin(host_, "asked").ok());
  ASSERT_TRUE(forgetter.WaitUntilIdle(std::chrono::seconds(60)));
  EXPECT_FALSE(Has("https://a.example/1"));
}

TEST_F(StoreForgetterTest, SaysWhatWentWrongAndEndsItWithTheNext) {
  bool broken = true;
  FakeIndex index([&broken] { return broken ? Status::IoError("no room") : Status::Ok(); });
  StoreForgetter forgetter(*store_, &index);
  ASSERT_TRUE(forgetter.Begin(host_, "asked").ok());
  ASSERT_TRUE(forgetter.WaitUntilIdle(std::chrono::seconds(60)));
  EXPECT_EQ(forgetter.state().ended.code(), StatusCode::kIoError);
  EXPECT_EQ(forgetter.state().entries.at(0).done, 0);
  broken = false;
  ASSERT_TRUE(forgetter.Begin(collection::ForgetTarget::Parse("c.example").value(), "asked too").ok());
  ASSERT_TRUE(forgetter.WaitUntilIdle(std::chrono::seconds(60)));
  EXPECT_TRUE(forgetter.state().ended.ok());
  for (const collection::ForgottenEntry& entry : forgetter.state().entries) EXPECT_NE(entry.done, 0);
}

}  // namespace
}  // namespace crivello::engine
