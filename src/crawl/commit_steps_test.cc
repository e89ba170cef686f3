// SPDX-License-Identifier: Apache-2.0
// Stops a crawl between any two steps of a commit, and resumes it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/fault_file_system.h"
#include "crawl/crawl_test_support.h"
#include "frontier/host_queues.h"

namespace crivello::crawl {
namespace {

constexpr uint32_t kTablets = 2;
constexpr int kPagesOfHost = 2;

// The state that is lost with the process.
enum class Crash : uint8_t {
  kProcess,  // nothing that was written
  kPower,    // all that was not synced
};

class CommitStepsTest : public testing::TestWithParam<Crash> {
 protected:
  CommitStepsTest() {
    options_.scope = policy::ScopeKind::kAny;
    options_.parsers = 1;
    options_.min_free_bytes = 0;
    options_.memory_bytes = 64 << 20;
    options_.commit_gather = {};
    options_.politeness.host_delay = std::chrono::seconds(1);
  }

  // Two hosts, one in each tablet, whose pages link to each other's.
  void MakeWeb(collection::Collection& store) {
    std::map<uint32_t, std::string> hosts;
    for (int i = 0; hosts.size() < kTablets; ++i) {
      const std::string host = "h" + std::to_string(i) + ".test";
      hosts.emplace(store.SlotOf(host), host);
    }
    first_ = "http://" + hosts[0];
    second_ = "http://" + hosts[1];
    options_.seeds = {first_ + "/0"};
  }
  void FillWeb(ScriptedWeb& web) const {
    for (int i = 0; i < kPagesOfHost; ++i) {
      const std::string here = "/" + std::to_string(i);
      const std::string next = "/" + std::to_string(i + 1);
      web.Set(first_ + here, Html({next, second_ + here}, "First host, page " + here));
      web.Set(second_ + here, Html({first_ + next, "/moved" + here}, "Second host, page " + here));
      web.Set(second_ + "/moved" + here, RedirectTo(here));
    }
  }
  std::string Folder() const { return folder_ / "c"; }

  // Crawls until the end or the failure of the disk.
  Status CrawlOn(FaultFileSystem& disk, ScriptedWeb& web) const {
    CRV_ASSIGN(const auto store, TryOpenTestStore(Folder(), {.tablets = kTablets, .fs = &disk}));
    CRV_ASSIGN(const auto crawler, Crawler::Open(*store, options_, web.Parts()));
    return web.Run(*crawler).status();
  }
  std::map<std::string, StoredPage> Resume() const {
    ScriptedWeb web;
    FillWeb(web);
    const auto store = OpenTestStore(Folder(), {.tablets = kTablets});
    const auto crawler = Crawler::Open(*store, options_, web.Parts());
    EXPECT_TRUE(crawler.ok()) << crawler.status().ToString();
    const auto end = web.Run(**crawler);
    EXPECT_TRUE(end.ok() && end->why == CrawlEnd::Why::kFinished) << end.status().ToString();
    for (collection::Tablet* const tablet : store->tablets()) {
      EXPECT_EQ(tablet->queues().counts().items, 0u);
    }
    return PagesOf(*store);
  }
  // "archive 0": which step of a commit, or of the scheduler beside it, a sync of that file is.
  static std::string StepOf(const std::string& failed) {
    for (uint32_t tablet = 0; tablet < kTablets; ++tablet) {
      for (const char* part : {"archive", "sieve", "db"}) {
        const std::string folder = fmt::format("/tablets/t-{}/{}/", tablet, part);
        if (failed.find(folder) != failed.npos) return fmt::format("{} {}", part, tablet);
      }
    }
    return "other";
  }

  TemporaryFolder folder_;
  CrawlOptions options_;
  std::string first_;
  std::string second_;
};

TEST_P(CommitStepsTest, LosesNothingAndHasNothingTwiceWhereverItIsStopped) {
  std::map<std::string, StoredPage> expected;
  uint64_t opened = 0;  // syncs until a new collection is there
  uint64_t syncs = 0;
  {
    FaultFileSystem new_disk({.only_syncs = true});
    MakeWeb(*OpenTestStore(Folder(), {.tablets = kTablets, .fs = &new_disk}));
    opened = new_disk.changes();
    std::filesystem::remove_all(Folder());
    FaultFileSystem disk({.only_syncs = true});
    ScriptedWeb web;
    FillWeb(web);
    ASSERT_TRUE(CrawlOn(disk, web).ok());
    syncs = disk.changes();
    expected = PagesOf(*OpenTestStore(Folder(), {.tablets = kTablets}));
  }
  ASSERT_EQ(expected.size(), size_t{1 + 3 * kPagesOfHost});
  for (const auto& [url, page] : expected) EXPECT_EQ(page.versions, 1u) << url;

  std::set<std::string> stopped_at;
  bool untouched = false;
  for (uint64_t nth = opened + 1; !untouched && nth < 2 * syncs; ++nth) {
    std::filesystem::remove_all(Folder());
    FaultFileSystem disk({.fail_at = nth, .only_syncs = true});
    ScriptedWeb web;
    FillWeb(web);
    const Status status = CrawlOn(disk, web);
    untouched = disk.failed().empty();
    EXPECT_EQ(status.ok(), untouched) << status.ToString() << " after " << disk.failed();
    stopped_at.insert(StepOf(disk.failed()));
    if (GetParam() == Crash::kPower) {
      ASSERT_TRUE(disk.DropUnsynced().ok());
    }
    EXPECT_EQ(Resume(), expected) << "stopped before: " << disk.failed();
    if (HasFailure()) return;
  }
  EXPECT_TRUE(untouched);
  RecordProperty("stops", static_cast<int>(syncs - opened));
  // Every step that makes something durable has been the last one.
  for (const char* step : {"archive 0", "archive 1", "sieve 0", "sieve 1", "db 0", "db 1"}) {
    EXPECT_TRUE(stopped_at.contains(step)) << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Crashes, CommitStepsTest, testing::Values(Crash::kProcess, Crash::kPower),
                         [](const auto& crash) {
                           return crash.param == Crash::kPower ? "OfPower" : "OfTheProcess";
                         });

}  // namespace
}  // namespace crivello::crawl
