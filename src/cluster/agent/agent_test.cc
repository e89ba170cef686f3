// SPDX-License-Identifier: Apache-2.0
#include "cluster/agent/agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>

#include "base/random.h"
#include "base/test_support.h"
#include "base/test_waiting.h"
#include "cluster/agent/memory_bus_test_support.h"
#include "cluster/fence/epoch_lease.h"
#include "cluster/nats/nats_bus.h"
#include "cluster/nats/nats_server_test_support.h"

namespace crivello::cluster {
namespace {

const std::vector<std::string> kTestTablets = {"t-00", "t-01", "t-10", "t-11"};

// Takes real epochs in a folder.
class EpochKeeper final : public TabletKeeper {
 public:
  EpochKeeper(std::string folder, std::string name) : folder_(std::move(folder)), name_(std::move(name)) {}

  Result<uint64_t> HighestEpoch(const std::string& tablet) override {
    CRV_TRY(files_.MakeFolder(folder_ + "/" + tablet));
    CRV_ASSIGN(const auto names, files_.List(folder_ + "/" + tablet, SharedFiles::Look::kFresh));
    return HighestEpoch(names);
  }
  Result<Opened> Open(const std::string& tablet, uint64_t above, uint64_t) override {
    CRV_ASSIGN(auto lease, EpochLease::Take(files_, {.tablet = folder_ + "/" + tablet,
                                                     .owner = name_,
                                                     .nonce = RandomSeed(),
                                                     .above = above}));
    MutexLock lock(mu_);
    const uint64_t epoch = lease->epoch();
    leases_[tablet] = std::move(lease);
    return Opened{.epoch = epoch, .sequence = epoch};
  }
  Status Close(const std::string& tablet) override {
    MutexLock lock(mu_);
    leases_.erase(tablet);
    return Status::Ok();
  }
  Progress ProgressOf(const std::string& tablet) override {
    MutexLock lock(mu_);
    const auto at = leases_.find(tablet);
    if (at == leases_.end()) return {};
    return {.sequence = at->second->epoch(), .lost = !at->second->StillMine().ok()};
  }
  uint64_t epoch(const std::string& tablet) {
    MutexLock lock(mu_);
    const auto at = leases_.find(tablet);
    return at == leases_.end() ? 0 : at->second->epoch();
  }

 private:
  static uint64_t HighestEpoch(const std::vector<std::string>& names) { return cluster::HighestEpoch(names); }

  PosixSharedFiles files_;
  const std::string folder_;
  const std::string name_;
  Mutex mu_;
  std::map<std::string, std::unique_ptr<EpochLease>> leases_ CRV_GUARDED_BY(mu_);
};

// An agent with all that it needs.
struct TestAgent {
  TestAgent(Bus& bus, const TemporaryFolder& folder, const std::string& name, Duration lease)
      : keeper(folder.path(), name),
        agent(bus, keeper,
              {.membership = {.name = name,
                              .process = RandomSeed(),
                              .tablets = kTestTablets,
                              .lease = lease,
                              .version = "test"}}) {}
  EpochKeeper keeper;
  Agent agent;
};

// Between them they have all tablets, as the assignment says.
bool ShareAll(const TestAgent& a, const TestAgent& b) {
  return a.agent.tablets().size() == 2 && b.agent.tablets().size() == 2;
}

constexpr Duration kTestLease = std::chrono::seconds(1);

TEST(AgentTest, TakesTabletsSharesThemAndGivesThemBack) {
  TemporaryFolder folder;
  MemoryBus bus;
  TestAgent red(bus, folder, "red", kTestLease);
  EXPECT_TRUE(WaitFor([&] { return red.agent.tablets().size() == 4; }));
  EXPECT_TRUE(WaitFor([&] { return red.agent.MayFetch("t-00"); }));
  {
    TestAgent blue(bus, folder, "blue", kTestLease);
    EXPECT_TRUE(WaitFor([&] { return ShareAll(red, blue); }));
    EXPECT_TRUE(WaitFor([&] { return blue.agent.members() == std::vector<std::string>{"blue", "red"}; }));
    blue.agent.Leave();
    EXPECT_TRUE(WaitFor([&] { return blue.agent.left(); }));
    EXPECT_TRUE(WaitFor([&] { return red.agent.tablets().size() == 4; }));
  }
  EXPECT_TRUE(red.agent.status().ok());
}

TEST(AgentTest, TakesOverFromAnAgentThatDied) {
  TemporaryFolder folder;
  MemoryBus bus;
  TestAgent red(bus, folder, "red", kTestLease);
  auto blue = std::make_unique<TestAgent>(bus, folder, "blue", kTestLease);
  std::string taken;
  uint64_t epoch = 0;
  EXPECT_TRUE(WaitFor([&] {
    const std::vector<std::string> has = blue->agent.tablets();
    if (has.size() != 2 || !ShareAll(red, *blue)) return false;
    taken = has.front();
    epoch = blue->keeper.epoch(taken);
    return epoch != 0;
  }));
  blue = nullptr;  // gives nothing back
  EXPECT_TRUE(WaitFor([&] { return red.agent.tablets().size() == 4; }));
  EXPECT_GT(red.keeper.epoch(taken), epoch);
}

TEST(AgentTest, ClosesEverythingWhileTheBusIsDownAndLivesOn) {
  TemporaryFolder folder;
  MemoryBus bus;
  TestAgent red(bus, folder, "red", kTestLease);
  EXPECT_TRUE(WaitFor([&] { return red.agent.tablets().size() == 4; }));
  bus.SetDown(true);
  EXPECT_TRUE(WaitFor([&] { return red.agent.tablets().empty(); }));
  for (const std::string& tablet : kTestTablets) EXPECT_FALSE(red.agent.MayConfirm(tablet));
  bus.Forget();
  bus.SetDown(false);
  EXPECT_TRUE(WaitFor([&] { return red.agent.tablets().size() == 4; }));
  EXPECT_GE(red.keeper.epoch("t-00"), 2u);
}

TEST(AgentTest, KeepsItsTabletsOnNatsAcrossALossOfJetStream) {
  if (const std::string missing = MissingForNats(); !missing.empty()) GTEST_SKIP() << "no " << missing;
  constexpr Duration lease = std::chrono::seconds(3);
  TemporaryFolder folder;
  NatsServer server;
  const NatsOptions options = {.urls = server.url(), .bucket = "test", .limit = lease / 5};
  const auto red_bus = NatsBus::Open(options).value();
  const auto blue_bus = NatsBus::Open(options).value();
  TestAgent red(*red_bus, folder, "red", lease);
  TestAgent blue(*blue_bus, folder, "blue", lease);
  EXPECT_TRUE(WaitFor([&] { return ShareAll(red, blue); })) << server.log();
  server.Kill();
  server.LoseJetStream();
  server.Start();
  // Both are seen again by the other, and each tablet has an owner.
  EXPECT_TRUE(WaitFor([&] {
    const auto entries = red_bus->ReadAll();
    size_t owned = 0;
    if (!entries.ok()) return false;
    for (const BusEntry& entry : *entries) {
      const auto lease_record = DecodeLease(entry.value);
      owned += lease_record.ok() && lease_record->state == LeaseState::kOpen ? 1 : 0;
    }
    return owned == kTestTablets.size() && ShareAll(red, blue);
  })) << server.log();
}

}  // namespace
}  // namespace crivello::cluster
