// SPDX-License-Identifier: Apache-2.0
#include "care/exclusion_work.h"

#include <gmock/gmock.h>

#include "base/test_support.h"
#include "collection/why.h"
#include "frontier/host_queues.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::care {
namespace {

using policy::Exclusion;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Exclusion Parsed(std::string_view kind, std::string_view text) {
  auto exclusion = Exclusion::Parse(kind, text);
  EXPECT_TRUE(exclusion.ok()) << exclusion.status().ToString();
  return exclusion.ok() ? *exclusion : Exclusion{};
}

class ExclusionWorkTest : public testing::Test {
 protected:
  void SetUp() override {
    collection::CollectionOptions options;
    options.directory = folder_.path() + "/c";
    options.tablets = 2;
    auto store = collection::Collection::Open(options);
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    store_ = *std::move(store);
  }
  void Enqueue(const std::vector<std::string>& urls) {
    for (const std::string& text : urls) {
      const auto url = web::CanonicalUrl(text);
      ASSERT_TRUE(url.ok());
      frontier::HostQueues& queues = store_->Find(url->hostname())->queues();
      frontier::HostQueues::Change change = queues.Begin();
      const frontier::UrlRecord record = {.url = url->href(), .priority = 1, .depth = 3};
      ASSERT_TRUE(change.Enqueue({&record, 1}, SystemClock().Wall()).ok());
      ASSERT_TRUE(change.Write({.sync = false}).ok());
    }
  }
  std::vector<std::string> Queue(const std::string& host) {
    std::vector<std::string> urls;
    frontier::HostQueues& queues = store_->Find(host)->queues();
    const auto state = queues.Load(web::HostHash(host));
    EXPECT_TRUE(state.ok() && *state);
    frontier::QueueCursor cursor = frontier::HostQueues::Start(**state);
    const auto items = queues.Read(web::HostHash(host), cursor, 1000);
    EXPECT_TRUE(items.ok()) << items.status().ToString();
    for (const auto& item : *items) urls.push_back(item.url);
    EXPECT_EQ((*state)->queued(), urls.size());
    return urls;
  }
  // What was previewed is what is dropped.
  uint64_t PreviewAndDrop(const Exclusion& exclusion) {
    const auto preview = PreviewExclusion(*store_, {"http://a.example/zip.zip", "http://c.test/"}, exclusion);
    EXPECT_TRUE(preview.ok()) << preview.status().ToString();
    const auto dropped = DropExcluded(*store_, exclusion);
    EXPECT_TRUE(dropped.ok()) << dropped.status().ToString();
    EXPECT_EQ(preview->queued, *dropped);
    EXPECT_EQ(PreviewExclusion(*store_, {}, exclusion)->queued, 0u);
    return *dropped;
  }

  TemporaryFolder folder_;
  std::unique_ptr<collection::Collection> store_;
};

TEST_F(ExclusionWorkTest, DropsWhatItPreviewsAndNothingElse) {
  Enqueue({"http://a.example/1", "http://a.example/2.zip", "http://a.example/3", "http://b.example/1",
           "http://b.example/x/2", "http://b.example/x/3.zip", "http://c.test/9.zip"});
  const auto zips = PreviewExclusion(*store_, {"http://a.example/zip.zip", "http://c.test/"},
                                     Parsed("filter", "path_ends_with(.zip) and depth(3)"));
  ASSERT_TRUE(zips.ok());
  EXPECT_EQ(zips->queued, 3u);
  EXPECT_EQ(zips->queued_hosts, 3u);
  EXPECT_EQ(zips->rows, 0u);
  EXPECT_EQ(PreviewAndDrop(Parsed("filter", "path_ends_with(.zip)")), 3u);
  EXPECT_THAT(Queue("a.example"), ElementsAre("http://a.example/1", "http://a.example/3"));
  EXPECT_THAT(Queue("c.test"), ElementsAre());
  EXPECT_EQ(PreviewAndDrop(Parsed("prefix", "http://b.example/x/")), 1u);
  EXPECT_THAT(Queue("b.example"), ElementsAre("http://b.example/1"));
  EXPECT_EQ(PreviewAndDrop(Parsed("host", "a.example")), 2u);
  EXPECT_EQ(PreviewAndDrop(Parsed("host", "never.seen.example")), 0u);
}

TEST_F(ExclusionWorkTest, SaysWhyAndLasts) {
  Enqueue({"http://a.example/1", "http://a.example/2"});
  EXPECT_EQ(PreviewAndDrop(Parsed("prefix", "http://a.example/2")), 1u);
  const auto url = web::CanonicalUrl("http://a.example/2");
  const auto events = store_->Find("a.example")->ledger().Get(*web::RowKey(*url));
  ASSERT_TRUE(events.ok());
  ASSERT_EQ(events->size(), 1u);
  EXPECT_THAT(store::Explain(events->front()), HasSubstr("url_like"));
  store_ = nullptr;
  SetUp();
  EXPECT_THAT(Queue("a.example"), ElementsAre("http://a.example/1"));
}

TEST_F(ExclusionWorkTest, IsWhyAUrlIsNotFetched) {
  ASSERT_TRUE(policy::WriteExclusions(store_->directory(), {Parsed("host", "a.example")}).ok());
  const auto reasons = collection::Why(*store_, *web::CanonicalUrl("http://a.example/never-met"));
  ASSERT_TRUE(reasons.ok()) << reasons.status().ToString();
  EXPECT_EQ(reasons->front().kind, "excluded");
  EXPECT_EQ(reasons->front().sentence, "the owner has left it out: host a.example");
}

TEST_F(ExclusionWorkTest, NamesTheSeedsThatAreMeant) {
  const auto preview =
      PreviewExclusion(*store_, {"http://a.example/x", "http://c.test/"}, Parsed("host", "a.example"));
  ASSERT_TRUE(preview.ok());
  EXPECT_THAT(preview->seeds, ElementsAre("http://a.example/x"));
}

}  // namespace
}  // namespace crivello::care
