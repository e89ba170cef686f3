// SPDX-License-Identifier: Apache-2.0
#include "serve/dashboard/shape_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>

#include "serve/http/target.h"
#include "serve/pages/page_frame.h"
#include "serve/pages/wording.h"

namespace crivello::serve {
namespace {

// The size of all pictures, in their own units.
constexpr double kShapeWidth = 640, kShapeHeight = 300;
constexpr double kShapeLeft = 46, kShapeRight = 14, kShapeTop = 16, kShapeBottom = 40;
constexpr double kPlotWidth = kShapeWidth - kShapeLeft - kShapeRight;
constexpr double kPlotHeight = kShapeHeight - kShapeTop - kShapeBottom;

std::string Percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

// Draws the pictures and tables of one shape.
class ShapeWriter {
 public:
  ShapeWriter(HtmlWriter& html, const WebShape& shape) : html_(html), shape_(shape) {}

  void WriteBowTie() {
    Section("Bow tie",
            "The core is the largest set of pages that reach one another. Pages of “in” reach it, pages of "
            "“out” are reached from it.");
    OpenPicture("The bow tie; the table below has the same data");
    const double middle = kShapeHeight / 2;
    // The area of each part is proportional to its share.
    const auto size = [this](std::string_view name) {
      const double share = ShareOf(name);
      return share > 0 ? 24 + 200 * std::sqrt(share) : 0;
    };
    const double core = size("core") / 2;
    html_.Element(
        "circle",
        {{"class", "line-0"}, {"cx", Number(kShapeWidth / 2)}, {"cy", Number(middle)}, {"r", Number(core)}},
        "");
    for (const bool is_out : {false, true}) {
      const double length = size(is_out ? "out" : "in");
      const double direction = is_out ? 1 : -1;
      const double near = kShapeWidth / 2 + direction * core;
      const double far = near + direction * length;
      html_.Element("path",
                    {{"class", "wing"},
                     {"d", fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z", near,
                                       middle - core / 3, far, middle - length / 2, far, middle + length / 2,
                                       near, middle + core / 3)}},
                    "");
      Label(near + direction * length / 2, kShapeHeight - 8, is_out ? "out" : "in", "middle");
    }
    Label(kShapeWidth / 2, kShapeHeight - 8, "core", "middle");
    html_.Close();
    OpenRows("Bow tie", {"part", "pages", "share"});
    for (const WebShape::Part& part : shape_.bow_tie)
      Row({part.name, Grouped(part.pages), Percent(ShareOf(part.name))});
    CloseRows();
    EndSection();
  }

  void WriteDegrees() {
    Section("Links of a page",
            "How many pages have each number of links, on logarithmic axes: links that they have, and links "
            "that lead to them. Pages without links are in the table only.");
    OpenPicture("Degrees; the table below has the same data");
    double most_value = 10, most_pages = 10;
    for (const auto* series : {&shape_.outdegrees, &shape_.indegrees}) {
      for (const WebShape::Point& point : *series) {
        most_value = std::max(most_value, static_cast<double>(point.value));
        most_pages = std::max(most_pages, static_cast<double>(point.pages));
      }
    }
    const double decades_x = std::ceil(std::log10(most_value)), decades_y = std::ceil(std::log10(most_pages));
    for (double decade = 0; decade <= decades_x; decade++)
      Label(kShapeLeft + kPlotWidth * decade / decades_x, kShapeHeight - kShapeBottom + 16,
            Grouped(static_cast<uint64_t>(std::pow(10, decade))), "middle");
    for (double decade = 0; decade <= decades_y; decade++)
      Label(
          kShapeLeft - 6, kShapeTop + kPlotHeight * (1 - decade / decades_y) + 4,
          decade < 4 ? Grouped(static_cast<uint64_t>(std::pow(10, decade))) : fmt::format("1e{:.0f}", decade),
          "end");
    Axes();
    WritePoints(shape_.outdegrees, decades_x, decades_y, "line-0");
    WritePoints(shape_.indegrees, decades_x, decades_y, "line-1");
    html_.Element(
        "text",
        {{"class", "line-0"}, {"x", Number(kShapeWidth - kShapeRight)}, {"y", "26"}, {"text-anchor", "end"}},
        "links of a page");
    html_.Element(
        "text",
        {{"class", "line-1"}, {"x", Number(kShapeWidth - kShapeRight)}, {"y", "42"}, {"text-anchor", "end"}},
        "links to a page");
    html_.Close();
    OpenRows("Links of a page", {"links", "pages that have so many", "pages with so many to them"});
    const auto out = ByPowers(shape_.outdegrees), in = ByPowers(shape_.indegrees);
    for (size_t bin = 0; bin < std::max(out.size(), in.size()); bin++) {
      const uint64_t first = bin == 0 ? 0 : uint64_t{1} << (bin - 1);
      const uint64_t last = bin == 0 ? 0 : 2 * first - 1;
      Row({first == last ? Grouped(first) : Grouped(first) + " to " + Grouped(last),
           Grouped(bin < out.size() ? out[bin] : 0), Grouped(bin < in.size() ? in[bin] : 0)});
    }
    CloseRows();
    EndSection();
  }

  void WriteDistances() {
    Section(
        "Distances",
        fmt::format("How many links a reader has to follow from a page to another that can be reached. "
                    "On average {:.2f}; 90% of the pairs are within {:.2f}. {} of all pairs are connected. "
                    "Estimated by HyperBall, with a standard error of {} in the number of pairs.",
                    shape_.average_distance, shape_.effective_distance, Percent(shape_.reachable),
                    Percent(std::isfinite(shape_.error) ? shape_.error : 0)));
    OpenPicture("Distances; the table below has the same data");
    const size_t shown = ShownDistances();
    double most = 0;
    for (size_t i = 0; i < shown; i++) most = std::max(most, shape_.distances[i]);
    const double width = kPlotWidth / static_cast<double>(std::max<size_t>(shown, 1));
    const size_t step = shown / 16 + 1;
    for (size_t i = 0; i < shown; i++) {
      const double height = most > 0 ? kPlotHeight * std::max(shape_.distances[i], 0.0) / most : 0;
      const double x = kShapeLeft + width * static_cast<double>(i);
      html_.Element("rect",
                    {{"class", "line-0"},
                     {"x", Number(x + 0.1 * width)},
                     {"y", Number(kShapeTop + kPlotHeight - height)},
                     {"width", Number(0.8 * width)},
                     {"height", Number(height)}},
                    "");
      if (i % step == 0) Label(x + width / 2, kShapeHeight - kShapeBottom + 16, std::to_string(i), "middle");
    }
    Label(kShapeLeft - 6, kShapeTop + 4, Percent(most), "end");
    Axes();
    html_.Close();
    OpenRows("Distances", {"distance", "share of the pairs"});
    for (size_t i = 0; i < shown; i++) Row({std::to_string(i), Percent(std::max(shape_.distances[i], 0.0))});
    CloseRows();
    EndSection();
  }

  void WriteHosts() {
    Section("Hosts with the best rank",
            fmt::format("{} and {} between them. The rank is a PageRank of the graph of hosts.",
                        Counted(shape_.hosts, "host", "hosts"), Counted(shape_.host_links, "link", "links")));
    if (shape_.best_hosts.empty()) {
      html_.Element("p", {{"class", "about"}},
                    "The hosts have no rank yet. “crivello up” computes it in the background; “crivello rank "
                    "pagerank --level host --as host-pagerank” at once.");
    } else {
      OpenTable("Hosts with the best rank", {"rank", "host", "value"});
      for (const WebShape::Host& host : shape_.best_hosts) {
        html_.Open("tr");
        html_.Element("td", {{"class", "n"}}, Grouped(host.place));
        html_.Open("th", {{"scope", "row"}});
        html_.Element("a", {{"href", Target("/").With("q", "site:" + host.host).text()}}, host.host);
        html_.Close();
        html_.Element("td", {{"class", "n"}}, fmt::format("{:.3g}", host.value));
        html_.Close();
      }
      CloseTable();
    }
    EndSection();
  }

 private:
  static std::string Number(double number) { return fmt::format("{:.1f}", number); }

  double ShareOf(std::string_view name) const {
    for (const WebShape::Part& part : shape_.bow_tie) {
      if (part.name == name && shape_.pages > 0)
        return static_cast<double>(part.pages) / static_cast<double>(shape_.pages);
    }
    return 0;
  }
  // The long paths of a few pages would leave no room for the others.
  size_t ShownDistances() const {
    double sum = 0;
    for (size_t i = 0; i < shape_.distances.size(); i++) {
      sum += shape_.distances[i];
      if (sum > 0.999) return i + 1;
    }
    return shape_.distances.size();
  }
  // Bin 0: none; bin i: from 2^(i-1) to 2^i - 1.
  static std::vector<uint64_t> ByPowers(const std::vector<WebShape::Point>& points) {
    std::vector<uint64_t> bins;
    for (const WebShape::Point& point : points) {
      const auto bin = static_cast<size_t>(std::bit_width(point.value));
      if (bins.size() <= bin) bins.resize(bin + 1);
      bins[bin] += point.pages;
    }
    return bins;
  }

  void Section(std::string_view heading, std::string_view about) {
    html_.Open("section", {{"class", "wide"}});
    html_.Element("h2", {}, heading);
    html_.Element("p", {{"class", "about"}}, about);
  }
  void EndSection() { html_.Close(); }
  void OpenPicture(std::string_view label) {
    html_.Open("svg", {{"class", "shape"},
                       {"viewbox", fmt::format("0 0 {} {}", kShapeWidth, kShapeHeight)},
                       {"role", "img"},
                       {"aria-label", label}});
  }
  void Label(double x, double y, std::string_view text, std::string_view anchor) {
    html_.Element("text", {{"x", Number(x)}, {"y", Number(y)}, {"text-anchor", anchor}}, text);
  }
  void Axes() {
    html_.Element("path",
                  {{"class", "axes"},
                   {"d", fmt::format("M{} {}V{}H{}", kShapeLeft, kShapeTop, kShapeTop + kPlotHeight,
                                     kShapeWidth - kShapeRight)}},
                  "");
  }
  // Points too close to be told apart are drawn once.
  void WritePoints(const std::vector<WebShape::Point>& points, double decades_x, double decades_y,
                   std::string_view series) {
    std::set<std::pair<int, int>> drawn;
    for (const WebShape::Point& point : points) {
      if (point.value == 0) continue;
      const double x = kShapeLeft + kPlotWidth * std::log10(static_cast<double>(point.value)) / decades_x;
      const double y =
          kShapeTop + kPlotHeight * (1 - std::log10(static_cast<double>(point.pages)) / decades_y);
      if (!drawn.emplace(static_cast<int>(x), static_cast<int>(y)).second) continue;
      html_.Element("circle", {{"class", series}, {"cx", Number(x)}, {"cy", Number(y)}, {"r", "2.2"}}, "");
    }
  }
  void OpenTable(std::string_view label, std::initializer_list<std::string_view> columns) {
    html_.Open("div", {{"class", "scrolls"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", label}});
    html_.Open("table", {{"class", "rows"}});
    html_.Open("thead");
    html_.Open("tr");
    for (const std::string_view column : columns) html_.Element("th", {{"scope", "col"}}, column);
    html_.Close();
    html_.Close();
    html_.Open("tbody");
  }
  void CloseTable() {
    html_.Close();
    html_.Close();
    html_.Close();
  }
  void OpenRows(std::string_view label, std::initializer_list<std::string_view> columns) {
    html_.Open("details");
    html_.Element("summary", {}, "The same as a table");
    OpenTable(label, columns);
  }
  void Row(std::initializer_list<std::string> cells) {
    html_.Open("tr");
    bool is_first = true;
    for (const std::string& cell : cells) {
      html_.Element("td", {{"class", "n", !is_first}}, cell);
      is_first = false;
    }
    html_.Close();
  }
  void CloseRows() {
    CloseTable();
    html_.Close();
  }

  HtmlWriter& html_;
  const WebShape& shape_;
};

}  // namespace

HttpResponse ShapePage(const WebShape& shape) {
  HtmlWriter html = BeginPage({.title = "Shape of the web – Crivello"}, "board");
  html.Open("div", {{"class", "board-head"}});
  html.Element("h1", {}, "Shape of the crawled web");
  html.Open("p", {{"class", "idle"}});
  html.Text(
      fmt::format("{}, {} between them and {}, as of {}. The state of the crawl is on the ",
                  Counted(shape.pages, "page", "pages"), Counted(shape.links, "link", "links"),
                  Counted(shape.components, "strongly connected component", "strongly connected components"),
                  MomentOf(shape.time)));
  html.Element("a", {{"href", "/dashboard"}}, "dashboard");
  html.Text(", its hosts are on the page of ");
  html.Element("a", {{"href", "/hosts"}}, "hosts");
  html.Text(".");
  html.Close();
  html.Close();
  ShapeWriter writer(html, shape);
  writer.WriteBowTie();
  writer.WriteDegrees();
  writer.WriteDistances();
  writer.WriteHosts();
  return EndPage(std::move(html));
}

}  // namespace crivello::serve
