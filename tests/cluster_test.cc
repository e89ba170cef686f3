// SPDX-License-Identifier: Apache-2.0
// Several agents crawl one collection, with three real NATS servers: they find what a single process finds.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include "base/random.h"
#include "base/test_waiting.h"
#include "cluster/agent/crawl_orders.h"
#include "cluster/nats/nats_bus.h"
#include "cluster/nats/nats_server_test_support.h"
#include "crawl/crawl_test_support.h"
#include "crawl_scenario.h"
#include "engine/crawl_agent.h"
#include "fetch/hosts_file.h"
#include "web/url/signature.h"
#include "web/url/tablet_id.h"

namespace crivello {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;

using Pages = std::map<std::string, crawl::StoredPage>;

class ClusterCrawlScenario : public CrawlScenario {
 protected:
  void SetUp() override {
    if (const std::string missing = cluster::MissingForNats(); !missing.empty())
      GTEST_SKIP() << "no " << missing;
    CrawlScenario::SetUp();
    nats_ = std::make_unique<cluster::NatsTrio>();  // elects a leader while one process crawls
  }

  Pages WithoutTraps(Pages pages) const {
    std::erase_if(pages, [&](const auto& page) { return server_->web().IsTrap(page.first); });
    return pages;
  }
  // The result of crawling the web with one process.
  Pages CrawlAlone() {
    std::vector<std::string> arguments = CrawlArguments();
    std::replace(arguments.begin(), arguments.end(), std::string("300"), std::to_string(kPerHost));
    EXPECT_EQ(Run(arguments), 0) << Text("err");
    collection::CollectionOptions open;
    open.directory = folder_ / "collection";
    open.reading = collection::CollectionOptions::Reading::kShared;
    const auto store = collection::Collection::Open(open);
    EXPECT_TRUE(store.ok()) << store.status().message();
    return store.ok() ? WithoutTraps(crawl::PagesOf(**store)) : Pages();
  }
  // The contents of the cluster's tablets when no agent is running any more.
  Pages PagesOfCluster() const {
    auto shared = cluster::SharedCollection::Open({.directory = folder_ / "web", .agent = "reader"}).value();
    collection::CollectionOptions open;
    open.directory = folder_ / "web";
    open.shared = true;
    const auto store = collection::Collection::Open(open).value();
    for (const std::string& tablet : shared->tablets()) {
      const auto opened = shared->Open(tablet, 0, 0);
      EXPECT_TRUE(opened.ok()) << opened.status().message();
      if (opened.ok()) store->Attach(*shared->Find(tablet));
    }
    return WithoutTraps(crawl::PagesOf(*store));
  }

  // Page requests from now on; how often each was answered with something other than "busy".
  std::map<std::pair<std::string, std::string>, int> Answered() const {
    std::map<std::pair<std::string, std::string>, int> answered;
    const auto log = server_->Log();
    for (size_t i = begin_; i < log.size(); i++) {
      const bool trap =
          server_->web().IsTrap(fmt::format("http://{}:{}{}", log[i].host, server_->port(), log[i].target));
      if (log[i].status != 503 && log[i].target != "/robots.txt" && !trap) {
        answered[{log[i].host, log[i].target}]++;
      }
    }
    return answered;
  }
  // The server sees the start of a request slightly after the crawler; the previous request ends between the
  // two.
  void ExpectPolite(Duration host_delay, Duration address_delay) const {
    std::map<std::string, std::string> addresses;
    for (const demo::HostAddress& host : server_->hosts()) addresses[host.name] = host.address;
    std::map<std::string, MonotonicTime> last;  // by host and by address
    const auto log = server_->Log();
    for (size_t i = begin_; i < log.size(); i++) {
      for (const auto& [key, delay] :
           {std::pair(log[i].host, host_delay), std::pair(addresses.at(log[i].host), address_delay)}) {
        const auto before = last.find(key);
        if (before != last.end()) {
          EXPECT_GE(log[i].start - before->second, delay) << key << ", " << log[i].host << log[i].target;
        }
        last[key] = log[i].start;
      }
    }
  }
  // Several agents have hosts at one address: only then is it a matter of turns.
  void ExpectSharedAddresses(const std::map<std::string, std::string>& owners) const {
    const web::TabletMap map = web::TabletMap::Uniform(kTablets).value();
    std::map<std::string, std::set<std::string>> agents;  // by address
    for (const demo::HostAddress& host : server_->hosts()) {
      const auto owner = owners.find(map.id(map.SlotOf(web::HostHash(host.name))).Name());
      if (owner != owners.end()) agents[host.address].insert(owner->second);
    }
    EXPECT_TRUE(
        std::any_of(agents.begin(), agents.end(), [](const auto& at) { return at.second.size() > 1; }));
  }
  void BeginToCount() { begin_ = server_->Log().size(); }

  static constexpr uint64_t kPerHost = 120;
  static constexpr uint32_t kTablets = 8;
  size_t begin_ = 0;
  std::unique_ptr<cluster::NatsTrio> nats_;
};

// An agent in this process.
struct LocalAgent {
  LocalAgent(const std::string& url, const engine::CrawlAgentOptions& options)
      : bus(cluster::NatsBus::Open({.urls = url, .name = options.collection.agent, .bucket = "web"}).value()),
        agent(engine::CrawlAgent::Start(*bus, options).value()) {}
  std::unique_ptr<cluster::NatsBus> bus;
  std::unique_ptr<engine::CrawlAgent> agent;
};

TEST_F(ClusterCrawlScenario, FourAgentsFindWhatOneProcessFindsAndFetchEachPageOnce) {
  const Pages alone = CrawlAlone();
  EXPECT_GT(alone.size(), 100u);
  BeginToCount();

  engine::CrawlAgentOptions options = {.scope = "web"};
  options.collection.directory = folder_ / "web";
  options.collection.tablets = kTablets;
  options.collection.memory_bytes = 32 << 20;
  options.agent.membership.lease = seconds(8);  // a stall of a busy machine must not end one
  options.crawl.allow_private = true;
  options.crawl.politeness.host_delay = milliseconds(20);
  options.crawl.politeness.address_delay = milliseconds(10);
  options.crawl.politeness.first_back_off = milliseconds(200);
  options.crawl.budget.per_host = kPerHost;
  options.crawl.min_free_bytes = 1 << 20;
  options.crawl.hosts = fetch::ParseHostsFile(demo::BuiltInWeb::HostsFile()).value();
  std::vector<std::unique_ptr<LocalAgent>> agents;
  std::vector<std::string> names;
  for (const char* name : {"red", "green", "blue", "white"}) {
    options.collection.agent = name;
    options.agent.membership.name = name;
    options.agent.membership.process = RandomSeed();
    agents.push_back(std::make_unique<LocalAgent>(nats_->urls(), options));
    names.emplace_back(name);
  }
  cluster::Bus& bus = *agents.front()->bus;
  // The owner of the first tablet takes the seeds, once there is one.
  ASSERT_TRUE(WaitFor([&] {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return cluster::GiveSeeds(bus, "web", name, server_->web().Seeds(), seconds(10)).ok();
    });
  }));
  cluster::CrawlEndWatch watch;
  ASSERT_TRUE(WaitFor(
      [&] {
        const MonotonicTime asked = SystemClock().Now();
        const auto reports = cluster::AskForCrawlReports(bus, "web", names, seconds(10));
        return watch.Take(reports, asked, SystemClock().Now());
      },
      std::chrono::minutes(3)));
  std::map<std::string, std::string> owners;  // of tablets
  for (size_t i = 0; i < agents.size(); i++) {
    EXPECT_TRUE(agents[i]->agent->status().ok()) << agents[i]->agent->status().message();
    const std::vector<std::string> tablets = agents[i]->agent->tablets();
    EXPECT_FALSE(tablets.empty()) << names[i];
    for (const std::string& tablet : tablets) owners[tablet] = names[i];
    agents[i]->agent->Leave();
  }
  ExpectSharedAddresses(owners);
  for (const auto& one : agents) ASSERT_TRUE(WaitFor([&] { return one->agent->left(); }));
  agents.clear();

  EXPECT_EQ(PagesOfCluster(), alone);
  for (const auto& [page, times] : Answered()) EXPECT_EQ(times, 1) << page.first << page.second;
  ExpectPolite(milliseconds(19), milliseconds(9));
}

TEST_F(ClusterCrawlScenario, AnAgentThatIsKilledLosesNothing) {
  const Pages alone = CrawlAlone();
  const std::vector<std::string> rules = {"--hosts-file",
                                          folder_ / "hosts",
                                          "--allow-private",
                                          "--delay",
                                          "20ms",
                                          "--ip-delay",
                                          "10ms",
                                          "--back-off",
                                          "200ms",
                                          "--max-per-host",
                                          std::to_string(kPerHost),
                                          "--min-free",
                                          "1M",
                                          "--memory",
                                          "32M",
                                          "--timeout",
                                          "2s",
                                          "--lease",
                                          "8s"};
  const auto start = [&](const std::string& name) {
    std::vector<std::string> arguments = {ProgramPath(),   "agent",  "--nats", nats_->urls(), "--shared",
                                          folder_ / "web", "--name", name,     "--tablets",   "4"};
    arguments.insert(arguments.end(), rules.begin(), rules.end());
    const std::string out = folder_ / (name + ".out"), err = folder_ / (name + ".err");
    return StartProgram(std::move(arguments), [&] {
      DirectTo(out, STDOUT_FILENO);
      DirectTo(err, STDERR_FILENO);
    });
  };
  BeginToCount();
  const pid_t red = start("red");
  ASSERT_TRUE(WaitFor([&] { return Text("red.err").find("has joined") != std::string::npos; }))
      << Text("red.err");
  const pid_t blue = start("blue");
  ASSERT_EQ(Run({"cluster", "crawl", "--nats", nats_->urls(), "--seeds", folder_ / "seeds"}), 0)
      << Text("err");
  ASSERT_TRUE(WaitFor([&] { return server_->Log().size() > begin_ + 60; }))
      << Text("red.err") << Text("blue.err");
  kill(red, SIGKILL);
  Wait(red);
  // The other agent takes over its tablets, and finishes.
  ASSERT_EQ(Run({"cluster", "crawl", "--nats", nats_->urls(), "--wait", "--json"}), 0) << Text("err");
  EXPECT_EQ(Lines().back()["agents"], 1);
  ASSERT_EQ(Run({"cluster", "status", "--nats", nats_->urls(), "--json"}), 0) << Text("err");
  const json status = Lines().back();
  for (const json& tablet : status["tablets"]) {
    EXPECT_EQ(tablet["owner"], "blue");
    EXPECT_EQ(tablet["lag_urls"], 0);
  }
  kill(blue, SIGTERM);
  EXPECT_EQ(Wait(blue), 0) << Text("blue.err");

  EXPECT_EQ(PagesOfCluster(), alone);
  // Pages that were fetched but not committed are fetched again, in the next epoch.
  for (const auto& [page, times] : Answered()) EXPECT_LE(times, 2) << page.first << page.second;
  ExpectPolite(milliseconds(19), milliseconds(9));
}

}  // namespace
}  // namespace crivello
