// SPDX-License-Identifier: Apache-2.0
#include "frontier/host_ranks.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "frontier/frontier_test_support.h"

namespace crivello::frontier {
namespace {

class FixedRanks final : public HostRanks {
 public:
  explicit FixedRanks(std::map<std::string, double, std::less<>> ranks) : ranks_(std::move(ranks)) {}
  double Of(std::string_view host) const override {
    const auto found = ranks_.find(host);
    return found == ranks_.end() ? kUnknown : found->second;
  }

 private:
  std::map<std::string, double, std::less<>> ranks_;
};

TEST(HostRanksTest, ALimitGrowsWithTheRankFromAQuarterToFourTimes) {
  EXPECT_EQ(LimitByRank(100, 0), 25u);
  EXPECT_EQ(LimitByRank(100, HostRanks::kUnknown), 100u);
  EXPECT_EQ(LimitByRank(100, 1), 400u);
  EXPECT_EQ(LimitByRank(100, 7), 400u);
  EXPECT_EQ(LimitByRank(1, 0), 1u);
  EXPECT_EQ(LimitByRank(0, 1), 0u) << "no limit stays none";
  EXPECT_EQ(LimitByRank(UINT64_MAX, 0), UINT64_MAX);
  for (double rank = 0.1; rank <= 1; rank += 0.1)
    EXPECT_GT(LimitByRank(1000, rank), LimitByRank(1000, rank - 0.1));
}

TEST(HostRanksTest, TheBestHostNeverRestsLonger) {
  EXPECT_EQ(LongerRest(std::chrono::seconds(4), 1), Duration::zero());
  EXPECT_EQ(LongerRest(std::chrono::seconds(4), 0), std::chrono::seconds(12));
  EXPECT_EQ(LongerRest(std::chrono::seconds(4), 0.5), std::chrono::seconds(6));
}

TEST(HostRanksTest, ALinkHasTheMeanOfItsHosts) {
  const FixedRanks ranks({{"a.org", 1}, {"b.org", 0}});
  EXPECT_EQ(RankOfLink(nullptr, "a.org", "b.org"), HostRanks::kUnknown);
  EXPECT_EQ(RankOfLink(&ranks, "a.org", "b.org"), 0.5);
  EXPECT_EQ(RankOfLink(&ranks, "a.org", "a.org"), 1);
  EXPECT_EQ(RankOfLink(&ranks, "a.org", "c.org"), 0.75);
}

// A frontier over hosts with known ranks.
class RankedFrontierTest : public testing::Test {
 protected:
  void Open(FrontierOptions options) {
    options.sync = false;
    options.wait_for_sieve = true;
    options.robots = false;
    tablets_ = OpenTestTablets(folder_.path());
    exchange_ = std::make_unique<LocalExchange>(**tablets_);
    auto frontier = Frontier::Open(**tablets_, *exchange_, clock_, options);
    ASSERT_TRUE(frontier.ok()) << frontier.status().ToString();
    frontier_ = *std::move(frontier);
  }
  void Offer(const std::vector<std::string>& hosts, int pages) {
    std::vector<std::string> urls;
    for (const std::string& host : hosts) {
      for (int i = 0; i < pages; i++) urls.push_back("http://" + host + "/" + std::to_string(i));
    }
    std::vector<UrlRecord> records;
    for (const std::string& url : urls) records.push_back({.url = url, .found = clock_.Wall()});
    ASSERT_TRUE(frontier_->Offer(records).ok());
  }
  void Pump() {
    while (true) {
      const auto pumped = frontier_->Pump();
      ASSERT_TRUE(pumped.ok()) << pumped.status().ToString();
      for (const auto& host : frontier_->NeedsAddress(100))
        frontier_->Resolved(host, "address of " + host, clock_.Wall() + std::chrono::hours(1000));
      if (!pumped->more && pumped->queued == 0 && pumped->woken == 0) return;
    }
  }
  // How often each host is visited over one connection, in this many requests of two seconds.
  std::map<std::string, int> VisitsOf(int requests) {
    std::map<std::string, int> visits;
    while (requests > 0) {
      Pump();
      auto taken = frontier_->Take();
      EXPECT_TRUE(taken.ok()) << taken.status().ToString();
      if (!taken.ok()) return visits;
      if (!taken->visit) {
        clock_.Advance(std::chrono::milliseconds(100));
        continue;
      }
      const Visit visit = *taken->visit;
      const MonotonicTime started = clock_.Now();
      clock_.Advance(std::chrono::seconds(2));
      EXPECT_TRUE(frontier_->Fetched(visit, {.status = 200, .started = started, .ended = clock_.Now()}).ok());
      const auto commit = frontier_->Begin(visit.tablet);
      commit->Done(visit);
      EXPECT_TRUE(commit->Write({}).ok());
      visits[visit.host]++;
      requests--;
    }
    return visits;
  }

  const TemporaryFolder folder_;
  ManualClock clock_{kTestStart};
  const FixedRanks ranks_{{{"best.org", 1}, {"good.org", 0.9}, {"bad.org", 0.1}, {"worst.org", 0}}};
  std::unique_ptr<StoredTablets> tablets_;
  std::unique_ptr<LocalExchange> exchange_;
  std::unique_ptr<Frontier> frontier_;
};

TEST_F(RankedFrontierTest, ABetterHostMayQueueMoreUrls) {
  FrontierOptions options;
  options.budget.per_host = 4;
  options.host_ranks = {.ranks = &ranks_, .limits = true};
  Open(options);
  Offer({"best.org", "worst.org", "other.org"}, 20);
  Pump();
  EXPECT_EQ(frontier_->Stats().queued_urls, 16u + 1u + 4u);
}

TEST_F(RankedFrontierTest, ALimitIsForAllAlikeUnlessItIsToScale) {
  FrontierOptions options;
  options.budget.per_host = 4;
  options.host_ranks = {.ranks = &ranks_};
  Open(options);
  Offer({"best.org", "worst.org", "other.org"}, 20);
  Pump();
  EXPECT_EQ(frontier_->Stats().queued_urls, 3u * 4u);
}

TEST_F(RankedFrontierTest, ABetterHostIsVisitedMoreOftenWhereHostsWaitForAConnection) {
  FrontierOptions options;
  options.host_ranks = {.ranks = &ranks_, .visits = true};
  Open(options);
  Offer({"best.org", "good.org", "bad.org", "worst.org"}, 200);
  const auto visits = VisitsOf(120);
  EXPECT_GT(visits.at("best.org"), visits.at("worst.org") * 3 / 2);
  EXPECT_GT(visits.at("good.org"), visits.at("bad.org"));
}

TEST_F(RankedFrontierTest, RanksSlowNobodyDownWhereConnectionsWaitForHosts) {
  FrontierOptions options;
  options.host_ranks = {.ranks = &ranks_, .visits = true};
  Open(options);
  Offer({"worst.org"}, 200);
  const MonotonicTime begin = clock_.Now();
  EXPECT_EQ(VisitsOf(20).at("worst.org"), 20);
  // Two seconds per request, and the usual delay between them.
  EXPECT_LE(clock_.Now() - begin,
            20 * (std::chrono::seconds(2) + options.politeness.host_delay + std::chrono::milliseconds(200)));
}

}  // namespace
}  // namespace crivello::frontier
