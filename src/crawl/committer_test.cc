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
    committer_ = std::make_unique<Committer>(stages_->context, queue_, options,
                                             [this](std::span<const Settled> visits) {
                                               if ((done_ += visits.size()) == expected_)
                                                 all_done_.set_value();
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

// Visits of one page that are under way together.
class CommitOrderTest : public CommitterTest {
 protected:
  static constexpr const char* kUrl = "http://a.test/1";

  void SetUp() override {
    Open();
    Commit({Answer("As it was at first.", /*again=*/false)});
  }
  // The page as it is found by a visit that begins an hour after the one before.
  Settled Answer(const std::string& text, bool again = true) {
    stages_->clock.Advance(std::chrono::hours(1));
    if (again) {
      const frontier::Appointment appointment = {
          .record = {.url = kUrl, .found = stages_->clock.Wall()}, .not_before = {}, .known = true};
      EXPECT_TRUE(stages_->frontier->Schedule({&appointment, 1}).ok());
    }
    Fetched fetched = stages_->Answered(stages_->Visited(kUrl), {.body = Html({}, text)});
    if (again) {
      auto rows = TabletOfUrl(*stages_->store, kUrl).table().Get(KeyOfUrl(kUrl));
      fetched.before = std::make_unique<store::Row>(std::move(rows->front()));
    }
    auto settled = worker_->Process(std::move(fetched));
    EXPECT_TRUE(settled.ok()) << settled.status().ToString();
    return std::move(settled).value();
  }
  // In one group.
  void Commit(std::vector<Settled> visits) {
    BoundedQueue<Settled> queue(16);
    for (Settled& one : visits) queue.Push(std::move(one));
    queue.Close();
    Committer committer(stages_->context, queue, {.gather = {}}, [](std::span<const Settled>) {});
    const Status status = committer.Run([] { ADD_FAILURE(); });
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  std::vector<store::Row> Rows() {
    auto rows =
        TabletOfUrl(*stages_->store, kUrl).table().Get(KeyOfUrl(kUrl), {.versions = 10, .text = true});
    EXPECT_TRUE(rows.ok());
    return *std::move(rows);
  }
  void ExpectNewest(store::VersionTime time, const std::string& text) {
    const auto newest = TabletOfUrl(*stages_->store, kUrl).table().Newest(KeyOfUrl(kUrl));
    ASSERT_TRUE(newest.ok() && *newest);
    EXPECT_EQ(**newest, time);
    const auto rows = Rows();
    EXPECT_LE(rows.front().time, time);
    ASSERT_TRUE(rows.front().text);
    EXPECT_THAT((*rows.front().text)->blocks.at(0).text, testing::HasSubstr(text));
  }
  revisit::ScheduledPage Scheduled() {
    const auto page = TabletOfUrl(*stages_->store, kUrl).schedule().Find(KeyOfUrl(kUrl));
    EXPECT_TRUE(page.ok() && *page);
    return (*page)->page;
  }
  void ExpectSound() {
    const collection::Tablet& tablet = TabletOfUrl(*stages_->store, kUrl);
    EXPECT_TRUE(tablet.schedule().Check([](const std::string& s) { ADD_FAILURE() << s; }).ok());
    EXPECT_TRUE(stages_->frontier->Finished());
  }
};

TEST_F(CommitOrderTest, TheVisitThatBeganLastIsTheNewestWhicheverIsCommittedFirst) {
  for (const bool together : {true, false}) {
    Settled earlier = Answer(together ? "The second text." : "The fourth text.");
    Settled later = Answer(together ? "The third text." : "The fifth text.");
    const store::VersionTime time = later.time;
    if (together) {
      std::vector<Settled> both;
      both.push_back(std::move(later));
      both.push_back(std::move(earlier));
      Commit(std::move(both));
    } else {
      Commit({std::move(later)});
      Commit({std::move(earlier)});
    }
    ExpectNewest(time, together ? "third" : "fifth");
    EXPECT_EQ(Scheduled().last_hour, time / 1'000'000 / 3600);
    ExpectSound();
  }
  const auto rows = Rows();
  ASSERT_EQ(rows.size(), 5u);
  const std::vector<std::string> names = {"fifth", "fourth", "third", "second", "first"};
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_THAT((*rows[i].text)->blocks.at(0).text, testing::HasSubstr(names[i]));
  }
}

TEST_F(CommitOrderTest, TwoVisitsThatFindTheSameChangeMakeOneVersion) {
  for (const bool in_order : {true, false}) {
    const std::string text = in_order ? "The second text." : "The third text.";
    Settled earlier = Answer(text);
    Settled later = Answer(text);
    const store::VersionTime time = later.time;
    const double changes = Scheduled().history.changes();
    Commit({in_order ? std::move(earlier) : std::move(later)});
    Commit({in_order ? std::move(later) : std::move(earlier)});
    ExpectNewest(time, in_order ? "second" : "third");
    EXPECT_EQ(Scheduled().history.changes(), changes + 1);
  }
  EXPECT_EQ(Rows().size(), 3u);
}

TEST_F(CommitOrderTest, AnUnchangedPageDoesNotVouchForAVersionThatItWasNotComparedWith) {
  Settled changed = Answer("The second text.");
  Settled unchanged = Answer("As it was at first.");
  ASSERT_TRUE(unchanged.not_modified);
  const store::VersionTime time = changed.time;
  Commit({std::move(changed)});
  Commit({std::move(unchanged)});
  ExpectNewest(time, "second");  // until the next visit
  EXPECT_EQ(Scheduled().history.changes(), 2);
}

TEST_F(CommitOrderTest, ALateVersionKeepsItsTextOnlyIfItIsAmongTheNewest) {
  stages_->options.keep_versions = 2;
  Settled second = Answer("The second text.");
  Settled third = Answer("The third text.");
  Settled fourth = Answer("The fourth text.");
  Commit({std::move(fourth)});
  Commit({std::move(third)});
  Commit({std::move(second)});
  const auto rows = Rows();
  ASSERT_EQ(rows.size(), 4u);
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].text.has_value(), i < 2) << i;
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
