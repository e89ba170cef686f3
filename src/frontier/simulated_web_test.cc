// SPDX-License-Identifier: Apache-2.0
#include "frontier/simulated_web.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "web/page/robots.h"
#include "web/url/canonical.h"

namespace crivello::frontier {
namespace {

TEST(SimulatedWebTest, IsTheSameForTheSameSeed) {
  const SimulatedWeb web({.seed = 5, .hosts = 50, .pages = 2000}),
      same({.seed = 5, .hosts = 50, .pages = 2000});
  const SimulatedWeb other({.seed = 6, .hosts = 50, .pages = 2000});
  int differences = 0;
  for (uint32_t host = 0; host < 50; host++) {
    for (uint64_t page = 0; page < web.pages(host); page++) {
      const std::string url = web.PageUrl(host, page);
      const auto a = web.Fetch(url, 1), b = same.Fetch(url, 1), c = other.Fetch(url, 1);
      ASSERT_EQ(a.links, b.links);
      ASSERT_EQ(a.status, b.status);
      ASSERT_EQ(a.took, b.took);
      differences += a.links != c.links;
    }
  }
  EXPECT_GT(differences, 1000);
}

TEST(SimulatedWebTest, HasTheSizeThatWasAskedForAndZipfsLaw) {
  const SimulatedWeb web({.hosts = 1000, .pages = 100000});
  EXPECT_NEAR(static_cast<double>(web.pages()), 100000, 1000);
  EXPECT_NEAR(static_cast<double>(web.pages(0)) / static_cast<double>(web.pages(9)), 10, 0.1);
}

TEST(SimulatedWebTest, LinksOnlyToCanonicalUrlsOfItsPages) {
  const SimulatedWeb web({.hosts = 30, .pages = 1000});
  for (uint32_t host = 0; host < 30; host++) {
    EXPECT_EQ(web.HostNumber(web.Name(host)), host);
    for (uint64_t page = 0; page < web.pages(host); page++) {
      const auto answer = web.Fetch(web.PageUrl(host, page), 3);
      for (const auto& link : answer.links) {
        const auto url = web::CanonicalUrl(link);
        ASSERT_TRUE(url.ok());
        ASSERT_EQ(url->href(), link);
        const auto number = web.HostNumber(url->hostname());
        ASSERT_TRUE(number);
      }
    }
  }
  for (const char* name : {"h30.sim", "h.sim", "x", "h1.sims", "h99999999999999999999.sim"})
    EXPECT_FALSE(web.HostNumber(name)) << name;
  EXPECT_EQ(web.Fetch("http://h0.sim/d0/p999999", 1).status, 404);
  EXPECT_EQ(web.Fetch("http://h0.sim/d7/p1", 1).status, 404) << "the page is in another directory";
}

TEST(SimulatedWebTest, HasHostsOfEveryFateInTheirShares) {
  const SimulatedWebOptions options = {.hosts = 20000, .pages = 20000};
  const SimulatedWeb web(options);
  std::map<SimulatedWeb::Fate, int> fates;
  std::map<SimulatedWeb::RobotsFate, int> robots;
  std::set<std::string> addresses;
  for (uint32_t host = 0; host < web.hosts(); host++) {
    fates[web.fate(host)]++;
    robots[web.robots_fate(host)]++;
    addresses.insert(web.Address(host));
  }
  EXPECT_EQ(fates.size(), 8u);
  EXPECT_EQ(robots.size(), 7u);
  EXPECT_NEAR(fates[SimulatedWeb::Fate::kDead], 20000 * options.dead, 100);
  EXPECT_NEAR(robots[SimulatedWeb::RobotsFate::kMissing], 20000 * options.robots_missing, 300);
  EXPECT_LT(addresses.size(), 20000u / 3 + 1);
  EXPECT_GT(addresses.size(), 20000u / 6);
}

TEST(SimulatedWebTest, AnswersAsTheFatesSay) {
  const SimulatedWeb web({.hosts = 3000, .pages = 30000});
  for (uint32_t host = 0; host < web.hosts(); host++) {
    const std::string home = web.PageUrl(host, 0);
    const auto answer = web.Fetch(home, 1);
    switch (web.fate(host)) {
      case SimulatedWeb::Fate::kDead:
        EXPECT_EQ(answer.result, FetchResult::kConnectFailed);
        break;
      case SimulatedWeb::Fate::kSilent:
        EXPECT_EQ(answer.result, FetchResult::kTimedOut);
        break;
      case SimulatedWeb::Fate::kNameless:
        EXPECT_TRUE(web.Resolve(web.Name(host), 9).permanent);
        break;
      case SimulatedWeb::Fate::kLateName:
        EXPECT_EQ(web.Resolve(web.Name(host), 2).address, "");
        EXPECT_EQ(web.Resolve(web.Name(host), 3).address, web.Address(host));
        break;
      case SimulatedWeb::Fate::kBusy:
      case SimulatedWeb::Fate::kFlaky:
        EXPECT_EQ(web.Fetch(home, 2).status, 200);
        break;
      default:
        EXPECT_EQ(answer.status, 200);
    }
  }
}

}  // namespace
}  // namespace crivello::frontier
