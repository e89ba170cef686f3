// SPDX-License-Identifier: Apache-2.0
#include "care/exclusion_work.h"

#include <gmock/gmock.h>

#include "base/test_support.h"
#include "collection/why.h"
#include "frontier/host_queues.h"
#include "web/url/canonical.h"

namespace crivello::care {
namespace {

using policy::Exclusion;
using ::testing::ElementsAre;

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
  TemporaryFolder folder_;
  std::unique_ptr<collection::Collection> store_;
};

TEST_F(ExclusionWorkTest, CountsQueuedUrlsAndNamesSome) {
  Enqueue({"http://a.example/1", "http://a.example/2.zip", "http://a.example/3", "http://b.example/1",
           "http://b.example/x/2", "http://b.example/x/3.zip", "http://c.test/9.zip"});
  const auto queued = [this](std::string_view kind, std::string_view text) {
    const auto preview = PreviewExclusion(*store_, {}, Parsed(kind, text));
    EXPECT_TRUE(preview.ok()) << preview.status().ToString();
    return preview.ok() ? preview->queued : 0;
  };
  const auto zips = PreviewExclusion(*store_, {"http://a.example/zip.zip", "http://c.test/"},
                                     Parsed("filter", "path_ends_with(.zip) and depth(3)"));
  ASSERT_TRUE(zips.ok());
  EXPECT_EQ(zips->queued, 3u);
  EXPECT_EQ(zips->queued_hosts, 3u);
  EXPECT_EQ(zips->queued_examples.size(), 3u);
  EXPECT_EQ(zips->rows, 0u);
  EXPECT_EQ(queued("prefix", "http://b.example/x/"), 2u);
  EXPECT_EQ(queued("host", "a.example"), 3u);
  EXPECT_EQ(queued("host", "never.seen.example"), 0u);
}

TEST_F(ExclusionWorkTest, IsWhyAUrlIsNotFetched) {
  ASSERT_TRUE(policy::WriteExclusions(store_->directory(), {Parsed("host", "a.example")}).ok());
  const auto reasons = collection::Why(*store_, *web::CanonicalUrl("http://a.example/never-met"));
  ASSERT_TRUE(reasons.ok()) << reasons.status().ToString();
  EXPECT_EQ(reasons->front().kind, "excluded");
  EXPECT_EQ(reasons->front().sentence, "it matches an exclusion: host a.example");
}

TEST_F(ExclusionWorkTest, NamesTheSeedsThatAreMeant) {
  const auto preview =
      PreviewExclusion(*store_, {"http://a.example/x", "http://c.test/"}, Parsed("host", "a.example"));
  ASSERT_TRUE(preview.ok());
  EXPECT_THAT(preview->seeds, ElementsAre("http://a.example/x"));
}

}  // namespace
}  // namespace crivello::care
