// SPDX-License-Identifier: Apache-2.0
// `agent` and `cluster status` as an operator uses them, with a real NATS server.
#include <set>

#include "base/test_waiting.h"
#include "cluster/nats/nats_server_test_support.h"
#include "crawl_scenario.h"

namespace crivello {
namespace {

class ClusterStatusScenario : public CrawlScenario {
 protected:
  void SetUp() override {
    if (const std::string missing = cluster::MissingForNats(); !missing.empty())
      GTEST_SKIP() << "no " << missing;
    CrawlScenario::SetUp();
    nats_ = std::make_unique<cluster::NatsServer>();
  }
  void TearDown() override {
    if (agent_ == 0) return;
    kill(agent_, SIGKILL);
    Wait(agent_);
  }

  void StartAgent() {
    const std::string out = folder_ / "agent.out", err = folder_ / "agent.err";
    agent_ = StartProgram(
        {ProgramPath(), "agent", "--nats", nats_->url(), "--shared", folder_ / "web", "--name", "red",
         "--tablets", "2", "--lease", "8s", "--memory", "32M", "--allow-private", "--min-free", "1M"},
        [&] {
          DirectTo(out, STDOUT_FILENO);
          DirectTo(err, STDERR_FILENO);
        });
  }
  int EndAgent(int signal) {
    kill(agent_, signal);
    return Wait(std::exchange(agent_, 0));
  }
  // The exit code; what was printed goes to status_.
  int AskStatus() {
    const int code =
        Run({"cluster", "status", "--nats", nats_->url(), "--shared", folder_ / "web", "--json"});
    if (code <= 1 && !Text("out").empty()) status_ = json::parse(Text("out"));
    return code;
  }
  static std::set<std::string> Keys(const json& object) {
    std::set<std::string> keys;
    for (const auto& [key, value] : object.items()) keys.insert(key);
    return keys;
  }

  std::unique_ptr<cluster::NatsServer> nats_;
  pid_t agent_ = 0;
  json status_;
};

TEST_F(ClusterStatusScenario, TellsWhoHasWhatAndFailsWhileATabletHasNoOwner) {
  StartAgent();
  ASSERT_TRUE(WaitFor([&] { return AskStatus() == 0; })) << Text("err") << Text("agent.err");
  const std::set<std::string> agent_keys = {"name", "alive", "leaving", "version", "tablets", "memory"};
  const std::set<std::string> tablet_keys = {"tablet", "owner", "epoch", "state", "lag_urls"};
  ASSERT_EQ(status_["agents"].size(), 1u);
  EXPECT_EQ(Keys(status_["agents"][0]), agent_keys);
  EXPECT_EQ(status_["agents"][0]["name"], "red");
  EXPECT_EQ(status_["agents"][0]["alive"], true);
  EXPECT_GT(status_["agents"][0]["memory"], 1 << 20);
  ASSERT_EQ(status_["tablets"].size(), 2u);
  for (const json& tablet : status_["tablets"]) {
    EXPECT_EQ(Keys(tablet), tablet_keys);
    EXPECT_EQ(tablet["owner"], "red");
    EXPECT_EQ(tablet["epoch"], 1);
  }
  // The number of open tablets is in the agent's next record.
  EXPECT_TRUE(WaitFor([&] { return AskStatus() == 0 && status_["agents"][0]["tablets"] == 2; }));

  EndAgent(SIGKILL);
  EXPECT_EQ(AskStatus(), 1);
  EXPECT_EQ(status_["agents"][0]["alive"], false);
  for (const json& tablet : status_["tablets"]) {
    EXPECT_TRUE(tablet["owner"].is_null());
    EXPECT_EQ(tablet["state"], "expired");
  }

  StartAgent();
  ASSERT_TRUE(WaitFor([&] { return AskStatus() == 0; })) << Text("err") << Text("agent.err");
  for (const json& tablet : status_["tablets"]) EXPECT_EQ(tablet["epoch"], 2);

  EXPECT_EQ(EndAgent(SIGTERM), 0) << Text("agent.err");
  EXPECT_EQ(AskStatus(), 1);
  EXPECT_TRUE(status_["agents"].empty());
  for (const json& tablet : status_["tablets"]) EXPECT_EQ(tablet["state"], "released");

  // Without a server there is an error, and no table.
  nats_->Kill();
  EXPECT_GT(AskStatus(), 1);
  EXPECT_THAT(Text("err"), testing::HasSubstr("NATS"));
}

}  // namespace
}  // namespace crivello
