// SPDX-License-Identifier: Apache-2.0
// Properties of every crawl, on random webs.  FRONTIER_WEBS=5000 in the environment tries this many of each.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "base/random.h"
#include "frontier/frontier_test_support.h"

namespace crivello::frontier {
namespace {

uint64_t Webs(uint64_t otherwise) {
  const char* webs = std::getenv("FRONTIER_WEBS");
  return webs == nullptr ? otherwise : std::strtoull(webs, nullptr, 10);
}

SimulatedWebOptions RandomWeb(uint64_t seed) {
  SeededRandom random(seed);
  return {.seed = seed,
          // Sometimes so many that names do not fit into a string without allocation.
          .hosts = static_cast<uint32_t>(1 + random.Below(seed % 10 == 0 ? 300 : 40)),
          .pages = 1 + random.Below(400),
          .hosts_per_address = 1 + 3 * random.Unit(),
          .links_per_page = static_cast<uint32_t>(random.Below(15)),
          .remote_links = random.Unit(),
          .repeated_links = random.Unit(),
          .latency = Duration(static_cast<int64_t>(1 + random.Below(2'000'000'000)))};
}

SimulationOptions RandomCrawl(uint64_t seed) {
  SeededRandom random(~seed);
  SimulationOptions options = {.connections = static_cast<uint32_t>(1 + random.Below(60)),
                               .time = std::chrono::hours(24 * 365),
                               .commit_visits = static_cast<uint32_t>(1 + random.Below(40))};
  options.commit_after = Duration(static_cast<int64_t>(1 + random.Below(20'000'000'000)));
  options.frontier.sync = false;
  options.frontier.politeness.host_delay = Duration(static_cast<int64_t>(random.Below(8'000'000'000)));
  options.frontier.politeness.address_delay = Duration(static_cast<int64_t>(random.Below(3'000'000'000)));
  // Sometimes almost no memory, so that hosts sleep and wake all the time.
  options.frontier.memory_bytes = random.Below(2) == 0 ? 2048 * (1 + random.Below(10)) : 64 << 20;
  options.frontier.quantum = static_cast<uint32_t>(1 + random.Below(20));
  options.frontier.max_uncommitted = static_cast<uint32_t>(1 + random.Below(10));
  if (random.Below(3) == 0) options.priority.short_url = options.priority.depth = true;
  if (random.Below(4) == 0) options.frontier.politeness.proportion = 0.1 + random.Unit();
  return options;
}

// A simulated crawl with everything that it needs.
struct Crawl {
  Crawl(const SimulatedWebOptions& web_options, const SimulationOptions& simulation_options, uint32_t tablets)
      : web(web_options), options(simulation_options), judge(options.frontier.politeness) {
    Open(tablets);
  }
  void Open(uint32_t tablets) {
    stored = OpenTestTablets(folder.path(), tablets);
    auto opened = Simulation::Open(**stored, web, clock, judge, options);
    ASSERT_TRUE(opened.ok()) << opened.status().ToString();
    simulation = *std::move(opened);
  }
  // As in a crash: nothing is shut down.
  void Crash() {
    simulation.reset();
    stored.reset();
    judge.Crashed();
  }
  void Run(uint64_t requests = 0) {
    const Status status = simulation->Run(requests);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void ExpectPolite() {
    EXPECT_GE(judge.report().least_host_slack.value_or(Duration::zero()), Duration::zero());
    EXPECT_GE(judge.report().least_address_slack.value_or(Duration::zero()), Duration::zero());
  }
  void ExpectComplete() {
    EXPECT_TRUE(judge.report().finished) << Standing(simulation->frontier());
    EXPECT_EQ(judge.report().twice, 0u);
    EXPECT_EQ(DonePages(web, judge), AsSet(ReferenceCrawl(web, options.frontier.robots)));
  }

  const TemporaryFolder folder;
  const SimulatedWeb web;
  const SimulationOptions options;
  ManualClock clock{kTestStart};
  SimulationJudge judge;
  std::unique_ptr<StoredTablets> stored;
  std::unique_ptr<Simulation> simulation;
};

TEST(FrontierPropertiesTest, EachPageOnceInOrderAndInPoliteness) {
  for (uint64_t seed = 1; seed <= Webs(100); seed++) {
    SCOPED_TRACE(seed);
    Crawl crawl(RandomWeb(seed), RandomCrawl(seed), 1u << (seed % 3));
    ASSERT_TRUE(crawl.simulation->Begin().ok());
    crawl.Run();
    crawl.ExpectComplete();
    crawl.ExpectPolite();
    EXPECT_EQ(crawl.judge.report().out_of_order, 0u);
    if (HasFailure()) return;
  }
}

TEST(FrontierPropertiesTest, LosesNothingInCrashesAndStaysPolite) {
  for (uint64_t seed = 1; seed <= Webs(25); seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    Crawl crawl(RandomWeb(seed), RandomCrawl(seed), 2);
    ASSERT_TRUE(crawl.simulation->Begin().ok());
    for (int crash = 0; crash < 4 && !crawl.judge.report().finished; crash++) {
      crawl.Run(1 + random.Below(150));
      crawl.judge.report().finished = false;
      crawl.Crash();
      crawl.Open(0);
    }
    crawl.Run();
    crawl.ExpectComplete();
    crawl.ExpectPolite();
    if (HasFailure()) return;
  }
}

// Whether the frontier may have given a host up, and dropped what was queued of it.
bool MayGiveUp(const Crawl& crawl, const std::string& url) {
  using Fate = SimulatedWeb::Fate;
  const uint32_t host = *crawl.web.HostNumber(SplitUrl(url)->host);
  const Fate fate = crawl.web.fate(host);
  return fate == Fate::kNameless || fate == Fate::kDead || fate == Fate::kSilent || fate == Fate::kBusy;
}

SimulationOptions RandomRevisits(uint64_t seed) {
  SeededRandom random(seed ^ 0x5eed);
  SimulationOptions options = RandomCrawl(seed);
  options.revisits = static_cast<uint32_t>(1 + random.Below(4));
  // While new pages wait, or when all is done.
  options.revisit_after = std::chrono::seconds(1 + random.Below(random.Below(2) == 0 ? 30 : 100'000));
  return options;
}

TEST(FrontierPropertiesTest, EachRevisitComesOnceAtItsTimeAndInPoliteness) {
  for (uint64_t seed = 1; seed <= Webs(40); seed++) {
    SCOPED_TRACE(seed);
    Crawl crawl(RandomWeb(seed), RandomRevisits(seed), 1u << (seed % 3));
    ASSERT_TRUE(crawl.simulation->Begin().ok());
    crawl.Run();
    crawl.ExpectComplete();
    crawl.ExpectPolite();
    EXPECT_EQ(crawl.judge.report().early, 0u);
    for (const std::string& url : crawl.judge.done()) {
      const uint32_t visits = crawl.judge.Visits(url);
      EXPECT_LE(visits, 1 + crawl.options.revisits) << url;
      if (!MayGiveUp(crawl, url)) {
        EXPECT_EQ(visits, 1 + crawl.options.revisits) << url;
      }
    }
    if (HasFailure()) return;
  }
}

TEST(FrontierPropertiesTest, LosesNoRevisitInCrashesAndStaysPolite) {
  for (uint64_t seed = 1; seed <= Webs(12); seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    Crawl crawl(RandomWeb(seed), RandomRevisits(seed), 2);
    ASSERT_TRUE(crawl.simulation->Begin().ok());
    for (int crash = 0; crash < 4 && !crawl.judge.report().finished; crash++) {
      crawl.Run(1 + random.Below(300));
      crawl.judge.report().finished = false;
      crawl.Crash();
      crawl.Open(0);
      crawl.simulation->OrderAgain();
    }
    crawl.Run();
    crawl.ExpectPolite();
    EXPECT_TRUE(crawl.judge.report().finished);
    EXPECT_EQ(DonePages(crawl.web, crawl.judge),
              AsSet(ReferenceCrawl(crawl.web, crawl.options.frontier.robots)));
    for (const std::string& url : crawl.judge.done()) {
      if (MayGiveUp(crawl, url)) continue;
      EXPECT_GE(crawl.judge.Visits(url), 1 + crawl.options.revisits) << url;
    }
    if (HasFailure()) return;
  }
}

TEST(FrontierPropertiesTest, OneTabletOrFourGiveTheSame) {
  for (uint64_t seed = 1; seed <= Webs(10); seed++) {
    SCOPED_TRACE(seed);
    std::vector<std::set<std::string>> done;
    std::vector<uint64_t> refused;
    for (const uint32_t tablets : {1u, 4u}) {
      Crawl crawl(RandomWeb(seed), RandomCrawl(seed), tablets);
      ASSERT_TRUE(crawl.simulation->Begin().ok());
      crawl.Run();
      ASSERT_TRUE(crawl.judge.report().finished);
      done.push_back(DonePages(crawl.web, crawl.judge));
      refused.push_back(crawl.judge.report().refused);
    }
    EXPECT_EQ(done[0], done[1]);
    EXPECT_EQ(refused[0], refused[1]);
  }
}

// A web where nothing fails and nothing is slow.
SimulatedWebOptions PlainWeb(uint32_t hosts, uint64_t pages) {
  return {.seed = 7,
          .hosts = hosts,
          .pages = pages,
          .latency = std::chrono::milliseconds(10),
          .latency_spread = 0,
          .slow = 0,
          .nameless = 0,
          .late_names = 0,
          .dead = 0,
          .silent = 0,
          .busy = 0,
          .flaky = 0,
          .server_errors = 0,
          .redirects = 0,
          .missing = 0};
}

// Records the order of visits, by wrapping the judge's callbacks.
std::vector<std::string> OrderOfVisit(Crawl& crawl) {
  std::vector<std::string> order;
  crawl.judge.OnDone([&order](const Visit& visit) { order.push_back(visit.url); });
  EXPECT_TRUE(crawl.simulation->Begin().ok());
  crawl.Run();
  return order;
}

TEST(FrontierPropertiesTest, OneHostIsVisitedInBreadthFirstOrder) {
  Crawl crawl(PlainWeb(1, 2000), {.frontier = {.robots = false, .sync = false}}, 1);
  EXPECT_EQ(OrderOfVisit(crawl), ReferenceCrawl(crawl.web, false));
}

TEST(FrontierPropertiesTest, ManyHostsAreVisitedLevelByLevelIfPolitenessAllows) {
  // One page per host, and no delays between hosts: only the levels determine the order.
  SimulatedWebOptions web = PlainWeb(500, 1);
  SimulationOptions options = {.frontier = {.robots = false, .sync = false}};
  options.frontier.politeness.address_delay = {};
  web.hosts_per_address = 1;
  Crawl crawl(web, options, 2);
  const std::vector<std::string> order = OrderOfVisit(crawl);
  const std::vector<std::string> reference = ReferenceCrawl(crawl.web, false);
  ASSERT_EQ(order.size(), reference.size());
  // The level of each page, computed the simple way.
  std::map<std::string, int> level = {{reference[0], 0}};
  for (const auto& url : reference) {
    for (const auto& link : crawl.web.Fetch(url, 1).links) level.try_emplace(link, level[url] + 1);
  }
  int last = 0;
  for (const auto& url : order) {
    EXPECT_GE(level[url], last) << url;
    last = level[url];
  }
}

struct RatedHost {
  std::string name;
  std::string address;
  Duration crawl_delay;
};

// Visits per second over some minutes, if every host has more URLs than can be requested and requests take no
// time, so that only politeness limits the rate.
void RateOf(const std::vector<RatedHost>& hosts, FrontierOptions options, double* rate) {
  constexpr int64_t kSeconds = 400;
  options.sync = false;
  options.wait_for_sieve = true;
  const TemporaryFolder folder;
  const auto tablets = OpenTestTablets(folder.path(), 2);
  LocalExchange exchange(**tablets);
  ManualClock clock(kTestStart);
  auto opened = Frontier::Open(**tablets, exchange, clock, options);
  ASSERT_TRUE(opened.ok());
  Frontier& frontier = **opened;
  std::map<std::string, const RatedHost*> by_name;
  for (const RatedHost& host : hosts) {
    by_name[host.name] = &host;
    for (int64_t i = 0; i < kSeconds; i++) {
      const std::string url = "http://" + host.name + "/" + std::to_string(i);
      const UrlRecord record = {.url = url, .found = clock.Wall()};
      ASSERT_TRUE(frontier.Offer({&record, 1}).ok());
    }
  }
  uint64_t visits = 0;
  const MonotonicTime end = clock.Now() + std::chrono::seconds(kSeconds);
  while (clock.Now() < end) {
    const auto pumped = frontier.Pump();
    ASSERT_TRUE(pumped.ok());
    for (const auto& name : frontier.NeedsAddress(1000))
      frontier.Resolved(name, by_name[name]->address, clock.Wall() + std::chrono::hours(10));
    const auto taken = frontier.Take();
    ASSERT_TRUE(taken.ok());
    if (taken->visit) {
      const Visit& visit = *taken->visit;
      ASSERT_TRUE(
          frontier.Fetched(visit, {.status = 200, .started = clock.Now(), .ended = clock.Now()}).ok());
      visits++;
      if (visit.kind == UrlKind::kRobots) {
        frontier.RobotsDone(visit, {.until = clock.Wall() + std::chrono::hours(24),
                                    .crawl_delay = by_name[visit.host]->crawl_delay});
      } else {
        const auto commit = frontier.Begin(visit.tablet);
        commit->Done(visit);
        ASSERT_TRUE(commit->Write({}).ok());
      }
    } else if (!pumped->more && pumped->queued == 0 && pumped->woken == 0) {
      ASSERT_TRUE(taken->again) << Standing(frontier);
      clock.Advance(std::max(Duration(1), std::min(*taken->again, end) - clock.Now()));
    }
  }
  *rate = static_cast<double>(visits) / kSeconds;
}

// The greatest rate that politeness allows, whatever the memory: the sum over addresses of what they and
// their hosts allow.
double BoundOf(const std::vector<RatedHost>& hosts, const PolitenessOptions& politeness) {
  std::map<std::string, double> rates;  // of an address: the sum over its hosts
  for (const RatedHost& host : hosts) {
    const Duration delay = HostDelay(politeness, {.crawl_delay = host.crawl_delay});
    rates[host.address] += 1e9 / static_cast<double>(delay.count());
  }
  double bound = 0;
  for (const auto& [address, rate] : rates)
    bound += std::min(rate, 1e9 / static_cast<double>(politeness.address_delay.count()));
  return bound;
}

// It is an upper bound: if hosts that share an address need about as much as it allows, one must sometimes
// wait for another, and its own delay then begins later.  So one web in 200 may be more than 5% below the
// bound, and none more than 8%.
TEST(FrontierPropertiesTest, TheRateIsThatOfPoliteness) {
  uint64_t short_of_it = 0;
  for (uint64_t seed = 1; seed <= Webs(6); seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    FrontierOptions options;
    options.politeness.host_delay = std::chrono::seconds(1 + random.Below(5));
    options.politeness.address_delay = std::chrono::milliseconds(200 + random.Below(2000));
    // Some have a Crawl-delay, on addresses of their own or shared.
    std::vector<RatedHost> hosts(40);
    const uint64_t addresses = 1 + random.Below(40);
    for (size_t h = 0; h < hosts.size(); h++) {
      hosts[h].name = "h" + std::to_string(h) + ".sim";
      hosts[h].address = std::to_string(random.Below(addresses));
      hosts[h].crawl_delay = random.Below(2) == 0 ? Duration() : std::chrono::seconds(random.Below(20));
    }
    double rate = 0;
    RateOf(hosts, options, &rate);
    const double bound = BoundOf(hosts, options.politeness);
    EXPECT_LE(rate, 1.05 * bound);
    EXPECT_GE(rate, 0.92 * bound);
    if (rate < 0.95 * bound) short_of_it++;
  }
  EXPECT_LE(short_of_it, Webs(6) / 200);
}

// The bound cannot be reached here: it is 1 per second, and no order achieves more than 6 in 7 seconds
// (docs/benchmarks.md explains why).
TEST(FrontierPropertiesTest, HostsThatShareAnAddressComeAsNearTheBoundAsTheyCan) {
  FrontierOptions options;
  options.politeness.host_delay = std::chrono::milliseconds(1500);
  options.politeness.address_delay = std::chrono::seconds(1);
  const std::vector<RatedHost> hosts = {{"a.sim", "1", {}}, {"b.sim", "1", std::chrono::seconds(3)}};
  EXPECT_DOUBLE_EQ(BoundOf(hosts, options.politeness), 1);
  double rate = 0;
  RateOf(hosts, options, &rate);
  EXPECT_NEAR(rate, 6.0 / 7, 0.02 * 6 / 7);
}

// With memory for few hosts, and many hosts with URLs, each gets its turn before any has had much more.
TEST(FrontierPropertiesTest, NothingStarves) {
  const TemporaryFolder folder;
  const auto tablets = OpenTestTablets(folder.path(), 1);
  LocalExchange exchange(**tablets);
  ManualClock clock(kTestStart);
  FrontierOptions options = {
      .memory_bytes = 10 * 2048, .quantum = 5, .robots = false, .sync = false, .wait_for_sieve = true};
  options.politeness.address_delay = {};
  auto opened = Frontier::Open(**tablets, exchange, clock, options);
  ASSERT_TRUE(opened.ok());
  Frontier& frontier = **opened;
  constexpr int kHosts = 100, kPages = 40;
  std::string url;
  for (int h = 0; h < kHosts; h++) {
    for (int i = 0; i < kPages; i++) {
      url = "http://h" + std::to_string(h) + ".sim/" + std::to_string(i);
      const UrlRecord record = {.url = url, .found = clock.Wall()};
      ASSERT_TRUE(frontier.Offer({&record, 1}).ok());
    }
  }
  std::map<std::string, int> visits;
  for (int done = 0; done < kHosts * kPages;) {
    const auto pumped = frontier.Pump();
    ASSERT_TRUE(pumped.ok());
    EXPECT_LE(frontier.Stats().awake, 10u);
    for (const auto& name : frontier.NeedsAddress(1000))
      frontier.Resolved(name, name, clock.Wall() + std::chrono::hours(1000));
    auto taken = frontier.Take();
    ASSERT_TRUE(taken.ok());
    if (taken->visit) {
      const Visit& visit = *taken->visit;
      done++;
      visits[visit.host]++;
      ASSERT_TRUE(
          frontier.Fetched(visit, {.status = 200, .started = clock.Now(), .ended = clock.Now()}).ok());
      const auto commit = frontier.Begin(visit.tablet);
      commit->Done(visit);
      ASSERT_TRUE(commit->Write({}).ok());
      // No host is two turns ahead of another.
      if (done % 500 == 0) {
        int least = kPages, most = 0;
        for (int h = 0; h < kHosts; h++) {
          least = std::min(least, visits["h" + std::to_string(h) + ".sim"]);
          most = std::max(most, visits["h" + std::to_string(h) + ".sim"]);
        }
        EXPECT_LE(most - least, 2 * 5);
      }
    } else if (!pumped->more && pumped->queued == 0 && pumped->woken == 0) {
      ASSERT_TRUE(taken->again || pumped->again) << Standing(frontier);
      const MonotonicTime again =
          std::min(taken->again.value_or(MonotonicTime::max()), pumped->again.value_or(MonotonicTime::max()));
      clock.Advance(std::max(Duration(1), again - clock.Now()));
    }
  }
  EXPECT_TRUE(frontier.Finished());
}

}  // namespace
}  // namespace crivello::frontier
