// SPDX-License-Identifier: Apache-2.0
#include "cluster/fence/takeover.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <thread>

#include "base/file_system.h"
#include "base/test_support.h"
#include "cluster/fence/epoch_lease.h"
#include "cluster/fence/fence_exploration_test_support.h"

namespace crivello::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// ---- All schedules on a disk in memory.

// The bounds of bench/simulate-cluster are larger (CRIVELLO_FENCE_FAULTS, CRIVELLO_FENCE_WRITES).
int FromEnvironment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

TEST(FenceExplorationTest, NoScheduleOfTwoAgentsLosesAnAcknowledgedWrite) {
  const FenceBounds bounds = {
      .writes = FromEnvironment("CRIVELLO_FENCE_WRITES", 1),
      .faults = FromEnvironment("CRIVELLO_FENCE_FAULTS", 0),
      .max_states = std::getenv("CRIVELLO_FENCE_FAULTS") == nullptr ? FenceBounds().max_states : UINT64_MAX};
  const FenceExploration explored = FenceExplorer(bounds, FenceBug::kNone).Run();
  EXPECT_EQ(explored.violation, "") << fmt::format("{}", fmt::join(explored.schedule, "\n"));
  EXPECT_TRUE(explored.complete);
  EXPECT_GT(explored.openings, 0u);
  EXPECT_GT(explored.fenced, 0u);
  std::printf(
      "fence: %zu states, %zu transitions, longest schedule %d steps, %zu openings, %zu stale owners "
      "fenced\n",
      static_cast<size_t>(explored.states), static_cast<size_t>(explored.transitions), explored.depth,
      static_cast<size_t>(explored.openings), static_cast<size_t>(explored.fenced));
}

class FenceBugTest : public testing::TestWithParam<FenceBug> {};

TEST_P(FenceBugTest, IsFound) {
  const FenceExploration explored = FenceExplorer({}, GetParam()).Run();
  EXPECT_NE(explored.violation, "") << FenceBugName(GetParam());
  std::printf("bug: %-46s found after %7zu states: %s\n", std::string(FenceBugName(GetParam())).c_str(),
              static_cast<size_t>(explored.states), explored.violation.c_str());
}

INSTANTIATE_TEST_SUITE_P(All, FenceBugTest, testing::ValuesIn(kFenceBugs));

// ---- On a real file system.

class TakeoverTest : public testing::Test {
 protected:
  std::string tablet() const { return folder_ / "t-"; }
  Result<std::unique_ptr<EpochLease>> Take(const std::string& owner) {
    return EpochLease::Take(files_, {.tablet = tablet(), .owner = owner, .nonce = ++nonce_});
  }
  static void Put(const std::string& path, const std::string& text) {
    EXPECT_TRUE(PosixSharedFiles().MakeFolder(DirectoryOf(path)).ok());
    EXPECT_TRUE(PosixSharedFiles().Write(path, text).ok());
  }
  static uint64_t LinksOf(const std::string& path) {
    struct stat info = {};
    EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
    return info.st_nlink;
  }

  std::vector<std::string> PathsIn(const std::string& folder) {
    std::vector<std::string> paths;
    for (const SharedFile& file : files_.Tree(folder).value()) paths.push_back(file.path);
    return paths;
  }

  TemporaryFolder folder_;
  PosixSharedFiles files_;
  uint64_t nonce_ = 0;
};

TEST_F(TakeoverTest, GivesEachEpochAFolderWithTheFilesOfTheLast) {
  const auto first = Take("red");
  ASSERT_TRUE(first.ok()) << first.status().ToString();
  EXPECT_EQ((*first)->epoch(), 1u);
  const std::string one = (*first)->directory();
  EXPECT_EQ(one, tablet() + "/e000000000001");
  Put(one + "/db/000007.sst", "immutable");
  Put(one + "/db/000008.log", "grows");
  Put(one + "/db/LOCK", "");
  Put(one + "/lock", "4711");
  Put(one + "/commits", "journal");
  Put(one + "/archive/crivello-20260102000000-00000001.warc.gz", "old");
  Put(one + "/archive/crivello-20260101000000-00000002.warc.gz", "newest, though its clock went back");
  Put(one + "/archive/crivello-20260101000000-00000002.cdxj", "index");
  EXPECT_TRUE((*first)->StillMine().ok());

  const auto second = Take("green");
  ASSERT_TRUE(second.ok()) << second.status().ToString();
  const std::string two = (*second)->directory();
  EXPECT_EQ((*second)->epoch(), 2u);
  EXPECT_THAT(PathsIn(two), ElementsAre("READY", "archive/crivello-20260101000000-00000002.cdxj",
                                        "archive/crivello-20260101000000-00000002.warc.gz",
                                        "archive/crivello-20260102000000-00000001.warc.gz", "commits",
                                        "db/000007.sst", "db/000008.log"));
  EXPECT_EQ(LinksOf(two + "/db/000007.sst"), 2u);
  EXPECT_EQ(LinksOf(two + "/archive/crivello-20260102000000-00000001.warc.gz"), 2u);
  EXPECT_EQ(LinksOf(two + "/archive/crivello-20260101000000-00000002.warc.gz"), 1u);
  // The old owner wakes up: what it writes is seen by nobody, and it confirms nothing.
  Put(one + "/db/000008.log", "grows and grows");
  EXPECT_EQ(*ReadFile(two + "/db/000008.log"), "grows");
  const Status stale = (*first)->StillMine();
  EXPECT_EQ(stale.code(), StatusCode::kUnavailable);
  EXPECT_THAT(stale.message(), HasSubstr("it is in epoch 2, this process in epoch 1"));
  EXPECT_TRUE((*second)->StillMine().ok());
  EXPECT_EQ(DecodeClaim("claim", *ReadFile(tablet() + "/EPOCH-000000000002"))->owner, "green");

  EXPECT_EQ(RemoveOlderEpochs(files_, tablet(), 1).code(), StatusCode::kUnavailable);
  ASSERT_TRUE(RemoveOlderEpochs(files_, tablet(), 2).ok());
  EXPECT_THAT(*files_.List(tablet(), SharedFiles::Look::kFresh),
              ElementsAre("EPOCH-000000000002", "e000000000002"));
  EXPECT_EQ(*ReadFile(two + "/db/000007.sst"), "immutable");
  EXPECT_EQ((*first)->StillMine().code(), StatusCode::kUnavailable);
}

TEST_F(TakeoverTest, IsWonByOneOfManyThatTryAtOnce) {
  constexpr size_t kAgents = 8;
  std::vector<std::unique_ptr<EpochLease>> leases(kAgents);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kAgents; i++) {
    threads.emplace_back([&, i] {
      auto taken =
          EpochLease::Take(files_, {.tablet = tablet(), .owner = fmt::format("agent{}", i), .nonce = i + 1});
      if (taken.ok()) leases[i] = std::move(*taken);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<uint64_t> epochs;
  int owners = 0;
  for (const auto& lease : leases) {
    if (lease == nullptr) continue;
    EXPECT_TRUE(epochs.insert(lease->epoch()).second) << "two owners of epoch " << lease->epoch();
    owners += lease->StillMine().ok() ? 1 : 0;
  }
  EXPECT_EQ(owners, 1);
}

TEST_F(TakeoverTest, StartsFromTheLastEpochThatWasReady) {
  const auto first = Take("red");
  Put((*first)->directory() + "/commits", "acknowledged");
  Takeover dies({.tablet = tablet(), .owner = "green", .nonce = 77});
  while (dies.epoch() == 0 || !files_.Read(dies.folder() + "/commits").ok())
    ASSERT_TRUE(dies.Step(files_).ok());
  const auto third = Take("blue");
  ASSERT_TRUE(third.ok()) << third.status().ToString();
  EXPECT_EQ((*third)->epoch(), 3u);
  EXPECT_EQ(*ReadFile((*third)->directory() + "/commits"), "acknowledged");
}

TEST_F(TakeoverTest, KnowsItsOwnClaimWhenTheAnswerWasLost) {
  // Links, and answers as if somebody had been faster.
  class LosesAnswer final : public SharedFiles {
   public:
    Result<std::vector<std::string>> List(const std::string& f, Look look) override {
      return posix.List(f, look);
    }
    Result<std::vector<SharedFile>> Tree(const std::string& f) override { return posix.Tree(f); }
    Result<std::string> Read(const std::string& p) override { return posix.Read(p); }
    Status Write(const std::string& p, std::string_view bytes) override { return posix.Write(p, bytes); }
    Status Sync(const std::string& p) override { return posix.Sync(p); }
    Status SyncFolder(const std::string& f) override { return posix.SyncFolder(f); }
    Result<bool> Link(const std::string& from, const std::string& to) override {
      CRV_TRY(posix.Link(from, to));
      return false;
    }
    Status Copy(const std::string& from, const std::string& to) override { return posix.Copy(from, to); }
    Status MakeFolder(const std::string& p) override { return posix.MakeFolder(p); }
    Status Remove(const std::string& p) override { return posix.Remove(p); }
    Status RemoveTree(const std::string& f) override { return posix.RemoveTree(f); }
    PosixSharedFiles posix;
  } files;
  const auto lease = EpochLease::Take(files, {.tablet = tablet(), .owner = "red", .nonce = 5});
  ASSERT_TRUE(lease.ok()) << lease.status().ToString();
  EXPECT_EQ((*lease)->epoch(), 1u);
}

TEST_F(TakeoverTest, RefusesNamesThatAreNone) {
  for (const std::string name : {"", "two words", "line\n", "\xc3\xa8"}) {
    EXPECT_EQ(Take(name).status().code(), StatusCode::kInvalidArgument) << name;
  }
}

// ---- The claim.

TEST(EpochFileTest, ReadsWhatItWritesAndNothingElse) {
  const Claim claim = {.epoch = 12, .nonce = 0xfedcba9876543210, .owner = "node-7.example.org"};
  const std::string line = EncodeClaim(claim);
  EXPECT_EQ(*DecodeClaim("x", line), claim);
  for (size_t i = 0; i < line.size(); i++) {
    for (const int bit : {0, 3, 6}) {
      std::string flipped = line;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      EXPECT_EQ(DecodeClaim("x", flipped).status().code(), StatusCode::kCorruption) << flipped;
    }
    EXPECT_EQ(DecodeClaim("x", line.substr(0, i)).status().code(), StatusCode::kCorruption);
  }
  EXPECT_EQ(DecodeClaim("x", line + " ").status().code(), StatusCode::kCorruption);
}

TEST(EpochFileTest, KnowsNamesOfEpochs) {
  EXPECT_EQ(EpochFileName(12), "EPOCH-000000000012");
  EXPECT_EQ(ParseEpochFileName("EPOCH-000000000012"), 12u);
  EXPECT_EQ(ParseEpochFolderName("e000000000012"), 12u);
  for (const char* name :
       {"EPOCH-12", "EPOCH-0000000000120", "EPOCH-00000000001x", "e12", "claim-1", "EPOCH-+00000000012"}) {
    EXPECT_FALSE(ParseEpochFileName(name)) << name;
    EXPECT_FALSE(ParseEpochFolderName(name)) << name;
  }
  const std::vector<std::string> names = {"EPOCH-000000000007", "EPOCH-000000000011", "e000000000013", "db"};
  EXPECT_EQ(HighestEpoch(names), 11u);
  EXPECT_EQ(HighestEpoch({}), 0u);
}

}  // namespace
}  // namespace crivello::cluster
