// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/assign/assignment_simulation.h"

namespace crivello::cluster {
namespace {

constexpr double kPanelWidth = 420;
constexpr double kPanelHeight = 300;
constexpr double kPanelMargin = 50;
constexpr std::string_view kPanelColours[] = {"#0b6e99", "#c2410c", "#4d7c0f", "#7e22ce"};

// One of the pictures side by side.  All text in them is ours.
class Panel {
 public:
  Panel(std::string& svg, int place, std::string_view title, std::string_view x, std::string_view y)
      : svg_(svg), left_(place * kPanelWidth) {
    Text(kPanelWidth / 2, 20, title, "middle");
    Text(kPanelWidth / 2, kPanelHeight - 8, x, "middle");
    Text(8, 36, y, "start");
    Add(R"(<path d="M{:.1f} {:.1f}V{:.1f}H{:.1f}" fill="none" stroke="#444444"/>)", left_ + kPanelMargin,
        kPanelMargin, kPanelHeight - kPanelMargin, left_ + kPanelWidth - 10);
  }

  // Places in the panel of shares of its axes, 0 to 1.
  double X(double share) const { return kPanelMargin + share * (kPanelWidth - kPanelMargin - 10); }
  static double Y(double share) {
    return kPanelHeight - kPanelMargin - share * (kPanelHeight - 2 * kPanelMargin);
  }

  void Text(double x, double y, std::string_view text, std::string_view anchor,
            std::string_view fill = "#000000") {
    Add(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" fill="{}">{}</text>)", left_ + x, y, anchor, fill,
        text);
  }
  void Bar(double x, double width, double height, std::string_view fill) {
    Add(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}"/>)", left_ + x, Y(height),
        width, Y(0) - Y(height), fill);
  }
  void Line(const std::vector<std::pair<double, double>>& shares, std::string_view stroke,
            bool dashed = false) {
    std::string points;
    for (const auto& [x, y] : shares) {
      fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", left_ + X(x), Y(y));
    }
    Add(R"(<polyline points="{}" fill="none" stroke="{}"{}/>)", points, stroke,
        dashed ? R"( stroke-dasharray="4")" : "");
  }
  // The i-th entry of the legend.
  void Name(int i, std::string_view text, std::string_view fill) {
    Text(kPanelWidth - 14, kPanelMargin + 14 * i, text, "end", fill);
  }

 private:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Args>(args)...);
    svg_ += '\n';
  }

  std::string& svg_;
  const double left_;
};

void DrawLoads(std::string& svg, const AssignmentSimulation& simulation) {
  Panel panel(svg, 0, "Keys of each agent, relative to the mean", "agents", "load");
  double top = 1;
  for (const FunctionMeasure& one : simulation.functions) top = std::max(top, one.most);
  const double keys =
      static_cast<double>(simulation.options.keys) / static_cast<double>(simulation.options.agents);
  const double group = 1 / static_cast<double>(simulation.functions.size());
  for (size_t f = 0; f < simulation.functions.size(); f++) {
    const FunctionMeasure& one = simulation.functions[f];
    const double from = panel.X(group * static_cast<double>(f)) + 4;
    const double width = (panel.X(group) - panel.X(0) - 8) / static_cast<double>(one.loads.size());
    for (size_t i = 0; i < one.loads.size(); i++) {
      panel.Bar(from + width * static_cast<double>(i), width * 0.9,
                static_cast<double>(one.loads[i]) / keys / top, kPanelColours[f % std::size(kPanelColours)]);
    }
    panel.Text(from, kPanelHeight - kPanelMargin + 16, one.function, "start");
  }
  panel.Line({{0, 1 / top}, {1, 1 / top}}, "#444444", /*dashed=*/true);
}

void DrawReplicas(std::string& svg, const AssignmentSimulation& simulation) {
  Panel panel(svg, 1, "Consistent hashing: deviation of the shares by replicas", "replicas C, logarithmic",
              "deviation");
  double top = 0;
  for (const ReplicasMeasure& one : simulation.replicas)
    top = std::max({top, one.deviation, one.deviation_formula});
  const double last = std::log(simulation.replicas.back().replicas);
  std::vector<std::pair<double, double>> measured;
  std::vector<std::pair<double, double>> formula;
  for (const ReplicasMeasure& one : simulation.replicas) {
    const double x = std::log(one.replicas) / last;
    measured.emplace_back(x, one.deviation / top);
    formula.emplace_back(x, one.deviation_formula / top);
    panel.Text(panel.X(x), kPanelHeight - kPanelMargin + 16, std::to_string(one.replicas), "middle");
  }
  panel.Line(measured, kPanelColours[0]);
  panel.Line(formula, kPanelColours[1], /*dashed=*/true);
  panel.Text(kPanelMargin - 4, Panel::Y(1), fmt::format("{:.2f}", top), "end");
  panel.Name(0, "measured", kPanelColours[0]);
  panel.Name(1, "sqrt((A-1)/(AC+1))", kPanelColours[1]);
}

void DrawEpsilons(std::string& svg, const AssignmentSimulation& simulation) {
  Panel panel(svg, 2, "Bounded loads: tablets that move when an agent joins", "epsilon", "tablets");
  double top = 0;
  for (const EpsilonMeasure& one : simulation.epsilons)
    top = std::max(top, one.joined_needed + one.joined_extra);
  top = std::max(top, 1.0);
  const double step = 1 / static_cast<double>(simulation.epsilons.size());
  for (size_t i = 0; i < simulation.epsilons.size(); i++) {
    const EpsilonMeasure& one = simulation.epsilons[i];
    const double x = panel.X(step * (static_cast<double>(i) + 0.1));
    const double width = (panel.X(step) - panel.X(0)) * 0.8;
    panel.Bar(x, width, (one.joined_needed + one.joined_extra) / top, kPanelColours[1]);
    panel.Bar(x, width, one.joined_needed / top, kPanelColours[0]);
    panel.Text(x + width / 2, kPanelHeight - kPanelMargin + 16,
               std::isfinite(one.epsilon) ? fmt::format("{}", one.epsilon) : "none", "middle");
  }
  panel.Text(kPanelMargin - 4, Panel::Y(1), fmt::format("{:.0f}", top), "end");
  panel.Name(0, "to the newcomer", kPanelColours[0]);
  panel.Name(1, "between others", kPanelColours[1]);
}

}  // namespace

std::string PlotAssignment(const AssignmentSimulation& simulation) {
  std::string svg =
      fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )"
                  R"(font-family="sans-serif" font-size="12">)"
                  "\n"
                  R"(<rect width="{0}" height="{1}" fill="#ffffff"/>)"
                  "\n<title>Assignment functions with {2} agents, {3} keys and {4} tablets</title>\n",
                  3 * kPanelWidth, kPanelHeight, simulation.options.agents, simulation.options.keys,
                  simulation.options.tablets);
  DrawLoads(svg, simulation);
  DrawReplicas(svg, simulation);
  DrawEpsilons(svg, simulation);
  svg += "</svg>\n";
  return svg;
}

}  // namespace crivello::cluster
