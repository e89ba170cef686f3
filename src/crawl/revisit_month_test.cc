// SPDX-License-Identifier: Apache-2.0
// A month of a web that changes, with crashes.  bench/revisit-month runs it with 10,000 hosts, with 20
// crashes and without.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/civil_time.h"
#include "base/fault_file_system.h"
#include "base/random.h"
#include "crawl/crawl_test_support.h"
#include "crawl/revisits.h"

namespace crivello::crawl {
namespace {

using std::chrono::hours;
using testing::HasSubstr;

constexpr int kPages = 20;  // of a host
constexpr int kDays = 30;
constexpr int64_t kDaySeconds = 86'400;

int FromEnvironment(const char* name, int otherwise) {
  const char* const given = std::getenv(name);
  return given == nullptr ? otherwise : std::max(0, std::atoi(given));
}

// Of this process, without what it maps of files.
double ResidentMegabytes() {
  std::ifstream file("/proc/self/statm");
  double size = 0;
  double resident = 0;
  double shared = 0;
  file >> size >> resident >> shared;
  return (resident - shared) * 4096 / 1e6;
}

MonotonicTime AtSecond(int64_t second) { return MonotonicTime(std::chrono::seconds(second)); }

std::string UrlOf(int host, int page) {
  return fmt::format("http://h{}.test/{}", host, page == 0 ? "" : std::to_string(page));
}
// Days between changes; 0: never.
int PeriodOf(int page) { return std::array{1, 4, 10, 0}[static_cast<size_t>(page) % 4]; }

// A text whose digits alone differ has not changed.
std::string TextOf(int page, int version) {
  std::string name = "x";
  int rest = version;
  do name += static_cast<char>('a' + rest % 26);
  while ((rest /= 26) > 0);
  return fmt::format("Page {} says {}.", page, name);
}

class RevisitMonthTest : public testing::Test {
 protected:
  RevisitMonthTest() {
    options_.parsers = 2;
    options_.min_free_bytes = 0;
    options_.memory_bytes = 64 << 20;
    options_.commit_gather = {};
    options_.longest_nap = hours(1);
    options_.politeness.host_delay = std::chrono::seconds(1);
    options_.connections = 64;
    options_.revisits.continuous = true;
    options_.revisits.planner = {.policy = "optimal", .share_per_day = 0.05};
    web_.KeepNoRequests();
    for (int page = 1; page < kPages; ++page) links_.push_back("/" + std::to_string(page));
    for (int host = 0; host < hosts_; ++host) {
      options_.seeds.push_back(UrlOf(host, 0));
      for (int page = 0; page < kPages; ++page) Set(host, page, 0);
    }
    for (int day = 1; day < kDays; ++day) {
      web_.At(AtSecond(kDaySeconds * day + 1800), [this, day] {
        memory_.push_back(ResidentMegabytes());
        for (int page = 0; page < kPages; ++page) {
          const int period = PeriodOf(page);
          if (period == 0 || day % period != 0) continue;
          for (int host = 0; host < hosts_; ++host) Set(host, page, day / period);
        }
      });
    }
  }
  void Set(int host, int page, int version) {
    web_.Set(UrlOf(host, page), Html(page == 0 ? links_ : std::vector<std::string>(), TextOf(page, version)));
  }
  // Crawls until that second, and then loses the process, or the power with what was not synced.
  enum class End { kInOrder, kOfProcess, kOfPower };
  void CrawlUntil(int64_t second, End end) {
    FaultFileSystem disk({.only_syncs = true});
    {
      const auto store = OpenTestStore(folder_ / "c", {.fs = &disk});
      ASSERT_NE(store, nullptr);
      auto crawler = Crawler::Open(*store, options_, web_.Parts());
      ASSERT_TRUE(crawler.ok()) << crawler.status().ToString();
      web_.At(AtSecond(second), [&] {
        if (end != End::kInOrder) disk.GoDown();
        (*crawler)->Stop(/*at_once=*/end != End::kInOrder);
      });
      const auto run = web_.Run(**crawler);
      if (end == End::kInOrder) {
        ASSERT_TRUE(run.ok()) << run.status().ToString();
      }
    }
    if (end == End::kOfPower) {
      ASSERT_TRUE(disk.DropUnsynced().ok());
    }
  }
  void ExpectVersions(const store::Table& table, int host, int page, int64_t start) {
    const std::string key = KeyOfUrl(UrlOf(host, page));
    const auto rows = table.Get(key, {.versions = 1000, .text = true});
    ASSERT_TRUE(rows.ok() && !rows->empty()) << UrlOf(host, page);
    EXPECT_GE(**table.Newest(key), rows->front().time);
    std::string newer;
    for (const store::Row& row : *rows) {
      const double days =
          (static_cast<double>(row.time) / 1e6 - static_cast<double>(start) - 1800) / kDaySeconds;
      const int period = PeriodOf(page);
      const int version = period == 0 || days < 0 ? 0 : static_cast<int>(days / period);
      std::string text;
      for (const store::TextBlock& block : (*row.text)->blocks) text.append(block.text).append("\n");
      EXPECT_THAT(text, HasSubstr(TextOf(page, version)))
          << UrlOf(host, page) << " after " << days << " days";
      EXPECT_NE(text, newer);
      newer = text;
    }
    versions_ += rows->size();
  }

  const int hosts_ = std::max(1, FromEnvironment("CRV_REVISIT_HOSTS", 8));
  const int kills_ = FromEnvironment("CRV_REVISIT_KILLS", 4);
  TemporaryFolder folder_;
  CrawlOptions options_;
  ScriptedWeb web_;
  std::vector<std::string> links_;
  std::vector<double> memory_;  // by day, in MB
  uint64_t versions_ = 0;
};

TEST_F(RevisitMonthTest, KeepsTheBudgetAndEachVersionOnceAndLosesNoPageInCrashes) {
  SeededRandom random(31);
  std::vector<int64_t> ends;
  for (int i = 0; i < kills_; ++i)
    ends.push_back(static_cast<int64_t>(static_cast<double>(kDaySeconds * (kDays - 1)) * random.Unit()));
  std::sort(ends.begin(), ends.end());
  for (size_t i = 0; i < ends.size() && !HasFatalFailure(); ++i) {
    CrawlUntil(ends[i], i % 2 == 0 ? End::kOfPower : End::kOfProcess);
  }
  ASSERT_NO_FATAL_FAILURE(CrawlUntil(kDaySeconds * kDays, End::kInOrder));

  const auto store = OpenTestStore(folder_ / "c");
  const auto pages = static_cast<uint64_t>(hosts_ * kPages);
  collection::ScheduleStats sum;
  for (const collection::Tablet* const tablet : store->tablets()) {
    EXPECT_TRUE(tablet->schedule().Check([](const std::string& s) { ADD_FAILURE() << s; }).ok());
    const collection::ScheduleStats one = tablet->schedule().stats();
    sum.pages += one.pages;
    sum.firsts += one.firsts;
    sum.revisits += one.revisits;
    sum.changes += one.changes;
    sum.failing += one.failing;
  }
  EXPECT_EQ(sum.pages, pages);
  EXPECT_EQ(sum.firsts, pages);
  EXPECT_EQ(sum.failing, 0u);
  const double budget = 0.05 * static_cast<double>(pages) * kDays;
  EXPECT_LE(static_cast<double>(sum.revisits), budget * 1.1 + 2);
  EXPECT_GE(static_cast<double>(sum.revisits), budget * 0.3);
  const int64_t start = ToSeconds(WallTime(hours(24 * 365 * 56)));
  for (int host = 0; host < hosts_; ++host) {
    for (int page = 0; page < kPages; ++page) {
      const collection::Tablet& tablet = TabletOfUrl(*store, UrlOf(host, page));
      const auto scheduled = tablet.schedule().Find(KeyOfUrl(UrlOf(host, page)));
      EXPECT_TRUE(scheduled.ok() && *scheduled) << UrlOf(host, page);
      ExpectVersions(tablet.table(), host, page, start);
      if (HasFailure()) return;
    }
  }
  // Flat: caches have filled by then.  A simulated crash leaves pieces of the heap behind, since the process
  // goes on.  Sanitizers keep freed memory, so few hosts have a wider limit.
  const double before = *std::max_element(memory_.begin() + 5, memory_.begin() + 15);
  const double after = *std::max_element(memory_.begin() + 20, memory_.end());
  EXPECT_LE(after, hosts_ < 500 ? 1.15 * before + 32 : 1.05 * before + 4 + 2 * kills_);
  std::printf(
      "%d hosts, %llu pages, %d crashes: %llu revisits, %llu changes found, %llu versions; memory %.0f MB "
      "on days 6 to 15, %.0f MB on days 21 to 30\n",
      hosts_, static_cast<unsigned long long>(pages), kills_, static_cast<unsigned long long>(sum.revisits),
      static_cast<unsigned long long>(sum.changes), static_cast<unsigned long long>(versions_), before,
      after);
  std::string days;
  for (const double megabytes : memory_) days += fmt::format(" {:.0f}", megabytes);
  std::printf("memory by day, in MB:%s\n", days.c_str());
}

}  // namespace
}  // namespace crivello::crawl
