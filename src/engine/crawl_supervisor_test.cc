// SPDX-License-Identifier: Apache-2.0
#include "engine/crawl_supervisor.h"

#include <gmock/gmock.h>

#include "base/atomic_file.h"
#include "base/test_support.h"
#include "crawl/crawl_test_support.h"
#include "frontier/host_queues.h"

namespace crivello::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using State = serve::CrawlControl::State;

constexpr Duration kPatience = std::chrono::minutes(1);

// A crawl that is paused from the start, of a collection with some URLs queued.
class CrawlSupervisorTest : public testing::Test {
 protected:
  void SetUp() override {
    store_ = crawl::OpenTestStore(folder_ / "c", {.tablets = 2});
    ASSERT_NE(store_, nullptr);
    ASSERT_TRUE(WriteFileAtomically(PausedPath(), AsBytes("")).ok());
    for (const char* const url : {"https://a.example/1", "https://a.example/2.zip", "https://a.example/x/3",
                                  "https://b.example/1", "https://b.example/2.zip"}) {
      const frontier::UrlRecord record = {.url = url};
      frontier::HostQueues::Change change = crawl::TabletOfUrl(*store_, url).queues().Begin();
      ASSERT_TRUE(change.Enqueue({&record, 1}, SystemClock().Wall()).ok());
      ASSERT_TRUE(change.Write({.sync = false}).ok());
    }
  }
  void Start() {
    supervisor_ = nullptr;
    auto supervisor = CrawlSupervisor::Start(*store_, {});
    ASSERT_TRUE(supervisor.ok()) << supervisor.status().ToString();
    supervisor_ = *std::move(supervisor);
  }
  std::string PausedPath() const { return store_->directory() + "/paused"; }
  // The same URLs are dropped as were previewed.
  uint64_t PreviewAndExclude(std::string_view kind, std::string_view text) {
    const policy::Exclusion exclusion = policy::Exclusion::Parse(kind, text).value();
    const auto preview = supervisor_->Preview(exclusion);
    EXPECT_TRUE(preview.ok()) << preview.status().ToString();
    const auto dropped = supervisor_->Exclude(exclusion);
    EXPECT_TRUE(dropped.ok()) << dropped.status().ToString();
    EXPECT_EQ(*dropped, std::optional<uint64_t>(preview->queued));
    EXPECT_EQ(supervisor_->Preview(exclusion)->queued, 0u);
    return preview->queued;
  }
  uint64_t Queued() { return supervisor_->status().queued; }

  TemporaryFolder folder_;
  std::unique_ptr<collection::Collection> store_;
  std::unique_ptr<CrawlSupervisor> supervisor_;
};

TEST_F(CrawlSupervisorTest, StaysPausedAndTellsWhatIsQueuedAllTheSame) {
  Start();
  EXPECT_EQ(supervisor_->state(), State::kPaused);
  EXPECT_TRUE(supervisor_->WaitUntilIdle(kPatience));
  const crawl::CrawlStats stats = supervisor_->stats();
  EXPECT_EQ(stats.frontier.queued_urls, 5u);
  EXPECT_EQ(stats.frontier.known, 2u);
  EXPECT_EQ(stats.frontier.sleeping, 2u);
}

TEST_F(CrawlSupervisorTest, DropsWhatWasPreviewedAndRemembersWhatIsLeftOut) {
  Start();
  EXPECT_EQ(PreviewAndExclude("filter", "path_ends_with(.zip)"), 2u);
  EXPECT_EQ(PreviewAndExclude("prefix", "https://a.example/x/"), 1u);
  EXPECT_EQ(Queued(), 2u);
  EXPECT_EQ(PreviewAndExclude("host", "b.example"), 1u);
  EXPECT_EQ(PreviewAndExclude("host", "b.example"), 0u) << "once is enough";
  EXPECT_EQ(Queued(), 1u);
  EXPECT_EQ(supervisor_->exclusions().size(), 3u);
  EXPECT_THAT(crawl::EventText(*store_, "https://a.example/x/3", store::EventKind::kFiltered),
              HasSubstr("url_like"));
  Start();
  EXPECT_EQ(supervisor_->exclusions().size(), 3u);
  EXPECT_EQ(supervisor_->state(), State::kPaused);
  EXPECT_EQ(Queued(), 1u);
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

TEST_F(CrawlSupervisorTest, KeepsOrdersThatWereGivenWhileItIsPaused) {
  Start();
  ASSERT_TRUE(supervisor_->AddSeeds({"c.example"}).ok());
  ASSERT_TRUE(supervisor_
                  ->Offer({.urls = {"https://a.example/1"},
                           .not_before = SystemClock().Wall() + std::chrono::hours(9)})
                  .ok());
  EXPECT_EQ(supervisor_->AddSeeds({"mailto:x"}).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(supervisor_->Offer({.urls = {"https://a.example/"}, .priority = 8}).code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(supervisor_->status().scheduled, 1u);
  Start();
  EXPECT_EQ(supervisor_->status().scheduled, 1u);
  EXPECT_THAT(supervisor_->seeds(), ElementsAre("https://c.example/"));
}

TEST_F(CrawlSupervisorTest, ChangesLimitsAndLeavesTheOthers) {
  Start();
  serve::CrawlLimits limits = {.pages = 9, .seconds = 60, .depth = 3};
  ASSERT_TRUE(supervisor_->SetLimits(limits).ok());
  EXPECT_EQ(supervisor_->limits(), limits);
}

}  // namespace
}  // namespace crivello::engine
