// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/graph_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace crivello::jobs {
namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 480;
constexpr double kMargin = 60;
constexpr std::array<std::string_view, 4> kColours = {"#0b6e99", "#c2410c", "#4d7c0f", "#7e22ce"};

std::string EscapeXml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        // Names are ASCII; any other byte would make the document malformed.
        escaped += static_cast<uint8_t>(c) < 0x20 || static_cast<uint8_t>(c) > 0x7e ? '?' : c;
    }
  }
  return escaped;
}

// An SVG document under construction.
class Picture {
 public:
  Picture(double width, double height) {
    Add(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )"
        R"(font-family="sans-serif" font-size="12">)",
        width, height);
    Add(R"(<rect width="{}" height="{}" fill="#ffffff"/>)", width, height);
  }
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  // `anchor` is start, middle or end.
  void Text(double x, double y, std::string_view text, std::string_view anchor = "middle") {
    Add(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", x, y, anchor, EscapeXml(text));
  }
  void Line(double x1, double y1, double x2, double y2, std::string_view colour) {
    Add(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}"/>)", x1, y1, x2, y2, colour);
  }
  void Title(const PlotLabels& labels) {
    Add("<title>{}</title>", EscapeXml(labels.title));
    Text(kWidth / 2, 24, labels.title);
    Text(kWidth / 2, kHeight - 14, labels.x);
    Text(kMargin, 44, labels.y, "start");
    Line(kMargin, kHeight - kMargin, kWidth - kMargin, kHeight - kMargin, "#444444");
    Line(kMargin, kMargin, kMargin, kHeight - kMargin, "#444444");
  }
  std::string Finish() && {
    text_ += "</svg>\n";
    return std::move(text_);
  }

 private:
  std::string text_;
};

// Without its middle, if it is long: pages of a host differ at the end of their URLs.
std::string Short(const std::string& text, size_t limit = 44) {
  if (text.size() <= limit) return text;
  const size_t end = (limit - 3) / 2;
  return text.substr(0, limit - 3 - end) + "..." + text.substr(text.size() - end);
}

std::string Counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

std::string PlotLogLog(std::span<const PlotSeries> series, const PlotLabels& labels) {
  double last_x = 1;
  double last_y = 1;
  for (const PlotSeries& one : series) {
    for (size_t value = 1; value < one.counts.size(); value++) {
      if (one.counts[value] == 0) continue;
      last_x = std::max(last_x, std::log10(static_cast<double>(value)));
      last_y = std::max(last_y, std::log10(static_cast<double>(one.counts[value])));
    }
  }
  last_x = std::ceil(last_x);
  last_y = std::ceil(last_y);
  const auto x = [last_x](double log) { return kMargin + log / last_x * (kWidth - 2 * kMargin); };
  const auto y = [last_y](double log) { return kHeight - kMargin - log / last_y * (kHeight - 2 * kMargin); };
  Picture picture(kWidth, kHeight);
  picture.Title(labels);
  for (int decade = 0; decade <= static_cast<int>(last_x); decade++) {
    picture.Text(x(decade), kHeight - kMargin + 18, fmt::format("1e{}", decade));
  }
  for (int decade = 0; decade <= static_cast<int>(last_y); decade++) {
    picture.Text(kMargin - 8, y(decade) + 4, fmt::format("1e{}", decade), "end");
  }
  for (size_t i = 0; i < series.size(); i++) {
    const std::string_view colour = kColours[i % kColours.size()];
    picture.Add(R"(<g fill="{}">)", colour);
    const double at = kMargin + 16 * static_cast<double>(i);
    picture.Text(kWidth - kMargin, at, series[i].name, "end");
    for (size_t value = 1; value < series[i].counts.size(); value++) {
      if (series[i].counts[value] == 0) continue;
      picture.Add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2"/>)", x(std::log10(static_cast<double>(value))),
                  y(std::log10(static_cast<double>(series[i].counts[value]))));
    }
    picture.Add("</g>");
  }
  return std::move(picture).Finish();
}

std::string PlotBars(std::span<const PlotBar> bars, const PlotLabels& labels) {
  Picture picture(kWidth, kHeight);
  picture.Title(labels);
  double most = 0;
  for (const PlotBar& bar : bars) most = std::max(most, bar.share + bar.error);
  const double width = (kWidth - 2 * kMargin) / static_cast<double>(std::max<size_t>(bars.size(), 1));
  const size_t step = bars.size() / 20 + 1;
  const auto y = [most](double share) {
    return kHeight - kMargin - (most > 0 ? std::max(share, 0.0) / most * (kHeight - 2 * kMargin) : 0);
  };
  for (size_t i = 0; i < bars.size(); i++) {
    const double x = kMargin + static_cast<double>(i) * width;
    const double top = y(bars[i].share);
    picture.Add(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}"/>)", x, top,
                width * 0.8, kHeight - kMargin - top, kColours[0]);
    if (bars[i].error > 0) {
      const double middle = x + width * 0.4;
      picture.Line(middle, y(bars[i].share - bars[i].error), middle, y(bars[i].share + bars[i].error),
                   kColours[1]);
    }
    if (i % step == 0) picture.Text(x + width * 0.4, kHeight - kMargin + 18, std::to_string(i));
  }
  picture.Text(kMargin - 8, kMargin + 4, fmt::format("{:.1f}%", 100 * most), "end");
  return std::move(picture).Finish();
}

std::string PlotBowTie(const graph::BowTie& bow_tie, std::string_view title) {
  using graph::BowTiePart;
  constexpr double kMiddle = kHeight / 2;
  Picture picture(kWidth, kHeight);
  picture.Add("<title>{}</title>", EscapeXml(title));
  picture.Text(kWidth / 2, 24, title);
  // The area of a part is proportional to its share.
  const auto side = [&bow_tie](BowTiePart part) { return 20 + 200 * std::sqrt(bow_tie.Share(part)); };
  const double core = side(BowTiePart::kCore) / 2;
  picture.Add(R"(<circle cx="{}" cy="{}" r="{:.1f}" fill="{}"/>)", kWidth / 2, kMiddle, core, kColours[0]);
  for (const auto& [part, direction, colour] :
       {std::tuple(BowTiePart::kIn, -1.0, kColours[2]), std::tuple(BowTiePart::kOut, 1.0, kColours[1])}) {
    const double length = side(part);
    const double near = kWidth / 2 + direction * core;
    const double far = near + direction * length;
    picture.Add(R"(<polygon points="{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}" fill="{}"/>)",
                near, kMiddle - core / 3, far, kMiddle - length / 2, far, kMiddle + length / 2, near,
                kMiddle + core / 3, colour);
  }
  // A column of equal width for each part, numbers below the name, so that billions of nodes fit.
  for (unsigned i = 0; i < graph::kBowTieParts; i++) {
    const auto part = static_cast<BowTiePart>(i);
    const double x = kWidth * (i + 0.5) / graph::kBowTieParts;
    picture.Text(x, kHeight - 36, graph::BowTiePartName(part));
    picture.Text(x, kHeight - 18, fmt::format("{} ({:.1f}%)", bow_tie.nodes[i], 100 * bow_tie.Share(part)));
  }
  return std::move(picture).Finish();
}

std::string PlotNeighbourhood(const OpenedGraph& graph, graph::Node node, const Neighbours& neighbours,
                              uint64_t limit) {
  const auto shown = [limit](const std::vector<graph::Node>& nodes) {
    return std::min<uint64_t>(limit, nodes.size());
  };
  const uint64_t rows = std::max<uint64_t>({shown(neighbours.predecessors), shown(neighbours.successors), 3});
  constexpr double kRow = 20;
  constexpr double kWide = 1100;
  const double height = 2 * kMargin + kRow * static_cast<double>(rows);
  const double middle = height / 2;
  Picture picture(kWide, height);
  const std::string name = graph.Display(node);
  picture.Add("<title>{}</title>", EscapeXml(name));
  picture.Text(kWide / 2, 24,
               fmt::format("{} to it, {} from it", Counted(neighbours.predecessors.size(), "link"),
                           Counted(neighbours.successors.size(), "link")));
  for (const bool out : {false, true}) {
    const std::vector<graph::Node>& nodes = out ? neighbours.successors : neighbours.predecessors;
    const double side = out ? kWide - 340 : 340;
    for (uint64_t i = 0; i < shown(nodes); i++) {
      const double y = kMargin + kRow * (static_cast<double>(i) + 0.5);
      picture.Line(out ? kWide / 2 + 110 : side, out ? middle : y, out ? side : kWide / 2 - 110,
                   out ? y : middle, out ? kColours[1] : kColours[2]);
      picture.Text(out ? side + 6 : side - 6, y + 4, Short(graph.Display(nodes[i])), out ? "start" : "end");
    }
  }
  picture.Add(R"(<rect x="{}" y="{:.1f}" width="220" height="28" rx="6" fill="{}"/>)", kWide / 2 - 110,
              middle - 14, "#e2eef3");
  picture.Text(kWide / 2, middle + 4, Short(name, 34));
  return std::move(picture).Finish();
}

Result<DegreeCounts> CountDegrees(const graph::Graph& graph) {
  DegreeCounts counts;
  const auto count = [](std::vector<uint64_t>* by_degree, uint64_t degree) {
    if (by_degree->size() <= degree) by_degree->resize(degree + 1);
    (*by_degree)[degree]++;
  };
  std::vector<uint32_t> indegrees(graph.nodes());
  const auto cursor = graph.Scan();
  while (cursor->Next()) {
    count(&counts.out, cursor->successors().size());
    for (const graph::Node target : cursor->successors()) indegrees[target]++;
  }
  CRV_TRY(cursor->status());
  for (const uint32_t degree : indegrees) count(&counts.in, degree);
  return counts;
}

}  // namespace crivello::jobs
