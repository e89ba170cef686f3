// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/graph_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <memory>

#include "base/test_support.h"
#include "graph/array_graph.h"
#include "graph/names/name_list_writer.h"
#include "jobs/graph/graph_folder.h"

namespace crivello::jobs {
namespace {

using testing::HasSubstr;
using testing::Not;

// What SVG says about a text: where it is, and what it is.
struct DrawnText {
  double x = 0;
  std::string anchor;
  std::string text;
};
std::vector<DrawnText> TextsOf(const std::string& svg) {
  std::vector<DrawnText> texts;
  const auto between = [&](size_t from, std::string_view begin, std::string_view end) {
    const size_t at = svg.find(begin, from) + begin.size();
    return svg.substr(at, svg.find(end, at) - at);
  };
  for (size_t at = svg.find("<text "); at != std::string::npos; at = svg.find("<text ", at + 1)) {
    DrawnText text = {.anchor = between(at, "text-anchor=\"", "\""), .text = between(at, ">", "<")};
    const std::string x = between(at, "x=\"", "\"");
    std::from_chars(x.data(), x.data() + x.size(), text.x);
    texts.push_back(text);
  }
  return texts;
}

// A character of a sans-serif font of 12 pixels is 7 pixels wide on average.
double WidthOf(const DrawnText& text) { return 7 * static_cast<double>(text.text.size()); }

TEST(GraphPlotTest, TheTextsOfABowTieOfBillionsOfNodesFit) {
  graph::BowTie bow_tie;
  for (auto& nodes : bow_tie.nodes) nodes = 1'234'567'890;
  const std::string svg = PlotBowTie(bow_tie, "A large web");
  const std::vector<DrawnText> texts = TextsOf(svg);
  ASSERT_EQ(texts.size(), 1 + 2 * graph::kBowTieParts) << svg;
  std::vector<DrawnText> numbers;
  for (const DrawnText& text : texts) {
    ASSERT_EQ(text.anchor, "middle");
    EXPECT_GE(text.x - WidthOf(text) / 2, 0) << text.text;
    EXPECT_LE(text.x + WidthOf(text) / 2, 720) << text.text;
    if (text.text.ends_with("%)")) numbers.push_back(text);
  }
  ASSERT_EQ(numbers.size(), graph::kBowTieParts);
  for (size_t i = 1; i < numbers.size(); i++) {
    EXPECT_GE(numbers[i].x - numbers[i - 1].x, WidthOf(numbers[i])) << "they do not overlap";
  }
}

TEST(GraphPlotTest, LongNamesOfNeighboursDifferAndAreEscaped) {
  const TemporaryFolder folder;
  OpenedGraph graph;
  graph.basename = folder / "g";
  graph.graph = std::make_unique<graph::ArrayGraph>(graph::ArrayGraph::FromArcs(3, {{0, 1}, {0, 2}}));
  auto names = graph::NameListWriter::Create({.path = NamesPath(graph.basename), .form = "other"});
  ASSERT_TRUE(names.ok());
  const std::string long_name(100, 'x');
  for (const std::string& name : {std::string("<a&b>"), long_name + "/1", long_name + "/2"})
    ASSERT_TRUE(names->Add(name).ok());
  ASSERT_TRUE(names->Finish().ok());
  graph.names.emplace(Mapped<graph::NameList>::Open(NamesPath(graph.basename)).value());

  const std::string svg = PlotNeighbourhood(graph, 0, {.successors = {1, 2}, .predecessors = {}}, 10);
  EXPECT_THAT(svg, HasSubstr("&lt;a&amp;b&gt;"));
  EXPECT_THAT(svg, Not(HasSubstr("<a&b>")));
  EXPECT_THAT(svg, HasSubstr("0 links to it, 2 links from it"));
  std::vector<std::string> ends;
  for (const DrawnText& text : TextsOf(svg)) {
    EXPECT_LE(text.text.size(), 44u);
    if (text.text.starts_with("xxx")) ends.push_back(text.text.substr(text.text.size() - 2));
  }
  EXPECT_THAT(ends, testing::ElementsAre("/1", "/2"));
  EXPECT_THAT(PlotNeighbourhood(graph, 0, {.successors = {1}, .predecessors = {1}}, 10),
              HasSubstr("1 link to it, 1 link from it"));
}

}  // namespace
}  // namespace crivello::jobs
