// SPDX-License-Identifier: Apache-2.0
// `crawl --simulate` and `frontier`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cli_test_support.h"
#include "collection/collection.h"
#include "frontier/exchange.h"
#include "frontier/frontier.h"
#include "sieve/sieve_factory.h"

namespace crivello::cli {
namespace {

using testing::HasSubstr;

TEST(SimulateTest, ReportsAPoliteCrawl) {
  const Outcome run = Crivello({"--json", "crawl", "--simulate", "3", "--hosts", "20", "--pages", "300"});
  ASSERT_EQ(run.code, kDone) << run.err;
  const auto report = nlohmann::json::parse(run.out);
  EXPECT_EQ(report["event"], "done");
  EXPECT_EQ(report["finished"], true);
  EXPECT_EQ(report["polite"], true);
  EXPECT_EQ(report["twice"], 0);
  EXPECT_EQ(report["out_of_order"], 0);
  EXPECT_GE(report["least_host_distance"], 4.0);
  EXPECT_GT(report["pages"], 100);
}

TEST(SimulateTest, IsTheSameForTheSameSeedAndWhateverTheTablets) {
  const auto run = [](const std::string& tablets) {
    auto report =
        nlohmann::json::parse(Crivello({"--json", "crawl", "--simulate", "5", "--hosts", "20", "--pages",
                                        "300", "--tablets", tablets, "--sieve", "memory"})
                                  .out);
    report.erase("cpu_seconds");
    return report;
  };
  EXPECT_EQ(run("1"), run("1"));
  EXPECT_EQ(run("1")["pages"], run("4")["pages"]);
}

TEST(SimulateTest, StopsAtABudgetAndTellsPeople) {
  const Outcome run = Crivello(
      {"crawl", "--simulate", "3", "--hosts", "20", "--pages", "300", "--max-pages", "50", "--delay", "0.5"});
  ASSERT_EQ(run.code, kDone) << run.err;
  EXPECT_THAT(run.out, HasSubstr("stopped with URLs left"));
  EXPECT_THAT(run.out, HasSubstr("more than required"));
}

TEST(SimulateTest, RefusesWhatMakesNoSense) {
  EXPECT_EQ(Crivello({"crawl"}).code, kWrongUsage);
  EXPECT_EQ(Crivello({"crawl", "--simulate", "x"}).code, kWrongUsage);
  EXPECT_EQ(Crivello({"crawl", "--simulate", "1", "--hosts", "0"}).code, kWrongUsage);
  EXPECT_EQ(Crivello({"crawl", "--simulate", "1", "--tablets", "3"}).code, kWrongUsage);
  EXPECT_EQ(Crivello({"crawl", "--simulate", "1", "--sieve", "colander"}).code, kWrongUsage);
}

TEST(FrontierCommandTest, ShowsTheQueuesOfACollection) {
  const TemporaryFolder folder;
  {
    collection::CollectionOptions options;
    options.directory = folder.path();
    options.tablets = 2;
    const auto collection = collection::Collection::Open(options);
    ASSERT_TRUE(collection.ok());
    const frontier::Tablets tablets = (*collection)->Frontier();
    frontier::LocalExchange exchange(tablets);
    const auto frontier =
        frontier::Frontier::Open(tablets, exchange, SystemClock(), {.wait_for_sieve = true});
    ASSERT_TRUE(frontier.ok());
    std::vector<frontier::UrlRecord> records;
    for (const char* url : {"http://a.org/1", "http://a.org/2", "http://b.org/"})
      records.push_back({.url = url, .found = SystemClock().Wall()});
    ASSERT_TRUE((*frontier)->Offer(records).ok());
    for (int i = 0; i < 5; i++) ASSERT_TRUE((*frontier)->Pump().ok());
  }
  const Outcome run = Crivello({"-C", folder.path(), "frontier"});
  ASSERT_EQ(run.code, kDone) << run.err;
  EXPECT_THAT(run.out, HasSubstr("2 hosts known, 2 with URLs, 0 given up; 3 URLs queued"));
  const Outcome lines = Crivello({"--json", "-C", folder.path(), "frontier", "--limit", "1"});
  const size_t end = lines.out.find('\n');
  EXPECT_EQ(nlohmann::json::parse(lines.out.substr(0, end))["queued"], 3);
  const auto host = nlohmann::json::parse(lines.out.substr(end + 1));
  EXPECT_EQ(host["host"], "a.org");
  EXPECT_EQ(host["queued"], 2);
  EXPECT_EQ(host["waits_for"], "a crawl");
  EXPECT_EQ(Crivello({"-C", folder / "none", "frontier"}).code, kIoFailure);
}

}  // namespace
}  // namespace crivello::cli
