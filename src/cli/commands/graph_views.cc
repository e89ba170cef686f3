// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/atomic_file.h"
#include "cli/app.h"
#include "cli/commands/graph_session.h"
#include "cli/output.h"
#include "cli/units.h"
#include "graph/components/bow_tie.h"
#include "graph/components/strong_components.h"
#include "graph/components/weak_components.h"
#include "graph/distances/hyper_ball.h"
#include "graph/stats/graph_stats.h"
#include "graph/watched_graph.h"
#include "jobs/graph/graph_plot.h"

namespace crivello::cli {
namespace {

// The counters that estimate distances.
struct DistanceFlags {
  unsigned log_registers = 8;
  unsigned runs = 1;
  unsigned threads = 1;
  uint64_t memory = uint64_t{2} << 30;
};

void AddDistanceFlags(CLI::App& command, DistanceFlags& flags) {
  command
      .add_option("--log2m", flags.log_registers,
                  "Precision of distances: registers of a counter, as a power of 2")
      ->check(CLI::Range(4, 16))
      ->capture_default_str();
  command
      .add_option("--runs", flags.runs,
                  "Runs with different counters; two or more give the standard error of each number")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      .add_option("--threads", flags.threads, "Number of threads for distances; results do not depend on it")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  AddSizeOption(command, "--memory", flags.memory,
                "Memory for distances; counters that do not fit are on disk");
}

Result<graph::DistanceSummary> MeasureDistances(const graph::Graph& graph, const DistanceFlags& flags,
                                                GraphWork& work) {
  CRV_ASSIGN(const graph::HyperBallResult balls, graph::RunHyperBall(graph,
                                                                     {.log_registers = flags.log_registers,
                                                                      .runs = flags.runs,
                                                                      .threads = flags.threads,
                                                                      .memory_bytes = flags.memory,
                                                                      .stop = work.stop()},
                                                                     work.progress()));
  return graph::Summarise(balls.runs);
}

// A single run has no standard error.
Json EstimateJson(const graph::Estimate& estimate) {
  Json json = {{"value", estimate.value}};
  if (!std::isnan(estimate.standard_error)) json["standard_error"] = estimate.standard_error;
  return json;
}
std::string EstimateText(const graph::Estimate& estimate, int digits = 2) {
  if (std::isnan(estimate.standard_error)) return fmt::format("{:.{}f}", estimate.value, digits);
  return fmt::format("{:.{}f} ± {:.{}f}", estimate.value, digits, estimate.standard_error, digits);
}

Json DistancesJson(const graph::DistanceSummary& distances, const DistanceFlags& flags) {
  Json distribution = Json::array();
  for (const graph::Estimate& share : distances.distribution) distribution.push_back(EstimateJson(share));
  return {{"runs", flags.runs},
          {"log2m", flags.log_registers},
          {"reachable_pairs", EstimateJson(distances.reachable_pairs)},
          {"average_distance", EstimateJson(distances.average_distance)},
          {"effective_distance", EstimateJson(distances.effective_distance)},
          {"distance_dispersion", EstimateJson(distances.distance_dispersion)},
          {"distribution", std::move(distribution)},
          {"neighbourhood_function", distances.mean}};
}

struct GraphStatsFlags {
  GraphChoice graph;
  bool paths = false;
  DistanceFlags distances = {.runs = 8};
};

Result<int> RunGraphStats(const Session& session, const GraphStatsFlags& flags) {
  GraphWork work(session);
  CRV_ASSIGN(const jobs::OpenedGraph graph, OpenChosenGraph(session, flags.graph));
  CRV_ASSIGN(const graph::GraphStats stats,
             graph::MeasureGraph(*graph.graph, {}, {.progress = &work.progress(), .stop = work.stop()}));
  std::optional<graph::DistanceSummary> paths;
  if (flags.paths) {
    CRV_ASSIGN(paths, MeasureDistances(*graph.graph, flags.distances, work));
  }
  const double bits =
      stats.arcs == 0 ? 0 : 8 * static_cast<double>(graph.graph_bytes) / static_cast<double>(stats.arcs);
  if (session.json) {
    const auto bins = [](const graph::PowerBins& all) {
      const auto last = std::find_if(all.rbegin(), all.rend(), [](uint64_t n) { return n > 0; });
      return Json(std::vector<uint64_t>(all.begin(), last.base()));
    };
    Json result = {{"nodes", stats.nodes},
                   {"arcs", stats.arcs},
                   {"bits_per_link", bits},
                   {"bytes", graph.graph_bytes},
                   {"self_loops", stats.self_loops},
                   {"dangling", stats.dangling},
                   {"unlinked", stats.unlinked},
                   {"max_outdegree", stats.max_outdegree},
                   {"max_indegree", stats.max_indegree},
                   {"locality", stats.locality},
                   {"similarity", stats.similarity},
                   {"consecutivity", stats.consecutivity},
                   {"mean_log_gap", stats.mean_log_gap},
                   {"copied_arcs", stats.bv.copied_arcs},
                   {"interval_arcs", stats.bv.interval_arcs},
                   {"residual_arcs", stats.bv.residual_arcs},
                   {"outdegrees", bins(stats.outdegrees)},
                   {"indegrees", bins(stats.indegrees)},
                   {"distances", bins(stats.distances)}};
    if (paths) result["paths"] = DistancesJson(*paths, flags.distances);
    work.AddTimes(&result);
    PrintJson(session, result);
    return kDone;
  }
  const auto share = [](uint64_t part, uint64_t whole) {
    return whole == 0 ? std::string()
                      : fmt::format("{:.1f}%", 100 * static_cast<double>(part) / static_cast<double>(whole));
  };
  Table table({{"of " + Printable(graph.basename)}, {"number", true}, {"share", true}});
  table.Row({"nodes", Grouped(stats.nodes), ""});
  table.Row({"  without successors", Grouped(stats.dangling), share(stats.dangling, stats.nodes)});
  table.Row({"  without predecessors", Grouped(stats.unlinked), share(stats.unlinked, stats.nodes)});
  table.Row({"arcs", Grouped(stats.arcs), ""});
  table.Row({"  self-loops", Grouped(stats.self_loops), share(stats.self_loops, stats.arcs)});
  table.Row(
      {"  copied from another list", Grouped(stats.bv.copied_arcs), share(stats.bv.copied_arcs, stats.arcs)});
  table.Row({"  in intervals", Grouped(stats.bv.interval_arcs), share(stats.bv.interval_arcs, stats.arcs)});
  table.Row({"  other", Grouped(stats.bv.residual_arcs), share(stats.bv.residual_arcs, stats.arcs)});
  table.Row({"largest outdegree", Grouped(stats.max_outdegree), ""});
  table.Row({"largest indegree", Grouped(stats.max_indegree), ""});
  session.out->Print("{}", table.ToString());
  session.out->Print("{} ({:.3f} bits per link); locality {:.3f}, similarity {:.3f}, consecutivity {:.3f}\n",
                     FormatSize(graph.graph_bytes), bits, stats.locality, stats.similarity,
                     stats.consecutivity);
  if (paths) {
    const double percent =
        100 / std::max(static_cast<double>(stats.nodes) * static_cast<double>(stats.nodes), 1.0);
    const graph::Estimate& pairs = paths->reachable_pairs;
    session.out->Print(
        "paths lead from a node to another for {}% of the pairs\n",
        EstimateText({.value = percent * pairs.value, .standard_error = percent * pairs.standard_error}));
    session.out->Print("distance: {} on average, at most {} for 90% of these pairs; variance / mean {}\n",
                       EstimateText(paths->average_distance), EstimateText(paths->effective_distance),
                       EstimateText(paths->distance_dispersion));
  }
  return kDone;
}

struct GraphComponentsFlags {
  GraphChoice graph;
  std::string kind = "strong";
  uint64_t memory = uint64_t{1} << 30;
  uint64_t limit = 20;
};

Result<int> RunGraphComponents(const Session& session, const GraphComponentsFlags& flags) {
  GraphWork work(session);
  CRV_ASSIGN(const jobs::OpenedGraph graph, OpenChosenGraph(session, flags.graph));
  const graph::ComponentsOptions options = {.memory_bytes = flags.memory, .stop = work.stop()};
  graph::Components components;
  graph::BowTie bow_tie;
  if (flags.kind == "weak") {
    CRV_ASSIGN(components, graph::FindWeakComponents(*graph.graph, options, work.progress()));
  } else {
    CRV_ASSIGN(graph::StrongComponents strong,
               graph::FindStrongComponents(*graph.graph, options, work.progress()));
    CRV_ASSIGN(bow_tie, graph::FindBowTie(*graph.graph, strong, options, work.progress()));
    components = std::move(strong);
  }
  const uint64_t shown = std::min<uint64_t>(flags.limit, components.sizes.size());
  const std::vector<graph::Node> sizes(components.sizes.begin(),
                                       components.sizes.begin() + static_cast<std::ptrdiff_t>(shown));
  const bool strong = flags.kind != "weak";
  if (session.json) {
    Json result = {{"kind", flags.kind},
                   {"components", components.sizes.size()},
                   {"largest", components.largest()},
                   {"sizes", sizes}};
    if (strong) {
      for (unsigned i = 0; i < graph::kBowTieParts; i++) {
        result["bow_tie"][std::string(graph::BowTiePartName(static_cast<graph::BowTiePart>(i)))] =
            bow_tie.nodes[i];
      }
    }
    work.AddTimes(&result);
    PrintJson(session, result);
    return kDone;
  }
  session.out->Print("{} {} components; the largest has {} of {} nodes\n", Grouped(components.sizes.size()),
                     flags.kind == "weak" ? "weakly connected" : "strongly connected",
                     Grouped(components.largest()), Grouped(graph.graph->nodes()));
  if (strong) {
    for (unsigned i = 0; i < graph::kBowTieParts; i++) {
      const auto part = static_cast<graph::BowTiePart>(i);
      session.out->Print("  {:<14} {:>14} {:6.1f}%\n", graph::BowTiePartName(part), Grouped(bow_tie.nodes[i]),
                         100 * bow_tie.Share(part));
    }
  }
  return kDone;
}

struct GraphNeighboursFlags {
  GraphChoice graph;
  std::string node;
  uint64_t limit = 20;
};

Result<int> RunGraphNeighbours(const Session& session, const GraphNeighboursFlags& flags) {
  GraphWork work(session);
  CRV_ASSIGN(const jobs::OpenedGraph graph, OpenChosenGraph(session, flags.graph));
  CRV_ASSIGN(const graph::Node node, graph.Find(flags.node));
  CRV_ASSIGN(const jobs::Neighbours neighbours, jobs::NeighboursOf(graph, node, work.stop()));
  const auto names = [&](const std::vector<graph::Node>& nodes) {
    std::vector<std::string> shown;
    for (const graph::Node at : nodes) {
      if (shown.size() == flags.limit) break;
      shown.push_back(graph.Display(at));
    }
    return shown;
  };
  const auto to = names(neighbours.successors);
  const auto from = names(neighbours.predecessors);
  if (session.json) {
    PrintJson(session, {{"node", node},
                        {"name", graph.Display(node)},
                        {"outdegree", neighbours.successors.size()},
                        {"indegree", neighbours.predecessors.size()},
                        {"successors", to},
                        {"predecessors", from}});
    return kDone;
  }
  session.out->Print("{}\n", Printable(graph.Display(node)));
  for (const bool out : {true, false}) {
    session.out->Print("{} {}\n", out ? "links to" : "is linked from",
                       Grouped(out ? neighbours.successors.size() : neighbours.predecessors.size()));
    for (const std::string& name : out ? to : from) session.out->Print("  {}\n", Printable(name));
  }
  return kDone;
}

struct GraphPlotFlags {
  GraphChoice graph;
  std::string what = "degrees";
  std::string node;
  std::string to;
  DistanceFlags distances;
  uint64_t limit = 30;
};

Result<std::string> DrawGraph(const jobs::OpenedGraph& graph, const GraphPlotFlags& flags, GraphWork& work) {
  if (flags.what == "degrees") {
    const graph::WatchedGraph watched(*graph.graph, work.progress(), work.stop());
    work.progress().Start("counting degrees", graph.graph->nodes());
    CRV_ASSIGN(jobs::DegreeCounts degrees, jobs::CountDegrees(watched));
    work.progress().Finish();
    const std::vector<jobs::PlotSeries> series = {{"outdegree", std::move(degrees.out)},
                                                  {"indegree", std::move(degrees.in)}};
    return jobs::PlotLogLog(series, {.title = "Degrees", .x = "degree", .y = "nodes"});
  }
  if (flags.what == "distances") {
    CRV_ASSIGN(const graph::DistanceSummary distances, MeasureDistances(*graph.graph, flags.distances, work));
    std::vector<jobs::PlotBar> bars;
    for (const graph::Estimate& share : distances.distribution) {
      bars.push_back(
          {.share = share.value, .error = std::isnan(share.standard_error) ? 0 : share.standard_error});
    }
    const graph::Estimate& average = distances.average_distance;
    const std::string error = std::isnan(average.standard_error)
                                  ? ""
                                  : fmt::format(" (standard error {:.2f})", average.standard_error);
    return jobs::PlotBars(bars, {.title = fmt::format("Distances: {:.2f} on average{}", average.value, error),
                                 .x = "distance",
                                 .y = "share of the reachable pairs"});
  }
  if (flags.what == "bow-tie") {
    CRV_ASSIGN(const graph::StrongComponents strong,
               graph::FindStrongComponents(*graph.graph, {.stop = work.stop()}, work.progress()));
    CRV_ASSIGN(const graph::BowTie bow_tie,
               graph::FindBowTie(*graph.graph, strong, {.stop = work.stop()}, work.progress()));
    return jobs::PlotBowTie(bow_tie, fmt::format("The bow tie of {} nodes", graph.graph->nodes()));
  }
  if (flags.node.empty()) {
    return Status::InvalidArgument(
        "--node is missing: the neighbourhood of a node is drawn, give its URL, its host or its number");
  }
  CRV_ASSIGN(const graph::Node node, graph.Find(flags.node));
  CRV_ASSIGN(const jobs::Neighbours neighbours, jobs::NeighboursOf(graph, node, work.stop()));
  return jobs::PlotNeighbourhood(graph, node, neighbours, flags.limit);
}

Result<int> RunGraphPlot(const Session& session, const GraphPlotFlags& flags) {
  GraphWork work(session);
  CRV_ASSIGN(const jobs::OpenedGraph graph, OpenChosenGraph(session, flags.graph));
  CRV_ASSIGN(const std::string picture, DrawGraph(graph, flags, work));
  if (flags.to.empty()) {
    session.out->Write(picture);
    return kDone;
  }
  CRV_TRY(WriteFileAtomically(flags.to, AsBytes(picture)));
  if (session.json) PrintJson(session, {{"to", flags.to}, {"bytes", picture.size()}});
  return kDone;
}

}  // namespace

void AddGraphViews(CLI::App& graph, Session& session) {
  CLI::App* stats =
      graph.add_subcommand("stats", "Show the numbers of a graph: degrees, locality, bits per link");
  auto numbers = std::make_shared<GraphStatsFlags>();
  AddGraphChoice(*stats, numbers->graph);
  stats->add_flag("--distances", numbers->paths,
                  "Also estimate distances: how many pairs a path connects, average and effective distance");
  AddDistanceFlags(*stats, numbers->distances);
  stats->footer(
      "Examples:\n"
      "  crivello graph stats\n"
      "  crivello graph stats --level host --distances --runs 16\n"
      "  crivello --json graph stats --graph cnr-2000");
  Runs(*stats, session, [&session, numbers] { return RunGraphStats(session, *numbers); });

  CLI::App* components = graph.add_subcommand("components", "Find the connected components and the bow tie");
  auto parts = std::make_shared<GraphComponentsFlags>();
  AddGraphChoice(*components, parts->graph);
  components->add_option("--kind", parts->kind, "Strongly connected components, with the bow tie, or weakly")
      ->check(CLI::IsMember({"strong", "weak"}))
      ->capture_default_str();
  AddSizeOption(*components, "--memory", parts->memory, "Memory for a copy of the graph");
  AddCountOption(*components, "--limit", parts->limit, "Number of sizes to show, largest first");
  components->footer(
      "Examples:\n"
      "  crivello graph components --level host\n"
      "  crivello graph components --graph cnr-2000 --kind weak --json");
  Runs(*components, session, [&session, parts] { return RunGraphComponents(session, *parts); });

  CLI::App* neighbours =
      graph.add_subcommand("neighbours", "Show what a page or host links to, and what links to it");
  auto near = std::make_shared<GraphNeighboursFlags>();
  neighbours->add_option("NODE", near->node, "A URL, a host, or the number of a node")->required();
  AddGraphChoice(*neighbours, near->graph);
  AddCountOption(*neighbours, "--limit", near->limit, "Number of neighbours to show in each direction");
  neighbours->footer(
      "Examples:\n"
      "  crivello graph neighbours https://example.org/\n"
      "  crivello graph neighbours --level host www.example.org");
  Runs(*neighbours, session, [&session, near] { return RunGraphNeighbours(session, *near); });

  CLI::App* plot =
      graph.add_subcommand("plot", "Draw a graph as SVG: degrees, distances, bow tie, neighbourhood");
  auto picture = std::make_shared<GraphPlotFlags>();
  plot->add_option("WHAT", picture->what, "Kind of drawing")
      ->check(CLI::IsMember({"degrees", "distances", "bow-tie", "neighbourhood"}))
      ->capture_default_str();
  AddGraphChoice(*plot, picture->graph);
  plot->add_option("--node", picture->node,
                   "Node of a neighbourhood: a URL, a host, or the number of a node");
  plot->add_option("--to", picture->to, "File to write (default: standard output)")->type_name("FILE");
  AddDistanceFlags(*plot, picture->distances);
  AddCountOption(*plot, "--limit", picture->limit, "Number of neighbours to draw in each direction");
  plot->footer(
      "Examples:\n"
      "  crivello graph plot degrees --to degrees.svg\n"
      "  crivello graph plot neighbourhood --level host --node www.example.org --to near.svg");
  Runs(*plot, session, [&session, picture] { return RunGraphPlot(session, *picture); });
}

}  // namespace crivello::cli
