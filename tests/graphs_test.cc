// SPDX-License-Identifier: Apache-2.0
// From a crawl to graphs, ranks and files of other programs, and back.
#include <cstring>
#include <filesystem>
#include <map>

#include "crawl_scenario.h"

namespace crivello {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class GraphsScenario : public CrawlScenario {
 protected:
  std::string File(const std::string& name) const { return folder_ / name; }
  // The single JSON object that the command printed.
  json Object() const {
    const std::vector<json> lines = Lines();
    EXPECT_EQ(lines.size(), 1u) << Text("out");
    return lines.empty() ? json() : lines.front();
  }
  static std::string Bytes(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(GraphsScenario, ACrawlBecomesGraphsRanksAndFilesOfOtherPrograms) {
  ASSERT_EQ(Run(CrawlArguments()), 0) << Text("err");
  EXPECT_EQ(Run({"graph", "stats"}), 4);
  EXPECT_THAT(Text("err"), HasSubstr("graph build"));
  const std::vector<std::string> pages = RowsWith(200);

  ASSERT_EQ(Run({"--json", "graph", "build"}), 0) << Text("err");
  std::map<std::string, json> built;
  for (const json& line : Lines()) built[line["level"]] = line;
  ASSERT_EQ(built.size(), 3u);
  EXPECT_GT(built["page"]["nodes"], 50u);
  EXPECT_LE(built["page"]["nodes"], built["page"]["rows"]);
  EXPECT_GT(built["page"]["arcs"], built["page"]["nodes"]);
  EXPECT_GE(built["host"]["nodes"], 8u);
  EXPECT_GE(built["host"]["links"], built["host"]["arcs"]);

  ASSERT_EQ(Run({"--json", "graph", "stats"}), 0) << Text("err");
  json stats = Object();
  EXPECT_EQ(stats["nodes"], built["page"]["nodes"]);
  EXPECT_EQ(stats["arcs"], built["page"]["arcs"]);
  EXPECT_GT(stats["bits_per_link"], 0.1);
  EXPECT_LT(stats["bits_per_link"], 32);

  ASSERT_EQ(Run({"--json", "graph", "components", "--level", "host"}), 0) << Text("err");
  const json parts = Object();
  EXPECT_EQ(parts["kind"], "strong");
  EXPECT_GE(parts["components"], 1u);
  EXPECT_LE(parts["largest"], built["host"]["nodes"]);
  EXPECT_EQ(parts["sizes"][0], parts["largest"]);

  // A page with links, and a page that it links to.
  ASSERT_EQ(Run({"--json", "graph", "neighbours", pages.front()}), 0) << Text("err");
  const json near = Object();
  EXPECT_EQ(near["name"], pages.front());
  ASSERT_FALSE(near["successors"].empty());
  ASSERT_EQ(Run({"--json", "graph", "neighbours", near["successors"][0].get<std::string>()}), 0);
  EXPECT_GE(Object()["indegree"], 1u);
  EXPECT_EQ(Run({"graph", "neighbours", "https://nowhere.test/"}), 4);

  // Both methods agree, and report a bound on their error.
  std::map<std::string, std::vector<double>> ranks;
  for (const std::string method : {"power", "gauss-seidel"}) {
    ASSERT_EQ(Run({"--json", "rank", "pagerank", "--method", method, "--save", File(method), "--as",
                   "pagerank", "--top", "5"}),
              0)
        << Text("err");
    const std::vector<json> lines = Lines();
    ASSERT_EQ(lines.size(), 6u);
    EXPECT_EQ(lines[0]["rank"], 1);
    EXPECT_THAT(lines[0]["url"].get<std::string>(), testing::StartsWith("http"));
    EXPECT_GE(lines[0]["value"], lines[1]["value"]);
    EXPECT_EQ(lines[5]["event"], "done");
    EXPECT_LE(lines[5]["error"], 1e-9);
    const std::string bytes = Bytes(File(method));
    ranks[method].resize(bytes.size() / sizeof(double));
    std::memcpy(ranks[method].data(), bytes.data(), bytes.size());
  }
  ASSERT_EQ(ranks["power"].size(), built["page"]["nodes"]);
  double sum = 0;
  for (size_t i = 0; i < ranks["power"].size(); i++) {
    EXPECT_NEAR(ranks["power"][i], ranks["gauss-seidel"][i], 3e-9);
    sum += ranks["power"][i];
  }
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_TRUE(fs::exists(folder_ / "collection/ranks/pagerank"));
  ASSERT_EQ(Run({"--json", "inspect", File("collection/ranks/pagerank")}), 0);
  EXPECT_EQ(Object()["names"], "pages");
  for (const std::string name : {"../x", "PageRank", "a_b"}) {
    EXPECT_EQ(Run({"rank", "pagerank", "--as", name}), 2);
    EXPECT_THAT(Text("err"), HasSubstr("expected a lower-case letter")) << name;
  }

  for (const std::string name : {"none", "date", "bisection", "inlinks"}) {
    EXPECT_EQ(Run({"rank", "pagerank", "--as", name}), 2);
    EXPECT_THAT(Text("err"), HasSubstr("choose another name")) << name;
  }

  // Exports to Common Crawl's files and imports them again.
  for (const std::string kind : {"harmonic", "pagerank"}) {
    ASSERT_EQ(Run({"--json", "rank", kind, "--level", "host", "--save", File(kind)}), 0) << Text("err");
  }
  ASSERT_EQ(Run({"graph", "export", "--level", "host", "--format", "common-crawl", "--to", File("cc"),
                 "--harmonic", File("harmonic"), "--pagerank", File("pagerank")}),
            0)
      << Text("err");
  ASSERT_EQ(Run({"graph", "import", "--vertices", File("cc-vertices.txt.gz"), "--edges",
                 File("cc-edges.txt.gz"), "--to", File("again")}),
            0)
      << Text("err");
  for (const char* const ending : {".graph", ".offsets", ".urls"}) {
    EXPECT_EQ(Bytes(File(std::string("again") + ending)),
              Bytes(File(std::string("collection/graph/hosts") + ending)))
        << ending;
  }
  ASSERT_EQ(Run({"--json", "graph", "import", "--ranks", File("cc-ranks.txt.gz"), "--as", "cc"}), 0)
      << Text("err");
  EXPECT_EQ(Object()["found"], built["host"]["nodes"]);

  // Exports and imports text, reorders and restores, converts formats: the graph stays the same.
  for (const std::string format : {"arcs", "ascii"}) {
    ASSERT_EQ(Run({"graph", "export", "--format", format, "--to", File("text")}), 0) << Text("err");
    ASSERT_EQ(Run({"graph", "import", "--" + format, File("text"), "--to", File("back"), "--nodes",
                   std::to_string(built["page"]["nodes"].get<int>())}),
              0)
        << Text("err");
    EXPECT_EQ(Bytes(File("back.graph")), Bytes(File("collection/graph/pages.graph"))) << format;
  }
  const std::vector<std::vector<std::string>> steps = {
      {"graph", "permute", "--order", "random", "--seed", "7", "--to", File("shuffled")},
      {"graph", "permute", "--graph", File("shuffled"), "--order", "name", "--to", File("sorted")},
      {"graph", "transpose", "--graph", File("sorted"), "--to", File("t")},
      {"graph", "transpose", "--graph", File("t"), "--to", File("tt")},
      {"graph", "compress", "--graph", File("tt"), "--to", File("ef"), "--format", "ef"},
      {"graph", "compress", "--graph", File("ef"), "--to", File("bv")}};
  for (const auto& step : steps) ASSERT_EQ(Run(step), 0) << Text("err");
  EXPECT_EQ(Bytes(File("bv.graph")), Bytes(File("collection/graph/pages.graph")));
  EXPECT_EQ(Bytes(File("bv.urls")), Bytes(File("collection/graph/pages.urls")));
  EXPECT_EQ(Run({"graph", "transpose", "--graph", File("t"), "--to", File("t")}), 2);

  // Uniting a graph with its transpose equals symmetrising; the subgraphs of some hosts and of all others
  // have all nodes together.
  for (const auto& step :
       {std::vector<std::string>{"graph", "union", "--with", File("t"), "--to", File("union")},
        std::vector<std::string>{"graph", "symmetrise", "--to", File("both")}}) {
    ASSERT_EQ(Run(step), 0) << Text("err");
  }
  EXPECT_EQ(Bytes(File("union.graph")), Bytes(File("both.graph")));
  EXPECT_EQ(Bytes(File("union.urls")), Bytes(File("both.urls")));
  EXPECT_EQ(Run({"graph", "union", "--level", "host", "--with", File("t"), "--to", File("no")}), 2);
  uint64_t kept = 0;
  for (const std::string part : {"--quiet", "--except"}) {
    ASSERT_EQ(Run({"--json", "graph", "subgraph", "--host", "tessera.test", "--to", File("part"), part}), 0)
        << Text("err");
    kept += Object()["nodes"].get<uint64_t>();
    const std::string of_host = "http://manual.tessera.test:" + std::to_string(server_->port()) + "/";
    EXPECT_EQ(Run({"graph", "neighbours", "--graph", File("part"), of_host}), part == "--except" ? 4 : 0);
  }
  EXPECT_EQ(kept, built["page"]["nodes"]);
  EXPECT_EQ(Run({"graph", "subgraph", "--host", "nowhere.test", "--to", File("part")}), 4);

  for (const std::string what : {"degrees", "distances", "bow-tie", "neighbourhood"}) {
    ASSERT_EQ(Run({"graph", "plot", what, "--level", "host", "--node", "0", "--to", File("plot.svg")}), 0)
        << Text("err");
    EXPECT_THAT(Text("plot.svg"), testing::AllOf(testing::StartsWith("<svg"), testing::EndsWith("</svg>\n")));
  }

  // Forgotten pages are in no file, and ranks are kept.
  ASSERT_EQ(Run({"forget", pages.front(), "--reason", "a test"}), 0) << Text("err");
  EXPECT_EQ(Run({"graph", "neighbours", pages.front()}), 4);
  EXPECT_FALSE(fs::exists(folder_ / "collection/graph/pages.graph"));
  ASSERT_EQ(Run({"--json", "inspect", File("collection/graph/pages.urls")}), 0);
  EXPECT_EQ(Object()["removed"], 1u);
  ASSERT_EQ(Run({"graph", "build", "--level", "page"}), 0) << Text("err");
  EXPECT_EQ(Run({"graph", "neighbours", pages.front()}), 4);
}

// A user's own values, and ranks of hosts, count in search like ranks of pages.
TEST_F(GraphsScenario, RanksOfOnesOwnAndOfHostsCountInSearch) {
  ASSERT_EQ(Run(CrawlArguments()), 0) << Text("err");
  ASSERT_EQ(Run({"graph", "build"}), 0) << Text("err");
  ASSERT_EQ(Run({"--json", "graph", "stats", "--level", "host", "--distances", "--runs", "4"}), 0);
  const json paths = Object()["paths"];
  EXPECT_EQ(paths["runs"], 4);
  EXPECT_GT(paths["average_distance"]["value"], 0.5);
  EXPECT_GE(paths["effective_distance"]["standard_error"], 0);
  EXPECT_EQ(paths["distribution"].size(), paths["neighbourhood_function"].size());

  ASSERT_EQ(Run({"rank", "harmonic", "--level", "host", "--runs", "2", "--as", "of-hosts"}), 0)
      << Text("err");
  ASSERT_EQ(Run({"rank", "harmonic", "--level", "domain", "--as", "of-domains"}), 0) << Text("err");
  ASSERT_EQ(Run({"--json", "rank", "pagerank", "--level", "host", "--save", File("doubles")}), 0);
  ASSERT_EQ(Run({"rank", "import", File("doubles"), "--doubles", "--level", "host", "--as", "doubles"}), 0)
      << Text("err");
  // One of the pages about tea, whatever its words.
  ASSERT_EQ(Run({"index"}), 0) << Text("err");
  ASSERT_EQ(Run({"--json", "search", "-n", "5", "tea"}), 0) << Text("err");
  const json about = Lines().front()["results"];
  ASSERT_GE(about.size(), 3u);
  const std::string chosen = about[2]["url"];
  std::ofstream(File("mine")) << "# of my own\n"
                              << chosen << "\t1000\n"
                              << about[0]["url"].get<std::string>() << " 1\n"
                              << about[1]["url"].get<std::string>() << " 1\n";
  ASSERT_EQ(Run({"--json", "rank", "import", File("mine"), "--as", "mine"}), 0) << Text("err");
  EXPECT_EQ(Object()["found"], 3u);
  std::ofstream(File("wrong")) << chosen << " much\n";
  EXPECT_EQ(Run({"rank", "import", File("wrong"), "--as", "wrong"}), 3);
  EXPECT_THAT(Text("err"), testing::AllOf(HasSubstr("line 1"), HasSubstr("much")));
  // A surfer who nearly always starts at that page, and rarely follows links.
  ASSERT_EQ(Run({"--json", "rank", "pagerank", "--alpha", "0.1", "--preference", File("mine"), "--top", "1"}),
            0)
      << Text("err");
  EXPECT_EQ(Lines().front()["url"], chosen);

  ASSERT_EQ(Run({"index"}), 0) << Text("err");
  ASSERT_EQ(Run({"--json", "search", "--sort", "mine", "-n", "1", "tea"}), 0) << Text("err");
  EXPECT_EQ(Lines().front()["results"][0]["url"], chosen);
  for (const std::string rank : {"of-hosts", "of-domains", "doubles"}) {
    ASSERT_EQ(Run({"--json", "search", "--static", rank, "-n", "3", "tea"}), 0) << Text("err");
    EXPECT_FALSE(Lines().front()["results"].empty());
  }
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

}  // namespace
}  // namespace crivello
