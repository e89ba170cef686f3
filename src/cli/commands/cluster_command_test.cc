// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/cli_test_support.h"

namespace crivello::cli {
namespace {

using testing::HasSubstr;

std::vector<nlohmann::json> ObjectsIn(const std::string& text) {
  std::vector<nlohmann::json> objects;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) objects.push_back(nlohmann::json::parse(line));
  return objects;
}

TEST(ClusterCommandTest, AssignsEachTabletWithinTheBound) {
  const Outcome run = Crivello({"--json", "cluster", "assign", "--agent", "red", "--agent", "green",
                                "--agent", "blue", "--tablets", "64", "--epsilon", "0"});
  ASSERT_EQ(run.code, kDone) << run.err;
  std::map<std::string, int> loads;
  for (const auto& row : ObjectsIn(run.out)) {
    loads[row["owner"]]++;
    EXPECT_EQ(row["then"].size(), 2u);
  }
  EXPECT_EQ(loads.size(), 3u);
  for (const auto& [agent, load] : loads) EXPECT_LE(load, 22) << agent;
}

TEST(ClusterCommandTest, ShowsTheNextInTheChainWhenTheOwnerIsGone) {
  const auto owner = [](const std::vector<std::string>& agents) {
    std::vector<std::string> words = {"--json",     "cluster",    "assign",
                                      "--function", "consistent", "example.org"};
    for (const auto& agent : agents) words.insert(words.end(), {"--agent", agent});
    return ObjectsIn(Crivello(words).out).at(0);
  };
  std::vector<std::string> agents = {"red=2", "green", "blue"};
  const auto first = owner(agents);
  const std::string gone = first["owner"];
  std::erase_if(agents, [&](const std::string& agent) { return agent.starts_with(gone); });
  EXPECT_EQ(owner(agents)["owner"], first["then"][0]);
}

TEST(ClusterCommandTest, SimulatesAndPlots) {
  const TemporaryFolder folder;
  const std::vector<std::string> words = {"cluster",          "assign", "--simulate", "--agents", "5",
                                          "--keys",           "5k",     "--clusters", "2",        "--plot",
                                          folder / "plot.svg"};
  const Outcome table = Crivello(words);
  ASSERT_EQ(table.code, kDone) << table.err;
  EXPECT_THAT(table.out, HasSubstr("permutation"));
  EXPECT_THAT(table.out, HasSubstr("no bound"));
  EXPECT_THAT(*ReadFile(folder / "plot.svg"), HasSubstr("</svg>"));
  std::vector<std::string> as_json = words;
  as_json.insert(as_json.begin(), "--json");
  std::map<std::string, int> experiments;
  for (const auto& row : ObjectsIn(Crivello(as_json).out)) {
    experiments[row["experiment"]]++;
    EXPECT_EQ(row["agents"], 5);
    if (row["experiment"] == "functions" && row["function"] == "modulo") {
      EXPECT_NEAR(row["moved_by_join"].get<double>(), 5.0 / 6, 0.05);
    }
  }
  EXPECT_EQ(experiments.size(), 3u);
}

TEST(ClusterCommandTest, ProbesAFolder) {
  const TemporaryFolder folder;
  const Outcome run = Crivello({"--json", "cluster", "probe", folder.path()});
  ASSERT_EQ(run.code, kDone) << run.err;
  for (const auto& row : ObjectsIn(run.out)) EXPECT_NE(row["verdict"], "bad") << row;
  EXPECT_THAT(Crivello({"cluster", "probe", folder.path()}).out, HasSubstr("hard links"));
  EXPECT_EQ(Crivello({"cluster", "probe", folder.path(), "--wait", "x"}).code, kWrongUsage);
}

TEST(ClusterCommandTest, SaysWhatIsWrong) {
  const auto says = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"cluster", "assign"});
    const Outcome run = Crivello(words);
    EXPECT_EQ(run.code, kWrongUsage);
    return run.err;
  };
  EXPECT_THAT(says({"--tablets", "3"}), HasSubstr("power of two"));
  EXPECT_THAT(says({"--agent", "a=x"}), HasSubstr("invalid weight in 'a=x'"));
  EXPECT_THAT(says({"--agent", "a=2"}), HasSubstr("only 'consistent' supports weights"));
  EXPECT_THAT(says({"--function", "dice"}), HasSubstr("dice"));
  EXPECT_THAT(says({"--agents", "0"}), HasSubstr("no agents"));
}

}  // namespace
}  // namespace crivello::cli
