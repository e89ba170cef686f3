// SPDX-License-Identifier: Apache-2.0
// How crawls end, and what they wait for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "base/fault_file_system.h"
#include "base/forwarding_file_system.h"
#include "crawl/crawl_loop_test_support.h"

namespace crivello::crawl {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using Why = CrawlEnd::Why;

TEST_F(CrawlLoopTest, EndsWhenABudgetIsSpentAndResumesWhereItWas) {
  web_.Set("http://a.test/", Html({"/1", "/2", "/3"}));
  options_.budget.pages = 2;
  const CrawlEnd end = Crawl();
  EXPECT_EQ(end.why, Why::kBudget);
  EXPECT_EQ(end.detail, "max-pages");
  EXPECT_EQ(web_.pages().size(), 2u);
  crawler_ = nullptr;
  options_.budget = {.time = seconds(6)};
  EXPECT_EQ(Crawl().detail, "max-time");
  crawler_ = nullptr;
  options_.budget = {};
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(web_.pages(),
              ElementsAre("http://a.test/", "http://a.test/1", "http://a.test/2", "http://a.test/3"));
}

TEST_F(CrawlLoopTest, CommitsWhatIsUnderWayWhenItIsStoppedInOrder) {
  web_.Set("http://a.test/", Html({"/1"}));
  web_.On("http://a.test/", [&] { crawler_->Stop(/*at_once=*/false); });
  EXPECT_EQ(Crawl().why, Why::kStopped);
  EXPECT_THAT(Rows(), ElementsAre("http://a.test/"));
  EXPECT_THAT(web_.pages(), ElementsAre("http://a.test/"));
  web_.On("http://a.test/", nullptr);
  crawler_ = nullptr;
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(web_.pages(), ElementsAre("http://a.test/", "http://a.test/1"));
}

TEST_F(CrawlLoopTest, FetchesAgainWhatWasCutOffWhenItWasStoppedAtOnce) {
  web_.Set("http://a.test/", Answer{.body = Html({}), .latency = hours(1)});
  web_.On("http://a.test/", [&] { crawler_->Stop(/*at_once=*/true); });
  EXPECT_EQ(Crawl().why, Why::kStopped);
  EXPECT_LT(web_.clock().Now().time_since_epoch(), minutes(1));  // nobody waited for the answer
  EXPECT_THAT(Rows(), IsEmpty());
  EXPECT_EQ(crawler_->stats().outcomes[static_cast<size_t>(fetch::Outcome::kCancelled)], 1u);
  web_.On("http://a.test/", nullptr);
  crawler_ = nullptr;
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(web_.pages(), ElementsAre("http://a.test/", "http://a.test/"));
  EXPECT_THAT(Rows(), ElementsAre("http://a.test/"));
}

TEST_F(CrawlLoopTest, FetchesNothingWhenTheDiskHasTooLittleRoom) {
  web_.Set("http://a.test/", Html({}));
  options_.min_free_bytes = UINT64_MAX;
  EXPECT_EQ(Crawl().why, Why::kDiskFull);
  EXPECT_THAT(web_.requests(), IsEmpty());
}

TEST_F(CrawlLoopTest, FetchesNothingWhileTheBacklogIsFull) {
  class UntilTen final : public Backlog {
   public:
    explicit UntilTen(const Clock& clock) : clock_(clock) {}
    bool Full() const override { return clock_.Now() < MonotonicTime(minutes(10)); }

   private:
    const Clock& clock_;
  };
  const UntilTen backlog(web_.clock());
  options_.backlog = &backlog;
  web_.Set("http://a.test/", Html({}));
  EXPECT_EQ(Crawl().why, Why::kFinished);
  const Duration first = web_.requests().front().time.time_since_epoch();
  EXPECT_GE(first, minutes(10));
  EXPECT_LE(first, minutes(10) + milliseconds(100));
}

// Lets the first sync of an archive wait until it is released.
class SlowArchive final : public ForwardingFileSystem {
 public:
  Result<std::unique_ptr<AppendFile>> OpenForAppend(const std::string& path, AppendOptions options) override {
    CRV_ASSIGN(auto file, ForwardingFileSystem::OpenForAppend(path, options));
    if (path.find("/archive/") == path.npos) return file;
    return std::unique_ptr<AppendFile>(std::make_unique<File>(*this, std::move(file)));
  }
  void Release() {
    const std::lock_guard lock(mu_);
    released_ = true;
    changed_.notify_all();
  }

 private:
  class File final : public AppendFile {
   public:
    File(SlowArchive& fs, std::unique_ptr<AppendFile> file) : fs_(fs), file_(std::move(file)) {}
    Status Append(Bytes bytes) override { return file_->Append(bytes); }
    Status Sync() override {
      std::unique_lock lock(fs_.mu_);
      fs_.changed_.wait(lock, [this] { return fs_.released_; });
      return file_->Sync();
    }

   private:
    SlowArchive& fs_;
    const std::unique_ptr<AppendFile> file_;
  };
  std::mutex mu_;
  std::condition_variable changed_;
  bool released_ = false;
};

TEST_F(CrawlLoopTest, TakesNoMorePagesThanTheMemoryHoldsUntilSomeAreCommitted) {
  options_.scope = policy::ScopeKind::kAny;
  options_.connections = 4;
  options_.memory_bytes = 8 << 20;  // of which bodies may take a quarter
  options_.archive_robots = false;  // nothing is written to the archive before a page
  options_.seeds.clear();
  for (int i = 0; i < 8; ++i) {
    const std::string seed = "http://h" + std::to_string(i) + ".test/";
    options_.seeds.push_back(seed);
    web_.Set(seed, Answer{.body = Html({}, std::string(900'000, 'x') + std::to_string(i))});
  }
  SlowArchive slow;
  std::vector<std::string> pages;
  CrawlStats stats;
  web_.WaitForNoPage();
  // Time does not wait for pages here, so it looks again while there are fewer than there will be.
  const std::function<void()> look = [&] {
    const bool enough = pages.size() >= 6 || web_.clock().Now() > MonotonicTime(hours(2));
    pages = web_.pages();
    stats = crawler_->stats();
    if (enough) {
      slow.Release();
    } else {
      web_.At(web_.clock().Now() + minutes(1), look);
    }
  };
  web_.At(MonotonicTime(minutes(1)), look);
  Open({.memory_bytes = options_.memory_bytes, .fs = &slow});
  EXPECT_EQ(Run().why, Why::kFinished);
  // Four at first, and one more after each of the first two answers; the third filled the memory.
  EXPECT_EQ(pages.size(), 6u);
  EXPECT_GE(stats.body_bytes, options_.memory_bytes / 4);
  EXPECT_EQ(stats.in_flight, 0u);
  EXPECT_EQ(stats.under_way, 6u);
  EXPECT_EQ(Rows().size(), 8u);
  EXPECT_EQ(crawler_->stats().body_bytes, 0u);
  crawler_ = nullptr;
  store_ = nullptr;  // before the disk that it is on
}

// Disks.

TEST_F(CrawlLoopTest, EndsWithTheErrorOfADiskThatFailsAndLosesNothing) {
  std::vector<std::string> links;
  for (int i = 0; i < 6; ++i) {
    links.push_back("/" + std::to_string(i));
    web_.Set("http://a.test" + links.back(), Html({}, "page " + links.back()));
  }
  web_.Set("http://a.test/", Html(links));
  Crawl();
  const auto expected = PagesOf(*store_);
  ASSERT_EQ(expected.size(), 7u);
  int failed = 0;
  for (uint64_t nth = 60; nth < 400; nth += 17) {
    crawler_ = nullptr;
    store_ = nullptr;
    std::filesystem::remove_all(folder_ / "c");
    FaultFileSystem disk({.fail_at = nth, .tear = true});
    {
      auto store = TryOpenTestStore(folder_ / "c", {.fs = &disk});
      if (!store.ok()) continue;
      auto crawler = Crawler::Open(**store, options_, web_.Parts());
      if (crawler.ok()) {
        const auto end = web_.Run(**crawler);
        if (!end.ok()) {
          ++failed;
          EXPECT_EQ(end.status().code(), StatusCode::kIoError) << end.status().ToString();
        }
      }
    }
    EXPECT_EQ(Crawl().why, Why::kFinished) << nth;
    EXPECT_EQ(PagesOf(*store_), expected) << nth;
  }
  EXPECT_GE(failed, 3);
}

}  // namespace
}  // namespace crivello::crawl
