// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/bv_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/conformance.h"
#include "base/fault_file_system.h"
#include "base/test_support.h"
#include "bits/bit_stream.h"
#include "graph/array_graph.h"
#include "graph/bv/bv_encoder.h"
#include "graph/bv/bv_graph.h"
#include "graph/bv/bv_source.h"
#include "graph/bv/bv_test_support.h"

namespace crivello::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint32_t kNoLimit = BvParameters::kNoLimit;

struct SharedGraph {
  const char* name;
  bool exact;  // compressing it again gives the same bytes
};
const SharedGraph kSharedGraphs[] = {
    {"graphs/cnr-2000-llp/cnr-2000", true},   {"graphs/cnr-2000-llp/cnr-2000-hc", true},
    {"graphs/cnr-2000-llp/cnr-2000-t", true}, {"graphs/cnr-2000-url/cnr-2000", true},
    {"graphs/small/wb-cs.stanford", false},   {"graphs/small/harvard500", false},
    {"graphs/small/harvard500-cc", false},
};

// "" if the graph is missing.
std::string SharedBasename(const std::string& name) {
  const std::string path = SharedPath(name + ".graph");
  return path.substr(0, path.size() - std::min(path.size(), std::string(".graph").size()));
}

// Some files are padded with zeros, to a multiple of 8 bytes or of another number.
void ExpectSameBytesButPadding(const std::string& ours, const std::string& theirs) {
  ASSERT_LE(ours.size(), theirs.size());
  EXPECT_EQ(ours, theirs.substr(0, ours.size()));
  EXPECT_LT(theirs.size() - ours.size(), 16u);
  EXPECT_EQ(theirs.find_first_not_of('\0', ours.size()), std::string::npos);
}

TEST(BvWriterTest, WritesTheBytesOfWebGraph) {
  if (SharedBasename(kSharedGraphs[0].name).empty()) GTEST_SKIP() << "skipped: no ../shared/graphs";
  TemporaryFolder folder;
  for (const SharedGraph& shared : kSharedGraphs) {
    SCOPED_TRACE(shared.name);
    const std::string basename = SharedBasename(shared.name);
    const auto graph = BvGraph::Open(basename);
    ASSERT_TRUE(graph.ok()) << graph.status().ToString();
    const auto stats =
        WriteBvGraph(**graph, folder / "g", {.parameters = (*graph)->parameters(), .threads = 2});
    ASSERT_TRUE(stats.ok()) << stats.status().ToString();
    const std::string ours = ReadWholeFile(folder / "g.graph");
    if (!shared.exact) {
      EXPECT_NEAR(static_cast<double>(ours.size()), static_cast<double>((*graph)->graph_bytes()),
                  static_cast<double>((*graph)->graph_bytes()) / 20);
      continue;
    }
    ExpectSameBytesButPadding(ours, ReadWholeFile(basename + ".graph"));
    ExpectSameBytesButPadding(ReadWholeFile(folder / "g.offsets"), ReadWholeFile(basename + ".offsets"));
    // Compares the properties as maps: everything in theirs that ours supports.
    const auto their_text = ReadJavaProperties(basename + ".properties");
    const auto our_text = ReadJavaProperties(folder / "g.properties");
    ASSERT_TRUE(their_text.ok() && our_text.ok());
    if (!their_text->contains("copiedarcs")) continue;  // written by an older WebGraph, with other digits
    for (const auto& [key, value] : *their_text) {
      ASSERT_TRUE(our_text->contains(key)) << key;
      const std::string& own = our_text->at(key);
      if (key.ends_with("avgloggap")) {
        EXPECT_NEAR(std::stod(own), std::stod(value), 1e-12) << key;
      } else {
        EXPECT_EQ(own, value) << key;
      }
    }
  }
}

TEST(BvWriterTest, WritesGraphsOfTheSizesThatWebGraphWrites) {
  const std::string llp = SharedBasename("graphs/cnr-2000-llp/cnr-2000");
  const std::string url = SharedBasename("graphs/cnr-2000-url/cnr-2000");
  if (llp.empty() || url.empty()) GTEST_SKIP() << "skipped: no ../shared/graphs";
  const struct {
    std::string basename;
    BvParameters parameters;
    uint64_t bytes;
  } cases[] = {{llp, {.max_ref_count = kNoLimit}, 1005573},
               {llp, {.window = 0, .max_ref_count = 0, .min_interval = 0}, 2253860},
               {llp, {.window = 16}, 1207273},
               {url, {}, 1428607}};
  TemporaryFolder folder;
  for (const auto& c : cases) {
    const auto graph = BvGraph::Open(c.basename);
    ASSERT_TRUE(graph.ok());
    const auto stats = WriteBvGraph(**graph, folder / "g", {.parameters = c.parameters});
    ASSERT_TRUE(stats.ok());
    EXPECT_EQ((stats->graph_bits() + 7) / 8, c.bytes);
  }
}

TEST(BvWriterTest, DecodesEveryArcOfTheSharedGraphs) {
  const std::string url = SharedBasename("graphs/cnr-2000-url/cnr-2000");
  const std::string text = SharedPath("graphs/cnr-2000-url/cnr-2000.graph-txt.gz");
  if (url.empty() || text.empty()) GTEST_SKIP() << "skipped: no ../shared/graphs";
  const auto judge = ReadGzippedAscii(text);
  ASSERT_EQ(judge.nodes(), 325557u);
  ASSERT_EQ(judge.arcs(), 3216152u);
  for (const uint64_t jump : {1u, 64u}) {
    const auto graph = BvGraph::Open(url, {.jump = jump});
    ASSERT_TRUE(graph.ok());
    const auto copy = ArrayGraph::Copy(**graph);
    ASSERT_TRUE(copy.ok()) << copy.status().ToString();
    EXPECT_TRUE(*copy == judge);
    auto reader = (*graph)->Reader();
    ASSERT_TRUE(reader.ok());
    for (uint64_t node = 0; node < judge.nodes(); node += jump == 1 ? 1 : 17) {
      const auto list = (*reader)->Successors(static_cast<Node>(node));
      ASSERT_TRUE(list.ok()) << list.status().ToString();
      ASSERT_TRUE(std::ranges::equal(*list, judge.Successors(static_cast<Node>(node))));
    }
  }
}

TEST(BvWriterTest, CnrAndItsTransposeAndItsHighCompressionAgree) {
  const std::string llp = SharedBasename("graphs/cnr-2000-llp/cnr-2000");
  if (llp.empty()) GTEST_SKIP() << "skipped: no ../shared/graphs";
  const auto open = [](const std::string& basename) {
    return ArrayGraph::Copy(**BvGraph::Open(basename, {.offsets = BvOffsetsFrom::kNowhere})).value();
  };
  const ArrayGraph graph = open(llp);
  EXPECT_TRUE(graph == open(llp + "-hc"));
  // The transpose, by counting.
  const ArrayGraph transpose = open(llp + "-t");
  std::vector<uint64_t> at(graph.nodes(), 0);
  for (uint64_t node = 0; node < graph.nodes(); node++) {
    for (const Node target : graph.Successors(static_cast<Node>(node))) {
      const auto list = transpose.Successors(target);
      ASSERT_LT(at[target], list.size());
      ASSERT_EQ(list[at[target]++], node);
    }
  }
  EXPECT_EQ(graph.arcs(), transpose.arcs());
}

TEST(BvWriterTest, GivesEqualBytesWithAnyNumberOfThreads) {
  const ArrayGraph graph = WebLikeGraph(3000, 5);
  TemporaryFolder folder;
  for (const uint32_t max_ref_count : {3u, kNoLimit}) {
    const BvParameters parameters = {.max_ref_count = max_ref_count};
    ASSERT_TRUE(WriteBvGraph(graph, folder / "one", {.parameters = parameters}).ok());
    for (const unsigned threads : {2u, 3u, 7u}) {
      ASSERT_TRUE(WriteBvGraph(graph, folder / "some", {.parameters = parameters, .threads = threads}).ok());
      for (const char* extension : {".graph", ".offsets", ".properties"}) {
        EXPECT_EQ(ReadWholeFile(folder / "one" + extension), ReadWholeFile(folder / "some" + extension));
      }
    }
  }
}

// A plain version of WebGraph's rules: writes the full records of all candidates and compares them.
TEST(BvWriterTest, ChoosesTheReferencesThatTheRulesSay) {
  for (const uint64_t seed : {6u, 7u}) {
    const ArrayGraph graph = WebLikeGraph(400, seed);
    const BvParameters parameters = {.window = 5, .max_ref_count = 2, .min_interval = 3};
    BvEncoder encoder(parameters);
    bits::BitWriter expected;
    std::vector<uint32_t> chains(graph.nodes(), 0);
    for (uint64_t node = 0; node < graph.nodes(); node++) {
      const auto list = graph.Successors(static_cast<Node>(node));
      uint64_t best = 0;
      uint64_t least = ~uint64_t{0};
      for (uint64_t distance = 0; distance <= std::min<uint64_t>(5, node) && !list.empty(); distance++) {
        const auto reference = graph.Successors(static_cast<Node>(node - distance));
        if (distance > 0 && (reference.empty() || chains[node - distance] >= 2)) continue;
        bits::BitWriter bits;
        BvStats stats;
        const uint64_t length = encoder.Write(node, list, distance, reference, bits, stats);
        if (length >= least) continue;
        least = length;
        best = distance;
      }
      if (best > 0) chains[node] = chains[node - best] + 1;
      BvStats stats;
      encoder.Write(node, list, best, graph.Successors(static_cast<Node>(node - best)), expected, stats);
    }
    TemporaryFolder folder;
    ASSERT_TRUE(WriteBvGraph(graph, folder / "g", {.parameters = parameters}).ok());
    const Bytes bytes = expected.Finish();
    EXPECT_EQ(ReadWholeFile(folder / "g.graph"),
              std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
}

struct CopiedList {
  std::string copy_list;  // one bit for each successor of the reference: whether it is copied
  std::vector<Node> extras;
};

// Encodes a list by a reference and reads it back, code by code.
CopiedList EncodeAndRead(const ArrayGraph& graph, Node node, uint64_t distance) {
  const BvParameters parameters = {.min_interval = 0};
  BvEncoder encoder(parameters);
  bits::BitWriter writer;
  BvStats stats;
  const auto reference = graph.Successors(static_cast<Node>(node - distance));
  encoder.Write(node, graph.Successors(node), distance, reference, writer, stats);
  FastSource<3> source(writer.Finish(), parameters.codes);
  const uint64_t outdegree = source.Outdegree();
  EXPECT_EQ(source.Reference(), distance);
  CopiedList result;
  const uint64_t blocks = source.BlockCount();
  for (uint64_t i = 0; i < blocks; i++) {
    result.copy_list.append(source.Block() + (i > 0 ? 1 : 0), i % 2 == 0 ? '1' : '0');
  }
  result.copy_list.append(reference.size() - result.copy_list.size(), blocks % 2 == 0 ? '1' : '0');
  const auto copied = static_cast<uint64_t>(std::ranges::count(result.copy_list, '1'));
  for (uint64_t i = copied; i < outdegree; i++) {
    const uint64_t x = source.Residual();
    const uint64_t first = x % 2 == 0 ? node + x / 2 : node - (x + 1) / 2;
    result.extras.push_back(static_cast<Node>(i == copied ? first : result.extras.back() + x + 1));
  }
  return result;
}

TEST(BvWriterTest, TheCopyListsOfTheNotesAreTheirs) {
  const ArrayGraph graph = NotesGraph();
  const CopiedList of_16 = EncodeAndRead(graph, 16, 1);
  EXPECT_EQ(of_16.copy_list, "01110011010");
  EXPECT_THAT(of_16.extras, ElementsAre(22, 316, 317, 3041));
  const CopiedList of_18 = EncodeAndRead(graph, 18, 3);
  EXPECT_EQ(of_18.copy_list, "11110000000");
  EXPECT_THAT(of_18.extras, ElementsAre(50));
}

TEST(BvWriterTest, RefusesWhatIsNoGraph) {
  TemporaryFolder folder;
  auto writer = BvWriter::Create(folder / "g");
  ASSERT_TRUE(writer.ok());
  EXPECT_FALSE(writer->Add(std::vector<Node>{2, 1}).ok());
  ASSERT_TRUE(writer->Add(std::vector<Node>{0, 1}).ok());
  EXPECT_THAT(writer->Finish().status().message(), HasSubstr("an arc to node 1"));
  EXPECT_FALSE(BvGraph::Open(folder / "g").ok());
  EXPECT_FALSE(BvWriter::Create(folder / "g", {.parameters = {.little_endian = true}}).ok());
  EXPECT_FALSE(
      BvWriter::Create(folder / "g", {.parameters = {.codes = {.residuals = {BvCode::Kind::kOmega}}}}).ok());
}

TEST(BvWriterTest, WritesAnEmptyGraphAndOneOfSinksOnly) {
  TemporaryFolder folder;
  for (const uint64_t nodes : {0u, 1u, 100u}) {
    ASSERT_TRUE(WriteBvGraph(ArrayGraph::FromArcs(nodes, {}), folder / "g").ok());
    const auto graph = BvGraph::Open(folder / "g");
    ASSERT_TRUE(graph.ok()) << graph.status().ToString();
    EXPECT_TRUE(ArrayGraph::Copy(**graph).value() == ArrayGraph::FromArcs(nodes, {}));
  }
}

TEST(BvWriterTest, StopsWhenAskedAndLeavesTheGraphThatWasThere) {
  TemporaryFolder folder;
  const ArrayGraph small = WebLikeGraph(100, 8);
  ASSERT_TRUE(WriteBvGraph(small, folder / "g").ok());
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = WriteBvGraph(ArrayGraph::FromArcs(40000, {}), folder / "g", {},
                                    {.progress = nullptr, .stop = stop.get_token()});
  EXPECT_EQ(stopped.status().code(), StatusCode::kUnavailable);
  EXPECT_TRUE(ArrayGraph::Copy(**BvGraph::Open(folder / "g")).value() == small);
}

TEST(BvWriterTest, LeavesOneGraphOrNoneAfterAnyFailedWrite) {
  TemporaryFolder folder;
  const ArrayGraph before = WebLikeGraph(100, 9);
  const ArrayGraph after = WebLikeGraph(90, 10);
  int failures = 0;
  for (uint64_t fail_at = 1;; fail_at++) {
    ASSERT_TRUE(WriteBvGraph(before, folder / "g").ok());
    FaultFileSystem fs({.fail_at = fail_at, .tear = true});
    const auto written = WriteBvGraph(after, folder / "g", {}, {}, fs);
    if (!written.ok()) failures++;
    const auto graph = BvGraph::Open(folder / "g");
    if (graph.ok()) {
      const ArrayGraph left = ArrayGraph::Copy(**graph).value();
      EXPECT_TRUE(left == after || left == before) << fs.failed();
    } else {
      EXPECT_EQ(graph.status().code(), StatusCode::kNotFound) << fs.failed();
      EXPECT_FALSE(written.ok());
    }
    if (fs.changes() < fail_at) {
      EXPECT_TRUE(written.ok());
      break;
    }
  }
  EXPECT_GT(failures, 8);
}

}  // namespace
}  // namespace crivello::graph
