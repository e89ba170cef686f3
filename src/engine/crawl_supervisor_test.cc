// SPDX-License-Identifier: Apache-2.0
#include "engine/crawl_supervisor.h"

#include <gmock/gmock.h>

#include "base/atomic_file.h"
#include "base/test_support.h"
#include "frontier/host_queues.h"

namespace crivello::engine {
namespace {

using ::testing::ElementsAre;

// A crawl that is paused from the start: it asks the network for nothing.
class CrawlSupervisorTest : public testing::Test {
 protected:
  void SetUp() override {
    collection::CollectionOptions options;
    options.directory = folder_ / "c";
    auto store = collection::Collection::Open(options);
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    store_ = *std::move(store);
    ASSERT_TRUE(WriteFileAtomically(store_->directory() + "/paused", AsBytes("")).ok());
    const std::vector<std::string> urls = {"https://a.example/1", "https://a.example/2",
                                           "https://b.example/1"};
    std::vector<frontier::UrlRecord> records;
    for (const std::string& url : urls) records.push_back({.url = url});
    frontier::HostQueues::Change change = store_->tablet(0)->queues().Begin();
    ASSERT_TRUE(change.Enqueue(records, SystemClock().Wall()).ok());
    ASSERT_TRUE(change.Write({.sync = false}).ok());
  }
  void Start() {
    supervisor_ = nullptr;
    auto supervisor = CrawlSupervisor::Start(*store_, {});
    ASSERT_TRUE(supervisor.ok()) << supervisor.status().ToString();
    supervisor_ = *std::move(supervisor);
  }

  TemporaryFolder folder_;
  std::unique_ptr<collection::Collection> store_;
  std::unique_ptr<CrawlSupervisor> supervisor_;
};

TEST_F(CrawlSupervisorTest, StaysPausedAndTellsWhatIsQueuedAllTheSame) {
  Start();
  EXPECT_EQ(supervisor_->state(), serve::CrawlControl::State::kPaused);
  const crawl::CrawlStats stats = supervisor_->stats();
  EXPECT_EQ(stats.frontier.queued_urls, 3u);
  EXPECT_EQ(stats.frontier.known, 2u);
  EXPECT_EQ(stats.frontier.sleeping, 2u);
}

TEST_F(CrawlSupervisorTest, DropsWhatWasPreviewedAndRemembersWhatIsLeftOut) {
  Start();
  const policy::Exclusion host = policy::Exclusion::Parse("host", "a.example").value();
  const auto preview = supervisor_->Preview(host);
  ASSERT_TRUE(preview.ok()) << preview.status().ToString();
  EXPECT_EQ(preview->queued, 2u);
  const auto dropped = supervisor_->Exclude(host);
  ASSERT_TRUE(dropped.ok()) << dropped.status().ToString();
  EXPECT_EQ(*dropped, std::optional<uint64_t>(2));
  EXPECT_EQ(supervisor_->stats().frontier.queued_urls, 1u);
  EXPECT_EQ(supervisor_->Exclude(host).value(), std::optional<uint64_t>(0)) << "once is enough";
  EXPECT_THAT(supervisor_->exclusions(), ElementsAre(host));
  Start();
  EXPECT_THAT(supervisor_->exclusions(), ElementsAre(host));
  EXPECT_EQ(supervisor_->state(), serve::CrawlControl::State::kPaused);
}

TEST_F(CrawlSupervisorTest, TakesAnExclusionBack) {
  Start();
  const policy::Exclusion zips = policy::Exclusion::Parse("filter", "path_ends_with(.zip)").value();
  EXPECT_EQ(supervisor_->Include(zips).code(), StatusCode::kNotFound);
  ASSERT_TRUE(supervisor_->Exclude(zips).ok());
  ASSERT_TRUE(supervisor_->Include(zips).ok());
  EXPECT_TRUE(supervisor_->exclusions().empty());
  EXPECT_TRUE(policy::ReadExclusions(store_->directory())->empty());
}

TEST_F(CrawlSupervisorTest, DoesNotStartWithExclusionsItCannotRead) {
  ASSERT_TRUE(WriteFileAtomically(store_->directory() + "/exclusions.txt", AsBytes("hots a.example\n")).ok());
  const auto supervisor = CrawlSupervisor::Start(*store_, {});
  EXPECT_EQ(supervisor.status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace crivello::engine
