// SPDX-License-Identifier: Apache-2.0
#include "jobs/exchange/common_crawl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/test_support.h"
#include "graph/array_graph.h"
#include "graph/bv/bv_graph.h"
#include "graph/names/name_list_writer.h"
#include "jobs/exchange/packed_lines.h"
#include "jobs/graph/graph_folder.h"
#include "jobs/graph/graph_names.h"
#include "jobs/graph/graph_store.h"

namespace crivello::jobs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void Write(const std::string& path, const std::string& bytes) {
  ASSERT_TRUE(WriteFileAtomically(path, AsBytes(bytes)).ok());
}
// Compressed by the program gzip.
std::string Packed(const std::string& text, const TemporaryFolder& folder) {
  auto writer = PackedTextWriter::Create(folder / "packed").value();
  EXPECT_TRUE(writer.Append(text).ok());
  EXPECT_TRUE(writer.Finish().ok());
  return ReadFile(folder / "packed").value();
}

std::vector<std::string> LinesOf(const std::string& bytes, Status* status) {
  PackedLines lines = PackedLines::Of(bytes, "test");
  std::vector<std::string> all;
  while (lines.Next()) all.emplace_back(lines.line());
  *status = lines.status();
  return all;
}

constexpr std::string_view kVertices = "0\tcom.a\n1\tcom.a.www\n2\torg.b\n3\tuk.co.c\n";
constexpr std::string_view kEdges = "0\t1\n0\t2\n2\t0\n2\t2\n3\t0\n";

class CommonCrawlTest : public testing::Test {
 protected:
  void SetUp() override {
    Write(folder_ / "v.txt.gz", Packed(std::string(kVertices), folder_));
    Write(folder_ / "e.txt.gz", Packed(std::string(kEdges), folder_));
  }
  Result<CommonCrawlSummary> Import(const std::vector<std::string>& vertices,
                                    const std::vector<std::string>& edges, uint64_t memory = 1 << 20) {
    CommonCrawlImportOptions options = {.to = folder_ / "g", .memory_bytes = memory};
    for (const std::string& name : vertices) options.vertices.push_back(folder_ / name);
    for (const std::string& name : edges) options.edges.push_back(folder_ / name);
    return ImportCommonCrawl(options, progress_);
  }
  Result<OpenedGraph> Opened() { return OpenGraphFiles(folder_ / "g"); }

  TemporaryFolder folder_;
  SilentProgress progress_;
};

TEST_F(CommonCrawlTest, LinesAreTheSameWhateverTheirMembersAndWithoutCompression) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  SeededRandom random(seed);
  std::vector<std::string> lines;
  std::string text;
  for (int i = 0; i < 5000; i++) {
    lines.push_back(std::string(random.Below(random.Below(50) == 0 ? 5000 : 60), 'x') + std::to_string(i));
    text += lines.back() + "\n";
  }
  std::string members;
  for (size_t at = 0; at < text.size();) {
    const size_t piece = 1 + random.Below(text.size() / 3);
    members += Packed(text.substr(at, piece), folder_);
    at += piece;
  }
  Status status;
  for (const std::string& bytes : {text, Packed(text, folder_), members, text.substr(0, text.size() - 1)}) {
    EXPECT_EQ(LinesOf(bytes, &status), lines);
    EXPECT_EQ(status, Status::Ok());
  }
  EXPECT_THAT(LinesOf("", &status), testing::IsEmpty());
  LinesOf(std::string(PackedLines::kMaxLineBytes + 10, 'x'), &status);
  EXPECT_EQ(status.code(), StatusCode::kCorruption);
  LinesOf(members + "more", &status);
  EXPECT_THAT(status.message(), HasSubstr("not compressed"));
  LinesOf(members.substr(0, members.size() - 3), &status);
  EXPECT_THAT(status.message(), HasSubstr("damaged or truncated"));
}

TEST_F(CommonCrawlTest, AReleaseComesInAndGoesOut) {
  const auto summary = Import({"v.txt.gz"}, {"e.txt.gz"});
  ASSERT_TRUE(summary.ok()) << summary.status().ToString();
  EXPECT_EQ(summary->nodes, 4u);
  EXPECT_EQ(summary->arcs, 5u);
  const auto graph = Opened();
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  EXPECT_EQ(graph->Display(1), "www.a.com");
  EXPECT_EQ(graph->Find("c.co.uk").value(), 3u);
  EXPECT_EQ(graph->Find("www.b.org").value(), 2u);  // without "www."
  EXPECT_EQ(graph->Find("2").value(), 2u);
  EXPECT_EQ(graph->Find("d.org").status().code(), StatusCode::kNotFound);

  const std::vector<double> harmonic = {3, 1, 2.5, 0};
  const std::vector<double> pagerank = {0.25, 0.125, 0.5, 0.125};
  ASSERT_EQ(ExportCommonCrawl(*graph->graph, **graph->names,
                              {.to = folder_ / "out", .harmonic = harmonic, .pagerank = pagerank}, progress_),
            Status::Ok());
  const auto text = [this](const std::string& name) {
    Status status;
    std::string all;
    for (const std::string& line : LinesOf(ReadFile(folder_ / ("out-" + name)).value(), &status))
      all += line + "\n";
    EXPECT_EQ(status, Status::Ok());
    return all;
  };
  EXPECT_EQ(text("vertices.txt.gz"), kVertices);
  EXPECT_EQ(text("edges.txt.gz"), kEdges);
  EXPECT_EQ(text("outdegrees-indegrees.txt.gz"),
            "2\t2\tcom.a\n0\t1\tcom.a.www\n2\t2\torg.b\n1\t0\tuk.co.c\n");
  EXPECT_EQ(
      text("ranks.txt.gz"),
      "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\n"
      "1\t3\t2\t0.25\tcom.a\n2\t2.5\t1\t0.5\torg.b\n3\t1\t3\t0.125\tcom.a.www\n4\t0\t4\t0.125\tuk.co.c\n");

  const auto ranks = ReadCommonCrawlRanks(folder_ / "out-ranks.txt.gz", **graph->names, {}, progress_);
  ASSERT_TRUE(ranks.ok()) << ranks.status().ToString();
  EXPECT_EQ(ranks->harmonic, harmonic);
  EXPECT_EQ(ranks->pagerank, pagerank);
  EXPECT_EQ(ranks->found, 4u);
}

TEST_F(CommonCrawlTest, EdgesComeInAnyOrderInManyPartsAndALineMayRepeat) {
  std::filesystem::create_directories(folder_ / "parts");
  Write(folder_ / "parts/part-1.txt.gz", Packed("3\t0\n2\t2\n0\t2\n", folder_));
  Write(folder_ / "part-2.txt.gz", Packed("0\t1\n2\t0\n0\t2\n", folder_));
  Write(folder_ / "e.paths.gz", Packed("parts/part-1.txt.gz\nsomewhere/else/part-2.txt.gz\n", folder_));
  Write(folder_ / "e.paths", "nowhere/part-3.txt.gz\n");
  for (const uint64_t memory : {uint64_t{1} << 20, uint64_t{100}}) {
    ASSERT_TRUE(Import({"v.txt.gz"}, {"e.txt.gz"}, memory).ok());
    const std::string expected = ReadFile(folder_ / "g.graph").value();
    const auto summary = Import({"v.txt.gz"}, {"e.paths.gz"}, memory);
    ASSERT_TRUE(summary.ok()) << summary.status().ToString();
    EXPECT_EQ(summary->lines, 6u);
    EXPECT_EQ(summary->arcs, 5u);
    EXPECT_EQ(ReadFile(folder_ / "g.graph").value(), expected);
  }
  const auto missing = Import({"v.txt.gz"}, {"e.paths"});
  EXPECT_EQ(missing.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(missing.status().message(), HasSubstr("part-3.txt.gz"));
}

TEST_F(CommonCrawlTest, ALineThatIsNotOfTheFormatIsRefusedWithItsFileAndNumber) {
  const auto refused = [this](const std::string& vertices, const std::string& edges) {
    Write(folder_ / "v", vertices);
    Write(folder_ / "e", edges);
    const auto summary = Import({"v"}, {"e"});
    EXPECT_EQ(summary.status().code(), StatusCode::kCorruption);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "g.properties"));
    return summary.status().message();
  };
  const std::string vertices(kVertices);
  EXPECT_THAT(refused("0\tcom.a\n2\torg.b\n", ""), HasSubstr("/v: line 2: expected node 1, found 2"));
  EXPECT_THAT(refused("zero\tcom.a\n", ""), HasSubstr("line 1: expected the number of a node, found 'zero'"));
  EXPECT_THAT(refused("0\t\n", ""), HasSubstr("expected a host"));
  EXPECT_THAT(refused("0\tcom.a\tmany\n", ""), HasSubstr("expected a number of hosts, found 'many'"));
  EXPECT_THAT(refused("0\tcom.a\t1\t2\n", ""), HasSubstr("expected the end of the line"));
  EXPECT_THAT(refused(vertices, "0\t1\n0\t4\n"), HasSubstr("/e: line 2: there is no vertex 4"));
  EXPECT_THAT(refused(vertices, "0 1\n"), HasSubstr("found '0 1'"));
  EXPECT_THAT(refused(vertices, "\n"), HasSubstr("found ''"));
  Write(folder_ / "v", "0\tcom.a\n1\tcom.a\n");
  EXPECT_THAT(Import({"v"}, {"e.txt.gz"}).status().message(),
              testing::AnyOf(HasSubstr("two nodes"), HasSubstr("vertex")));
}

TEST_F(CommonCrawlTest, RanksOfAReleaseAreGivenToTheHostsOfACollection) {
  ASSERT_TRUE(Import({"v.txt.gz"}, {"e.txt.gz"}).ok());
  const auto graph = Opened();
  ASSERT_TRUE(graph.ok());
  // www.b.org and c.co.uk match b.org and (in a release that keeps "www.") themselves; the others do not
  // occur.
  Write(folder_ / "ranks.txt",
        "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts\n"
        "1\t9\t1\t0.5\tcom.google\t7\n2\t8\t---\t---\torg.b.www\t1\n3\t7\t2\t0.25\tcom.a\n");
  const auto ranks = ReadCommonCrawlRanks(folder_ / "ranks.txt", **graph->names, {}, progress_);
  ASSERT_TRUE(ranks.ok()) << ranks.status().ToString();
  EXPECT_THAT(ranks->harmonic, ElementsAre(7, 7, 8, 0));
  EXPECT_THAT(ranks->pagerank, ElementsAre(0.25, 0.25, 0, 0));
  EXPECT_EQ(ranks->found, 3u);
  EXPECT_EQ(ranks->lines, 3u);
  // Nothing would be ranked, so a rank that was imported before is not replaced.
  Write(folder_ / "ranks.txt", "1\t9\t1\t0.5\tcom.elsewhere\n");
  const auto none = ReadCommonCrawlRanks(folder_ / "ranks.txt", **graph->names, {}, progress_);
  EXPECT_EQ(none.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(none.status().message(), HasSubstr("none of its 1 lines names a node"));
  auto pages = graph::NameListWriter::Create({.path = folder_ / "p.urls", .form = std::string(kRowKeyForm)});
  ASSERT_TRUE(pages.ok() && pages->Add("com,a)https/").ok() && pages->Finish().ok());
  const auto of_pages = Mapped<graph::NameList>::Open(folder_ / "p.urls");
  EXPECT_THAT(ReadCommonCrawlRanks(folder_ / "ranks.txt", **of_pages, {}, progress_).status().message(),
              HasSubstr("these are ranks of hosts"));
  for (const char* const bad : {"1\tnan\t1\t0.5\tcom.a\n", "1\t9\t1\tcom.a\n", "first\t9\t1\t0.5\tcom.a\n"}) {
    Write(folder_ / "ranks.txt", bad);
    EXPECT_THAT(ReadCommonCrawlRanks(folder_ / "ranks.txt", **graph->names, {}, progress_).status().message(),
                HasSubstr("ranks.txt: line 1: expected"));
  }
}

TEST_F(CommonCrawlTest, EveryFlippedByteIsRefusedOrReadWithinBounds) {
  uint64_t refused = 0;
  for (const std::string name : {"v.txt.gz", "e.txt.gz", "v.txt", "e.txt"}) {
    const bool vertices = name.starts_with("v");
    if (!name.ends_with(".gz")) Write(folder_ / name, std::string(vertices ? kVertices : kEdges));
    const std::string bytes = ReadFile(folder_ / name).value();
    for (size_t i = 0; i < bytes.size(); i++) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (i % 2 == 0 ? 1 : 0x20));
      Write(folder_ / name, damaged);
      const auto summary = vertices ? Import({name}, {"e.txt.gz"}) : Import({"v.txt.gz"}, {name});
      refused += summary.ok() ? 0 : 1;
      if (!summary.ok()) {
        EXPECT_EQ(summary.status().code(), StatusCode::kCorruption) << summary.status().ToString();
        continue;
      }
      const auto graph = Opened();
      ASSERT_TRUE(graph.ok()) << graph.status().ToString();
      EXPECT_EQ(graph->graph->nodes(), summary->nodes);
      EXPECT_TRUE(graph::ArrayGraph::Copy(*graph->graph).ok());
    }
    Write(folder_ / name, bytes);
  }
  EXPECT_GT(refused, 60u);
}

TEST_F(CommonCrawlTest, EveryFlippedByteOfRanksIsRefusedOrReadWithinBounds) {
  ASSERT_TRUE(Import({"v.txt.gz"}, {"e.txt.gz"}).ok());
  const auto graph = Opened();
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  const std::string lines =
      "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts\n"
      "1\t9\t1\t0.5\tcom.google\t7\n2\t8\t---\t---\torg.b.www\t1\n3\t7\t2\t0.25\tcom.a\n";
  uint64_t refused = 0;
  for (size_t i = 0; i < lines.size(); i++) {
    for (const int bit : {0x01, 0x10, 0x80}) {
      std::string damaged = lines;
      damaged[i] = static_cast<char>(damaged[i] ^ bit);
      Write(folder_ / "ranks.txt", damaged);
      const auto ranks = ReadCommonCrawlRanks(folder_ / "ranks.txt", **graph->names, {}, progress_);
      refused += ranks.ok() ? 0 : 1;
      if (ranks.ok()) {
        EXPECT_EQ(ranks->harmonic.size(), graph->graph->nodes());
        EXPECT_LE(ranks->found, graph->graph->nodes());
      } else {
        EXPECT_EQ(ranks.status().code(), StatusCode::kCorruption) << ranks.status().ToString();
      }
    }
  }
  EXPECT_GT(refused, 60u);
}

TEST_F(CommonCrawlTest, CountsTheHostsOfEachDomain) {
  const auto list = [this](const std::string& name, const std::vector<std::string>& names) {
    graph::NameListBuilder builder({.folder = folder_ / "sort"});
    for (const std::string& host : names) EXPECT_TRUE(builder.Add(host).ok());
    EXPECT_TRUE(builder.WriteTo({.path = folder_ / name, .form = std::string(kHostForm)}).ok());
    return Mapped<graph::NameList>::Open(folder_ / name).value();
  };
  const auto hosts = list("h", {"127.0.0.1", "com.a", "com.a.www", "uk.co.c.x", "uk.co.c.y.z"});
  const auto domains = list("d", {"127.0.0.1", "com.a", "uk.co.c"});
  EXPECT_THAT(CountHosts(*hosts, *domains).value(), ElementsAre(1, 2, 2));
}

}  // namespace
}  // namespace crivello::jobs
