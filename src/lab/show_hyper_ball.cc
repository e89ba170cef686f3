// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/progress.h"
#include "graph/array_graph.h"
#include "graph/distances/hyper_ball.h"
#include "lab/demonstration.h"
#include "lab/svg.h"

namespace crivello::lab {
namespace {

constexpr uint32_t kMostNodes = 64;

// The sizes of the balls of each radius around a node, by breadth-first search.
std::vector<double> BallsOf(const graph::ArrayGraph& arcs, graph::Node from, size_t radii) {
  std::vector<int> distance(arcs.nodes(), -1);
  std::deque<graph::Node> queue = {from};
  distance[from] = 0;
  std::vector<double> balls(radii, 0);
  while (!queue.empty()) {
    const graph::Node node = queue.front();
    queue.pop_front();
    for (size_t t = static_cast<size_t>(distance[node]); t < radii; t++) balls[t]++;
    for (const graph::Node next : arcs.Successors(node)) {
      if (distance[next] >= 0) continue;
      distance[next] = distance[node] + 1;
      queue.push_back(next);
    }
  }
  return balls;
}

}  // namespace

Result<Demonstration> ShowHyperBall(const ArcList& arcs, unsigned log_registers) {
  if (arcs.empty()) return Status::InvalidArgument("the graph has no arcs");
  uint32_t last = 0;
  for (const auto& arc : arcs) last = std::max({last, arc.first, arc.second});
  if (last >= kMostNodes) {
    return Status::InvalidArgument(
        fmt::format("node {} is too large to show: nodes are 0 to {}", last, kMostNodes - 1));
  }
  SilentProgress progress;
  const graph::ArrayGraph graph = graph::ArrayGraph::FromArcs(last + 1, arcs);
  CRV_ASSIGN(const graph::HyperBallResult all,
             graph::RunHyperBall(graph, {.log_registers = log_registers}, progress));
  const size_t radii = all.runs.front().size();
  std::vector<std::vector<double>> exact, estimated(radii);
  for (graph::Node node = 0; node <= last; node++) exact.push_back(BallsOf(graph, node, radii));
  Demonstration shown;
  std::string lists = fmt::format("{} nodes, {} arcs; {} registers for each ball", graph.nodes(),
                                  graph.arcs(), 1u << log_registers);
  for (graph::Node node = 0; node <= last; node++) {
    lists += fmt::format("\n{:>3} →", node);
    for (const graph::Node next : graph.Successors(node)) lists += fmt::format(" {}", next);
  }
  shown.steps.push_back(std::move(lists));
  std::vector<double> total(radii, 0);
  for (size_t t = 0; t < radii; t++) {
    CRV_ASSIGN(const graph::HyperBallResult run,
               graph::RunHyperBall(
                   graph, {.log_registers = log_registers, .reachable = true, .max_distance = t}, progress));
    estimated[t] = run.reachable;
    std::string step =
        t == 0 ? "B_0(x) = {x}: each counter has its own node"
               : fmt::format(
                     "B_{}(x) = {{x}} and the balls B_{}(y) of all y that x links to: maxima of registers", t,
                     t - 1);
    step += "\n  x  exact  estimate";
    for (graph::Node node = 0; node <= last; node++) {
      step += fmt::format("\n{:>3}  {:>5}  {:>8.2f}", node, exact[node][t], estimated[t][node]);
      total[t] += exact[node][t];
    }
    shown.steps.push_back(std::move(step));
  }
  std::string distances = "N(t), the pairs at distance at most t\n  t  exact  estimate";
  Svg svg(640, 420, "Neighbourhood function, exact and by HyperBall");
  const double most =
      std::max(total.back(), *std::max_element(all.runs.front().begin(), all.runs.front().end()));
  const auto x_of = [&](size_t t) {
    return 60 + 520 * static_cast<double>(t) / static_cast<double>(std::max<size_t>(radii - 1, 1));
  };
  const auto y_of = [&](double pairs) { return 370 - 310 * pairs / most; };
  svg.Line(60, 370, 600, 370);
  svg.Line(60, 370, 60, 50);
  for (size_t t = 0; t < radii; t++) {
    const double estimate = all.runs.front()[t];
    distances += fmt::format("\n{:>3}  {:>5}  {:>8.2f}", t, total[t], estimate);
    svg.Text(x_of(t), 388, std::to_string(t), "#222222", "middle");
    svg.Dot(x_of(t), y_of(total[t]), Svg::kBlue);
    svg.Dot(x_of(t), y_of(estimate), Svg::kRed);
    if (t == 0) continue;
    svg.Line(x_of(t - 1), y_of(total[t - 1]), x_of(t), y_of(total[t]), Svg::kBlue);
    svg.Line(x_of(t - 1), y_of(all.runs.front()[t - 1]), x_of(t), y_of(estimate), Svg::kRed);
  }
  svg.Text(480, 70, "exact", Svg::kBlue);
  svg.Text(480, 90, "HyperBall", Svg::kRed);
  svg.Text(330, 408, "distance t", "#222222", "middle");
  shown.steps.push_back(std::move(distances));
  shown.svg = std::move(svg).Finish();
  return shown;
}

}  // namespace crivello::lab
