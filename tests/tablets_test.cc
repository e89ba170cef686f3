// SPDX-License-Identifier: Apache-2.0
// A collection of several tablets does all that one of a single tablet does, with the same results; and a
// tablet that lost what was acknowledged is refused.
#include <algorithm>
#include <filesystem>
#include <thread>

#include "crawl_scenario.h"

namespace crivello {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;

class TabletsScenario : public CrawlScenario {
 protected:
  std::vector<std::string> CrawlInto(const std::string& tablets) const {
    std::vector<std::string> arguments = CrawlArguments();
    arguments.insert(arguments.end(), {"--tablets", tablets});
    return arguments;
  }
  fs::path Collection() const { return folder_ / "collection"; }

  // All that a user sees of a collection.
  struct Seen {
    std::map<std::string, int> rows;
    std::map<std::string, std::vector<std::pair<std::string, double>>> answers;  // URL and score, by query
  };
  Seen Look() const {
    Seen seen;
    seen.rows = Rows();
    EXPECT_EQ(Run({"index", "--quiet"}), 0) << Text("err");
    for (const char* query : {"bread", "bees honey", "\"the\"", "title:bread OR water", "site:example"}) {
      Run({"search", "--json", "-n", "50", query});
      for (const json& line : Lines()) {
        for (const json& result : line["results"]) {
          if (server_->web().IsTrap(std::string(result["url"]))) continue;
          seen.answers[query].emplace_back(result["url"], result["score"]);
        }
      }
      // Equal scores may come in another order.
      std::sort(seen.answers[query].begin(), seen.answers[query].end());
    }
    EXPECT_EQ(Run({"check"}), 0) << Text("out");
    return seen;
  }
};

TEST_F(TabletsScenario, FourHoldAndAnswerWhatOneDoes) {
  ASSERT_EQ(Run(CrawlInto("1")), 0) << Text("err");
  const Seen one = Look();
  EXPECT_GT(one.rows.size(), 100u);
  EXPECT_FALSE(one.answers.at("bread").empty());
  fs::rename(Collection(), folder_ / "one");

  ASSERT_EQ(Run(CrawlInto("4")), 0) << Text("err");
  EXPECT_TRUE(fs::is_directory(Collection() / "tablets/t-10/archive"));
  const Seen four = Look();
  EXPECT_EQ(four.rows, one.rows);
  // Which of several copies is shown depends on which was fetched first; all other results are the same.
  for (const auto& [query, answers] : one.answers) {
    size_t same = 0;
    const auto& others = four.answers.at(query);
    for (const auto& answer : answers) {
      same += static_cast<size_t>(std::count(others.begin(), others.end(), answer));
    }
    EXPECT_GE(10 * same, 8 * answers.size()) << query;
  }

  ASSERT_EQ(Run({"backup", folder_ / "backups"}), 0) << Text("err");
  const std::string gone = one.rows.begin()->first;
  ASSERT_EQ(Run({"forget", gone, "--reason", "a test"}), 0) << Text("err");
  EXPECT_THAT(Rows(), Not(Contains(Key(gone))));
  fs::remove_all(Collection());
  ASSERT_EQ(Run({"restore", folder_ / "backups"}), 0) << Text("err");
  EXPECT_EQ(Rows(), one.rows);
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

// A log that is cut looks like one that a crash tore: the crawl went on and ended with a tenth of its pages.
TEST_F(TabletsScenario, RefuseToGoOnWithACutDatabase) {
  const pid_t crawler = Start(CrawlInto("2"));
  // The one that is written to: that with the greatest number.
  const auto log = [&] {
    fs::path newest;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(Collection() / "tablets/t-0/db", error)) {
      if (entry.path().extension() == ".log") newest = std::max(newest, entry.path());
    }
    return newest;
  };
  std::error_code error;
  for (int i = 0; i < 6000; ++i) {
    const fs::path live = log();
    if (!live.empty() && fs::file_size(live, error) > 100'000 && !error) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(crawler, SIGKILL);
  Wait(crawler);
  const fs::path cut = log();
  ASSERT_FALSE(cut.empty());
  // By so much that commits go which were acknowledged, and not only the one that was under way.
  fs::resize_file(cut, fs::file_size(cut) / 20);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Run(CrawlInto("2")), 3) << "opening it changes nothing";
    EXPECT_THAT(Text("err"), HasSubstr(cut.parent_path().string()));
  }
  EXPECT_EQ(Run({"scan", "--json"}), 3);
  EXPECT_EQ(Run({"check"}), 1);
  EXPECT_THAT(Text("out"), HasSubstr("was acknowledged"));
  ASSERT_EQ(Run({"check", "--repair"}), 0) << Text("err");
  EXPECT_GT(Rows().size(), 10u);
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

}  // namespace
}  // namespace crivello
