// SPDX-License-Identifier: Apache-2.0
#include "cluster/agent/crawl_report.h"

#include <gtest/gtest.h>

#include "cluster/agent/crawl_orders.h"
#include "cluster/agent/memory_bus_test_support.h"

namespace crivello::cluster {
namespace {

using std::chrono::seconds;

CrawlReport ReportOf(const std::string& agent, std::vector<CrawlReport::Tablet> tablets) {
  return {.agent = agent,
          .lease_milliseconds = 10'000,
          .seeds = 3,
          .pages = 70,
          .queued = 5,
          .all_tablets = 2,
          .tablets = std::move(tablets)};
}
CrawlReport::Tablet Idle(const std::string& name, uint64_t epoch, uint64_t sequence) {
  return {.tablet = name, .epoch = epoch, .idle = true, .sequence = sequence, .lag_urls = 0};
}

TEST(CrawlReportTest, IsReadAsItWasWritten) {
  const CrawlReport report =
      ReportOf("red", {Idle("t-0", 3, 900), {.tablet = "t-1", .epoch = 1, .sequence = 2, .lag_urls = 8}});
  const std::string bytes = EncodeCrawlReport(report);
  EXPECT_EQ(bytes, "crawl 1 red 10000 3 70 5 2\nt-0 3 idle 900 0\nt-1 1 busy 2 8\n");
  EXPECT_EQ(DecodeCrawlReport(bytes).value(), report);
  for (size_t i = 0; i < bytes.size(); i++) {
    const bool is_whole = i > 0 && bytes[i - 1] == '\n';  // some tablets fewer
    EXPECT_EQ(DecodeCrawlReport(bytes.substr(0, i)).ok(), is_whole) << i;
    std::string wrong = bytes;
    wrong[i] = '\x7f';
    const auto read = DecodeCrawlReport(wrong);
    EXPECT_TRUE(!read.ok() || *read != report) << i;
  }
}

TEST(CrawlReportTest, SeedsAreReadAsTheyWereWritten) {
  const std::vector<std::string> seeds = {"https://a.test/", "b.test"};
  EXPECT_EQ(EncodeSeedOrder(seeds),
            "\x01\x0fhttps://a.test/\x06"
            "b.test");
  EXPECT_EQ(DecodeSeedOrder(EncodeSeedOrder(seeds)).value(), seeds);
  EXPECT_FALSE(DecodeSeedOrder(EncodeSeedOrder(seeds).substr(0, 9)).ok());
  EXPECT_FALSE(DecodeSeedOrder("").ok());
}

class CrawlEndWatchTest : public testing::Test {
 protected:
  bool Take(int second, std::vector<CrawlReport> reports) {
    const MonotonicTime now(seconds(1000 + second));
    return watch_.Take(reports, now, now);
  }
  CrawlEndWatch watch_;
};

TEST_F(CrawlEndWatchTest, SeesTheEndWhenNothingChangedForALease) {
  const auto red = ReportOf("red", {Idle("t-0", 1, 10)});
  const auto blue = ReportOf("blue", {Idle("t-1", 1, 20)});
  EXPECT_FALSE(Take(0, {red, blue}));
  EXPECT_FALSE(Take(9, {red, blue}));
  EXPECT_TRUE(Take(10, {red, blue}));
}

TEST_F(CrawlEndWatchTest, BeginsAgainWhenSomethingChanged) {
  const auto red = ReportOf("red", {Idle("t-0", 1, 10)});
  EXPECT_FALSE(Take(0, {red, ReportOf("blue", {Idle("t-1", 1, 20)})}));
  EXPECT_FALSE(Take(11, {red, ReportOf("blue", {Idle("t-1", 1, 21)})}));  // it had work meanwhile
  EXPECT_FALSE(Take(22, {red, ReportOf("blue", {Idle("t-1", 2, 21)})}));  // it was taken over
  EXPECT_FALSE(Take(23, {red}));                                          // nobody has it
  const auto blue = ReportOf("blue", {Idle("t-1", 2, 21)});
  EXPECT_FALSE(Take(33, {red, blue}));
  CrawlReport busy = blue;
  busy.tablets[0].idle = false;
  EXPECT_FALSE(Take(44, {red, busy}));
  CrawlReport behind = blue;
  behind.tablets[0].lag_urls = 1;
  EXPECT_FALSE(Take(55, {red, behind}));
  CrawlReport no_seeds = blue;
  no_seeds.seeds = 2;
  EXPECT_FALSE(Take(66, {red, no_seeds}));
  EXPECT_FALSE(Take(77, {red, blue}));
  // A stale owner with a lower epoch does not count.
  CrawlReport stale = busy;
  stale.tablets[0].epoch = 1;
  EXPECT_TRUE(Take(88, {red, blue, stale}));
}

TEST(CrawlOrdersTest, AreAnsweredByTheAgentThatIsAsked) {
  MemoryBus bus;
  std::vector<std::string> taken;
  const auto red = AnswerCrawlOrders(bus, "web", "red",
                                     {.report = [] { return ReportOf("red", {}); },
                                      .add_seeds = [&](const auto& urls) -> Status {
                                        if (urls.front() == "bad") return Status::InvalidArgument("no URL");
                                        if (urls.front() == "far") return Status::Unavailable("ask blue");
                                        taken.insert(taken.end(), urls.begin(), urls.end());
                                        return Status::Ok();
                                      }});
  ASSERT_TRUE(red.ok());
  const auto reports = AskForCrawlReports(bus, "web", {"red", "blue"}, std::chrono::milliseconds(50));
  ASSERT_EQ(reports.size(), 1u);  // blue is not there
  EXPECT_EQ(reports.front().agent, "red");
  std::vector<std::string> many;
  for (int i = 0; i < 20'000; i++) many.push_back("https://host" + std::to_string(i) + ".test/");
  EXPECT_TRUE(GiveSeeds(bus, "web", "red", many, seconds(60)).ok());
  EXPECT_EQ(taken, many);
  EXPECT_EQ(GiveSeeds(bus, "web", "red", {"bad"}, seconds(60)).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(GiveSeeds(bus, "web", "red", {"far"}, seconds(60)).message(), "ask blue");
  EXPECT_EQ(GiveSeeds(bus, "web", "blue", {"x"}, std::chrono::milliseconds(50)).code(),
            StatusCode::kUnavailable);
}

}  // namespace
}  // namespace crivello::cluster
