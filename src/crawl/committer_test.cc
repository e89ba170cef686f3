// SPDX-License-Identifier: Apache-2.0
#include "crawl/committer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <iterator>
#include <sstream>
#include <thread>

#include "base/civil_time.h"
#include "base/fault_file_system.h"
#include "base/file_system.h"
#include "crawl/crawl_log.h"
#include "crawl/crawl_test_support.h"
#include "crawl/page_worker.h"

namespace crivello::crawl {
namespace {

constexpr std::chrono::hours kForGood(1);  // a test that waits for so long has failed

class CommitterTest : public testing::Test {
 protected:
  void Close() {
    worker_ = nullptr;
    stages_ = nullptr;
  }
  void Open(FileSystem* fs = nullptr) {
    stages_ = std::make_unique<TestStages>(OpenTestStore(folder_ / "c", {.fs = fs}));
    worker_ = std::make_unique<PageWorker>(stages_->context);
  }
  // A page on its way to the committer.
  Settled Page(const std::string& url) {
    frontier::Visit visit = stages_->Visited(url);
    visit.via = "http://a.test/from";
    auto settled =
        worker_->Process(stages_->Answered(std::move(visit), {.body = Html({}, "Text of " + url)}));
    EXPECT_TRUE(settled.ok()) << settled.status().ToString();
    return std::move(settled).value();
  }
  // Begins to commit what is in the queue and what comes.
  void Start(CommitterOptions options) {
    committer_ = std::make_unique<Committer>(stages_->context, queue_, options, [this](size_t visits) {
      if ((done_ += visits) == expected_) all_done_.set_value();
    });
    thread_ = std::thread([this] { result_ = committer_->Run([this] { ++failures_; }); });
  }
  Status End() {
    queue_.Close();
    thread_.join();
    return result_;
  }

  TemporaryFolder folder_;
  std::unique_ptr<TestStages> stages_;
  std::unique_ptr<PageWorker> worker_;
  BoundedQueue<Settled> queue_{16};
  std::unique_ptr<Committer> committer_;
  std::thread thread_;
  Status result_;
  size_t expected_ = 0;
  std::atomic<size_t> done_ = 0;
  std::promise<void> all_done_;
  std::atomic<int> failures_ = 0;
};

TEST_F(CommitterTest, WritesRowLedgerAndDequeueTogether) {
  Open();
  queue_.Push(Page("http://a.test/1"));
  EXPECT_EQ(stages_->frontier->Stats().queued_urls, 1u);
  Start({});
  EXPECT_TRUE(End().ok());
  EXPECT_EQ(PagesOf(*stages_->store).at("http://a.test/1").status, 200);
  EXPECT_EQ(EventText(*stages_->store, "http://a.test/1", store::EventKind::kFound), "http://a.test/from");
  EXPECT_EQ(stages_->frontier->Stats().queued_urls, 0u);
  EXPECT_TRUE(stages_->frontier->Finished());
  EXPECT_EQ(done_, 1u);
  EXPECT_EQ(stages_->counters.pages.value(), 1u);
  EXPECT_EQ(stages_->counters.ok.value(), 1u);
  EXPECT_EQ(stages_->counters.statuses[2].value(), 1u);
}

TEST_F(CommitterTest, NotesWhereAPageWasFoundOnceHoweverOftenItIsTried) {
  Open();
  Settled settled = Page("http://a.test/1");
  settled.visit.attempt = 2;
  queue_.Push(std::move(settled));
  Start({});
  EXPECT_TRUE(End().ok());
  EXPECT_EQ(EventText(*stages_->store, "http://a.test/1", store::EventKind::kFound), "none");
}

TEST_F(CommitterTest, CommitsAsSoonAsEnoughHaveCome) {
  Open();
  std::vector<Settled> pages;
  for (int i = 0; i < 5; ++i) pages.push_back(Page("http://a.test/" + std::to_string(i)));
  expected_ = 5;
  Start({.group = 8, .gather = kForGood});
  for (Settled& page : pages) queue_.Push(std::move(page));  // one that begins a group, and half a group
  ASSERT_EQ(all_done_.get_future().wait_for(std::chrono::minutes(1)), std::future_status::ready);
  EXPECT_TRUE(End().ok());
  EXPECT_EQ(PagesOf(*stages_->store).size(), 5u);
}

TEST_F(CommitterTest, WaitsForNoOthersWhenTheQueueIsClosed) {
  Open();
  queue_.Push(Page("http://a.test/1"));
  Start({.gather = kForGood});
  EXPECT_TRUE(End().ok());
  EXPECT_EQ(PagesOf(*stages_->store).size(), 1u);
}

TEST_F(CommitterTest, GivesBackTheMemoryOfWhatItCommits) {
  Open();
  Settled settled = Page("http://a.test/1");
  stages_->counters.body_bytes.Add(settled.body_bytes + 7);
  queue_.Push(std::move(settled));
  Start({});
  EXPECT_TRUE(End().ok());
  EXPECT_EQ(stages_->counters.body_bytes.value(), 7u);
}

TEST_F(CommitterTest, DropsWhatComesAfterAWriteThatFailed) {
  FaultFileSystem whole({.only_syncs = true});
  Open(&whole);
  for (int i = 0; i < 2; ++i) Page("http://a.test/" + std::to_string(i));
  const uint64_t before = whole.changes();
  Close();

  std::filesystem::remove_all(folder_ / "c");
  FaultFileSystem failing({.fail_at = before + 1, .only_syncs = true});
  Open(&failing);
  stages_->counters.body_bytes.Add(1'000'000);
  std::vector<Settled> pages;
  for (int i = 0; i < 2; ++i) pages.push_back(Page("http://a.test/" + std::to_string(i)));
  uint64_t bytes = 0;
  for (const Settled& page : pages) bytes += page.body_bytes;
  expected_ = 2;
  Start({.gather = {}});
  for (Settled& page : pages) queue_.Push(std::move(page));
  const Status status = End();
  EXPECT_EQ(status.code(), StatusCode::kIoError) << status.ToString();
  EXPECT_EQ(failures_, 1);
  EXPECT_EQ(done_, 2u);  // nobody waits for them
  EXPECT_EQ(stages_->counters.body_bytes.value(), 1'000'000 - bytes);
  EXPECT_EQ(stages_->counters.pages.value(), 0u);
  Close();  // before the disk that it is on
}

TEST_F(CommitterTest, LetsPagesFollowTheirRulesOnlyWhenTheseAreDurable) {
  Open();
  frontier::Visit visit = stages_->MadeUp("http://a.test/robots.txt");
  visit.kind = frontier::UrlKind::kRobots;
  Settled settled;
  settled.visit = std::move(visit);
  settled.robots = {
      .origin = "http://a.test",
      .record = collection::JudgeRobots({.status = 200, .text = "User-agent: *\nDisallow: /no\n"}, nullptr,
                                        ToSeconds(stages_->clock.Wall()))};
  queue_.Push(std::move(settled));
  Start({});
  EXPECT_TRUE(End().ok());
  Close();
  Open();
  const auto rules = stages_->store->tablet(0)->robots().Find("http://a.test");
  ASSERT_TRUE(rules.ok() && *rules != nullptr);
  EXPECT_FALSE((*rules)->robots.Check("/no").allowed);
  EXPECT_TRUE((*rules)->robots.Check("/yes").allowed);
}

TEST_F(CommitterTest, LogsWhatItCommitsInTheColumnsOfHeritrix) {
  Open();
  Settled settled = Page("http://a.test/page one");
  settled.visit.depth = 2;
  settled.time = 1'767'323'045'678'000;  // 2026-01-02T03:04:05.678Z
  settled.fetch.milliseconds = 1045;
  const std::string line = CrawlLogLine(settled);
  std::istringstream columns(line);
  const std::vector<std::string> words((std::istream_iterator<std::string>(columns)), {});
  ASSERT_EQ(words.size(), 12u) << line;
  EXPECT_EQ(words[0], "2026-01-02T03:04:06.723Z") << "when it ended";
  EXPECT_EQ(words[1], "200");
  EXPECT_EQ(words[2], std::to_string(settled.fetch.body_bytes));
  EXPECT_EQ(words[3], "http://a.test/page%20one");
  EXPECT_EQ(words[4], "LL");
  EXPECT_EQ(words[5], "http://a.test/from");
  EXPECT_EQ(words[6], "text/html");
  EXPECT_EQ(words[8], "20260102030405678+1045");
  EXPECT_THAT(words[9], testing::StartsWith("sha1:"));

  auto log = CrawlLog::Open(folder_ / "crawl.log").value();
  expected_ = 1;
  Start({.log = log.get()});
  queue_.Push(Page("http://a.test/1"));
  ASSERT_EQ(all_done_.get_future().wait_for(kForGood), std::future_status::ready);
  EXPECT_TRUE(End().ok());
  EXPECT_THAT(ReadFile(folder_ / "crawl.log").value(), testing::HasSubstr(" 200 "));
  EXPECT_FALSE(CrawlLog::Open(folder_ / "no/such/folder").ok());
}

}  // namespace
}  // namespace crivello::crawl
