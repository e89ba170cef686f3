// SPDX-License-Identifier: Apache-2.0
// Copies, near-copies and a mirror, from the crawl to the search results.
#include <filesystem>
#include <map>
#include <set>

#include "crawl_scenario.h"

namespace crivello {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class DuplicatesScenario : public CrawlScenario {
 protected:
  std::string Url(const std::string& host, const std::string& path) const {
    return "http://" + host + ":" + std::to_string(server_->port()) + path;
  }
  // For the two pages, the sentences of `why` of that kind.
  std::string Why(const std::string& kind, const std::vector<std::string>& urls) const {
    std::string details;
    for (const std::string& url : urls) {
      EXPECT_EQ(Run({"--json", "why", url}), 0) << Text("err");
      const json answer = Lines().front();
      for (const json& event : answer["events"]) {
        if (event["kind"] == kind) details += event["detail"].get<std::string>() + "\n";
      }
    }
    return details;
  }
  // The clusters, by representative, and the summary.
  std::map<std::string, std::set<std::string>> Clusters(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--json", "dups", "--all", "--clusters"});
    EXPECT_EQ(Run(more), 0) << Text("err");
    std::map<std::string, std::set<std::string>> clusters;
    for (const json& line : Lines()) {
      if (line.contains("event")) {
        summary_ = line;
        continue;
      }
      for (const json& member : line["members"])
        clusters[line["representative"]["url"]].insert(member["url"]);
    }
    return clusters;
  }
  std::map<std::string, std::string> FilesOfDuplicates() const {
    std::map<std::string, std::string> files;
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(folder_ / "collection/duplicates")) {
      if (!file.is_regular_file()) continue;
      std::ifstream bytes(file.path(), std::ios::binary);
      files[file.path().string()] = {std::istreambuf_iterator<char>(bytes), {}};
    }
    return files;
  }

  json summary_;
};

TEST_F(DuplicatesScenario, CopiesAreMarkedInTheCrawlFoundInTheCollectionAndFoldedInSearch) {
  ASSERT_EQ(Run(CrawlArguments()), 0) << Text("err");
  const std::string tea = Url("pocket-almanac.test", "/kitchen/tea.html");
  const std::string other_tea = Url("webring.test", "/reading/tea.html");
  const std::string install = Url("manual.tessera.test", "/install.html");
  const std::string mirrored = Url("tessera-mirror.test", "/install.html");
  // The one fetched second names the other and the distance.
  EXPECT_THAT(Why("near-copy-of", {tea, other_tea}), HasSubstr("is a near-copy of http://"));
  EXPECT_THAT(Why("near-copy-of", {install, mirrored}), HasSubstr(": 0 of 64 bits"));
  EXPECT_THAT(Why("near-copy-of", {Url("pocket-almanac.test", "/sea/knots.html"),
                                   Url("pocket-almanac.test", "/print/knots.html")}),
              HasSubstr("is a near-copy of"));
  ASSERT_EQ(Run({"--json", "report"}), 0);
  std::string mirror;
  for (const json& line : Lines()) {
    if (line.contains("host") && line["mirror_of"] != "") {
      mirror += line["host"].get<std::string>() + " of " + line["mirror_of"].get<std::string>();
    }
  }
  EXPECT_THAT(mirror, testing::AnyOf("tessera-mirror.test of manual.tessera.test",
                                     "manual.tessera.test of tessera-mirror.test"));

  EXPECT_EQ(Run({"dups", tea}), 1);
  EXPECT_THAT(Text("err"), HasSubstr("dups --all"));
  const auto clusters = Clusters();
  std::map<std::string, std::string> representatives;
  for (const auto& [representative, members] : clusters) {
    for (const std::string& member : members) representatives[member] = representative;
  }
  EXPECT_EQ(representatives[tea], representatives[other_tea]);
  // The URLs have the same length, so it is the one fetched first.
  const std::string standing = representatives[install];
  const std::string other = standing == install ? mirrored : install;
  EXPECT_THAT(standing, testing::AnyOf(install, mirrored));
  EXPECT_EQ(representatives[mirrored], standing);
  EXPECT_THAT(representatives[Url("biblioteca-valdombra.test", "/orari.html")], Not(IsEmpty()));
  const uint64_t n = summary_["documents"];
  EXPECT_EQ(summary_["n_squared"], n * n);
  EXPECT_EQ(summary_["comparisons"].get<uint64_t>() + summary_["avoided"].get<uint64_t>(), n * (n - 1) / 2);
  EXPECT_LT(summary_["comparisons"].get<uint64_t>(), n * n / 10);
  EXPECT_THAT(Why("near-duplicate", {other}), HasSubstr("for which " + standing + " stands"));
  EXPECT_THAT(Why("near-duplicates", {standing}), HasSubstr("it stands for 1 page"));

  ASSERT_EQ(Run({"--json", "dups", other_tea}), 0) << Text("err");
  EXPECT_EQ(Lines().front()["b"]["url"], tea);
  EXPECT_GT(Lines().front()["similarity"], 0.7);
  ASSERT_EQ(Run({"--json", "dups", "--mirrors"}), 0) << Text("err");
  ASSERT_EQ(Lines().size(), 1u);
  EXPECT_THAT(Lines().front().dump(),
              testing::AllOf(HasSubstr("tessera-mirror.test"), HasSubstr("manual.tessera.test")));

  // When killed at any moment, it leaves the same files.
  const auto files = FilesOfDuplicates();
  for (const int microseconds : {0, 20'000, 60'000}) {
    std::filesystem::remove_all(folder_ / "collection/duplicates/shingles");
    const pid_t child = Start({"dups", "--all"});
    usleep(static_cast<useconds_t>(microseconds));
    kill(child, SIGKILL);
    Wait(child);
    EXPECT_EQ(Clusters(), clusters) << microseconds;
    const auto again = FilesOfDuplicates();
    for (const auto& [file, bytes] : files)
      EXPECT_TRUE(again.contains(file) && again.at(file) == bytes) << file;
    for (const auto& [file, bytes] : again) EXPECT_TRUE(files.contains(file)) << file;
  }

  ASSERT_EQ(Run({"index"}), 0) << Text("err");
  ASSERT_EQ(Run({"--json", "search", "-n", "100", "tea water leaves"}), 0) << Text("err");
  int shown = 0;
  const json found = Lines().front();
  for (const json& result : found["results"]) {
    const bool is_tea = result["url"] == tea || result["url"] == other_tea;
    shown += is_tea ? 1 : 0;
    if (is_tea) {
      EXPECT_THAT(result["duplicates"].dump(), HasSubstr("tea.html"));
    }
  }
  EXPECT_EQ(shown, 1);

  // An export names the cluster of each page; --unique exports one page of each cluster.
  const auto exported = [this](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "export");
    EXPECT_EQ(Run(arguments), 0) << Text("err");
    std::map<std::string, json> pages;
    for (const json& line : Lines()) pages[line["url"]] = line;
    return pages;
  };
  const auto all_pages = exported({"--jsonl"}), unique = exported({"--jsonl", "--unique"});
  EXPECT_EQ(all_pages.at(other)["near_duplicates"]["representative"], standing);
  EXPECT_EQ(all_pages.at(standing)["near_duplicates"]["pages"], 2);
  EXPECT_TRUE(unique.contains(standing));
  EXPECT_FALSE(unique.contains(other));
  for (const auto& [url, page] : all_pages) {
    const bool stands = !page.contains("near_duplicates") || page["near_duplicates"]["representative"] == url;
    EXPECT_TRUE(unique.contains(url) || !stands) << url;
    EXPECT_TRUE(!unique.contains(url) || stands) << url;
  }
  EXPECT_EQ(Run({"export", "--ciff", "x", "--unique"}), 2);

  // After it was forgotten, a page is in no cluster and no file.
  ASSERT_EQ(Run({"check"}), 0) << Text("out");
  ASSERT_EQ(Run({"forget", standing, "--reason", "asked"}), 0) << Text("err");
  EXPECT_THAT(Why("near-duplicate", {other}), IsEmpty());
  for (const auto& [file, bytes] : FilesOfDuplicates())
    EXPECT_EQ(bytes.find("install.html"), std::string::npos) << file;
  for (const auto& [representative, members] : Clusters()) EXPECT_FALSE(members.contains(standing));
}

}  // namespace
}  // namespace crivello
