// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <iterator>
#include <optional>

#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/commands/graph_session.h"
#include "cli/output.h"
#include "cli/units.h"
#include "engine/collection_access.h"
#include "wire/remote_service.h"

namespace crivello::cli {
namespace {

struct GraphBuildFlags {
  std::vector<std::string> levels;  // none: all
  std::string nofollow = "drop";
  bool frontier = false;
  uint64_t memory = uint64_t{256} << 20;
  unsigned threads = 1;
};

// `seconds`: wall-clock time and CPU time of this process.
void PrintGraphBuilt(const Session& session, std::string_view level, const wire::GraphBuildSummary& built,
                     double seconds, double cpu_seconds) {
  if (session.json) {
    PrintJson(session, {{"level", level},
                        {"graph", built.basename},
                        {"rows", built.rows},
                        {"nodes", built.nodes},
                        {"arcs", built.arcs},
                        {"links", built.links},
                        {"bytes", built.bytes},
                        {"bits_per_link", built.bits_per_link},
                        {"seconds", seconds},
                        {"cpu_seconds", cpu_seconds}});
  } else {
    session.out->Print("{}: {} nodes, {} arcs for {} links, {} ({:.3f} bits per link), {:.1f} s\n",
                       Printable(built.basename), Grouped(built.nodes), Grouped(built.arcs),
                       Grouped(built.links), FormatSize(built.bytes), built.bits_per_link, seconds);
  }
}

// Lets the process that writes to the collection build the graphs, if there is one; else nullopt.
Result<std::optional<int>> BuildByOwner(const Session& session, const GraphBuildFlags& flags,
                                        const std::vector<jobs::GraphLevel>& levels) {
  const auto owner = wire::RemoteService::Connect(engine::SocketPath(session.collection), {});
  if (!owner.ok()) return std::optional<int>();
  SessionListener listener(session);
  for (const jobs::GraphLevel level : levels) {
    const MonotonicTime start = SystemClock().Now();
    const auto built = (*owner)->Ask(wire::GraphBuildRequest{.level = std::string(GraphLevelName(level)),
                                                             .keep_nofollow = flags.nofollow == "keep",
                                                             .frontier = flags.frontier,
                                                             .memory_bytes = flags.memory,
                                                             .threads = flags.threads},
                                     listener);
    // It only reads, and closes the collection if another process wants to write.
    if (built.status().code() == StatusCode::kInvalidArgument) return std::optional<int>();
    if (!built.ok()) return built.status();
    const double seconds = std::chrono::duration<double>(SystemClock().Now() - start).count();
    PrintGraphBuilt(session, jobs::GraphLevelName(level), *built, seconds, CpuSeconds());
  }
  return std::optional<int>(kDone);
}

Result<int> RunGraphBuild(const Session& session, const GraphBuildFlags& flags) {
  std::vector<jobs::GraphLevel> levels;
  for (const std::string& name : flags.levels) {
    CRV_ASSIGN(const jobs::GraphLevel level, jobs::ParseGraphLevel(name));
    levels.push_back(level);
  }
  if (levels.empty()) levels.assign(std::begin(jobs::kGraphLevels), std::end(jobs::kGraphLevels));
  CRV_ASSIGN(const std::optional<int> by_owner, BuildByOwner(session, flags, levels));
  if (by_owner) return *by_owner;
  GraphWork whole(session);
  CRV_ASSIGN(const auto store, OpenExisting(session));
  for (const jobs::GraphLevel level : levels) {
    const double before = whole.seconds();
    const double cpu_before = whole.cpu_seconds();
    CRV_ASSIGN(const jobs::StoredGraphSummary summary,
               jobs::StoreGraph(*store,
                                {.level = level,
                                 .keep_nofollow = flags.nofollow == "keep",
                                 .frontier = flags.frontier,
                                 .memory_bytes = flags.memory,
                                 .threads = flags.threads,
                                 .stop = whole.stop()},
                                whole.progress()));
    PrintGraphBuilt(session, jobs::GraphLevelName(level),
                    {.basename = summary.basename,
                     .rows = summary.graph.rows,
                     .nodes = summary.graph.nodes,
                     .arcs = summary.graph.arcs,
                     .links = summary.graph.links,
                     .bytes = summary.graph_bytes,
                     .bits_per_link = summary.bits_per_link},
                    whole.seconds() - before, whole.cpu_seconds() - cpu_before);
  }
  CRV_TRY(store->Close());
  return kDone;
}

struct GraphCompressFlags : GraphFilesFlags {
  GraphChoice graph;
  std::string format = "bv";
  graph::BvParameters parameters;
  uint32_t zeta = 3;
};

Result<int> RunGraphCompress(const Session& session, const GraphCompressFlags& flags) {
  GraphWork work(session);
  CRV_ASSIGN(const jobs::OpenedGraph graph, OpenChosenGraph(session, flags.graph));
  jobs::GraphFilesOptions options = GraphFilesOptionsOf(flags, work);
  options.format = flags.format == "ef" ? jobs::GraphFormat::kEf : jobs::GraphFormat::kBv;
  options.parameters = flags.parameters;
  options.parameters.codes.residuals.parameter = flags.zeta;
  CRV_ASSIGN(const jobs::GraphFilesSummary summary, jobs::CompressGraph(graph, options, work.progress()));
  PrintGraphFiles(session, flags.to, summary, work);
  return kDone;
}

struct GraphTransposeFlags : GraphFilesFlags {
  GraphChoice graph;
};

using TurnGraph = decltype(&jobs::TransposeGraph);

Result<int> RunGraphTurn(const Session& session, const GraphTransposeFlags& flags, TurnGraph turn) {
  GraphWork work(session);
  CRV_ASSIGN(const jobs::OpenedGraph graph, OpenChosenGraph(session, flags.graph));
  CRV_ASSIGN(const jobs::GraphFilesSummary summary,
             turn(graph, GraphFilesOptionsOf(flags, work), work.progress()));
  PrintGraphFiles(session, flags.to, summary, work);
  return kDone;
}

struct GraphUnionFlags : GraphFilesFlags {
  GraphChoice graph;
  std::string other;
};

Result<int> RunGraphUnion(const Session& session, const GraphUnionFlags& flags) {
  GraphWork work(session);
  CRV_ASSIGN(const jobs::OpenedGraph graph, OpenChosenGraph(session, flags.graph));
  CRV_ASSIGN(const jobs::OpenedGraph other, jobs::OpenGraphFiles(flags.other));
  CRV_ASSIGN(const jobs::GraphFilesSummary summary,
             jobs::UniteGraphs(graph, other, GraphFilesOptionsOf(flags, work), work.progress()));
  PrintGraphFiles(session, flags.to, summary, work);
  return kDone;
}

struct GraphSubgraphFlags : GraphFilesFlags {
  GraphChoice graph;
  jobs::HostFilter filter;
};

Result<int> RunGraphSubgraph(const Session& session, const GraphSubgraphFlags& flags) {
  GraphWork work(session);
  CRV_ASSIGN(const jobs::OpenedGraph graph, OpenChosenGraph(session, flags.graph));
  CRV_ASSIGN(const jobs::GraphFilesSummary summary,
             jobs::SubgraphOfHosts(graph, flags.filter, GraphFilesOptionsOf(flags, work), work.progress()));
  PrintGraphFiles(session, flags.to, summary, work);
  return kDone;
}

struct GraphPermuteFlags : GraphFilesFlags {
  GraphChoice graph;
  std::string order = "breadth-first";
  uint64_t seed = 0;
};

Result<int> RunGraphPermute(const Session& session, const GraphPermuteFlags& flags) {
  GraphWork work(session);
  CRV_ASSIGN(const jobs::OpenedGraph graph, OpenChosenGraph(session, flags.graph));
  const jobs::NodeOrder order = flags.order == "random" ? jobs::NodeOrder::kRandom
                                : flags.order == "name" ? jobs::NodeOrder::kName
                                                        : jobs::NodeOrder::kBreadthFirst;
  CRV_ASSIGN(const jobs::GraphFilesSummary summary,
             jobs::PermuteGraph(graph, order, flags.seed, GraphFilesOptionsOf(flags, work), work.progress()));
  PrintGraphFiles(session, flags.to, summary, work);
  return kDone;
}

void AddGraphSelecting(CLI::App& graph, Session& session) {
  CLI::App* subgraph = graph.add_subcommand("subgraph", "Keep the nodes of some hosts, or of all others");
  auto kept = std::make_shared<GraphSubgraphFlags>();
  AddGraphChoice(*subgraph, kept->graph);
  AddGraphFilesOptions(*subgraph, *kept);
  subgraph->add_option("--host", kept->filter.hosts, "Host to keep, with all hosts below it; repeatable")
      ->type_name("HOST")
      ->required();
  subgraph->add_flag("--except", kept->filter.except, "Keep the nodes of all other hosts");
  subgraph->footer(
      "Examples:\n"
      "  crivello graph subgraph --host example.org --to example\n"
      "  crivello graph subgraph --level host --host spam.example --host ads.example --except --to clean");
  Runs(*subgraph, session, [&session, kept] { return RunGraphSubgraph(session, *kept); });

  CLI::App* symmetrise = graph.add_subcommand("symmetrise", "Add the reverse of each arc");
  auto both_ways = std::make_shared<GraphTransposeFlags>();
  AddGraphChoice(*symmetrise, both_ways->graph);
  AddGraphFilesOptions(*symmetrise, *both_ways);
  symmetrise->footer(
      "Examples:\n"
      "  crivello graph symmetrise --level host --to hosts-both-ways");
  Runs(*symmetrise, session,
       [&session, both_ways] { return RunGraphTurn(session, *both_ways, jobs::SymmetriseGraph); });

  CLI::App* unite = graph.add_subcommand("union", "Join the arcs of two graphs of the same nodes");
  auto united = std::make_shared<GraphUnionFlags>();
  AddGraphChoice(*unite, united->graph);
  AddGraphFilesOptions(*unite, *united);
  unite->add_option("--with", united->other, "The other graph: the common name of its files, without .graph")
      ->type_name("BASENAME")
      ->required();
  unite->footer(
      "Examples:\n"
      "  crivello graph union --graph web-2025 --with web-2026 --to web");
  Runs(*unite, session, [&session, united] { return RunGraphUnion(session, *united); });
}

}  // namespace

void AddGraphMaking(CLI::App& graph, Session& session) {
  CLI::App* build =
      graph.add_subcommand("build", "Build the graphs of the collection's pages, hosts and domains");
  auto build_flags = std::make_shared<GraphBuildFlags>();
  build
      ->add_option("--level", build_flags->levels,
                   "Which graphs to build: page, host, domain; all by default")
      ->check(CLI::IsMember({"page", "host", "domain"}))
      ->delimiter(',');
  build
      ->add_option("--nofollow", build_flags->nofollow,
                   "Whether to drop or keep nofollow links, and all links of nofollow pages")
      ->check(CLI::IsMember({"drop", "keep"}))
      ->capture_default_str();
  build->add_flag("--frontier", build_flags->frontier,
                  "Include pages that are linked to but were not fetched");
  AddSizeOption(*build, "--memory", build_flags->memory, "Memory for sorting; the rest is sorted on disk");
  build->add_option("--threads", build_flags->threads, "Number of threads")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  build->footer(
      "Writes graph/pages, hosts and domains in the collection, each with .graph, .offsets, .properties and "
      ".urls.\n"
      "\n"
      "Examples:\n"
      "  crivello graph build\n"
      "  crivello graph build --level host --nofollow keep");
  Runs(*build, session, [&session, build_flags] { return RunGraphBuild(session, *build_flags); });

  CLI::App* compress = graph.add_subcommand("compress", "Write a graph with other compression parameters");
  auto compress_flags = std::make_shared<GraphCompressFlags>();
  AddGraphChoice(*compress, compress_flags->graph);
  AddGraphFilesOptions(*compress, *compress_flags);
  compress
      ->add_option("--format", compress_flags->format,
                   "bv is WebGraph's; ef answers in constant time whether there is an arc")
      ->check(CLI::IsMember({"bv", "ef"}))
      ->capture_default_str();
  graph::BvParameters& parameters = compress_flags->parameters;
  compress->add_option("--window", parameters.window, "Number of previous lists that a list may copy from")
      ->check(CLI::Range(0u, graph::BvParameters::kMaxWindow))
      ->capture_default_str();
  compress->add_option("--max-ref", parameters.max_ref_count, "Maximum length of a chain of copies")
      ->check(CLI::Range(0u, graph::BvParameters::kNoLimit))
      ->capture_default_str();
  compress
      ->add_option("--min-interval", parameters.min_interval,
                   "Minimum length of a run that is written as an interval (0: no intervals)")
      ->check(Natural())
      ->capture_default_str();
  compress->add_option("--zeta", compress_flags->zeta, "Parameter of the zeta code of residuals")
      ->check(CLI::Range(1, 16))
      ->capture_default_str();
  compress->footer(
      "Examples:\n"
      "  crivello graph compress --graph cnr-2000 --to cnr-hc --window 16 --max-ref 2147483647\n"
      "  crivello graph compress --level host --to hosts --format ef");
  Runs(*compress, session, [&session, compress_flags] { return RunGraphCompress(session, *compress_flags); });

  CLI::App* transpose = graph.add_subcommand("transpose", "Reverse all arcs");
  auto transpose_flags = std::make_shared<GraphTransposeFlags>();
  AddGraphChoice(*transpose, transpose_flags->graph);
  AddGraphFilesOptions(*transpose, *transpose_flags);
  transpose->footer(
      "Examples:\n"
      "  crivello graph transpose --to pages-t\n"
      "  crivello graph transpose --graph cnr-2000 --to cnr-2000-t --memory 256M");
  Runs(*transpose, session,
       [&session, transpose_flags] { return RunGraphTurn(session, *transpose_flags, jobs::TransposeGraph); });

  CLI::App* permute = graph.add_subcommand("permute", "Number the nodes in another order");
  auto permute_flags = std::make_shared<GraphPermuteFlags>();
  AddGraphChoice(*permute, permute_flags->graph);
  AddGraphFilesOptions(*permute, *permute_flags);
  permute->add_option("--order", permute_flags->order, "Order of the nodes")
      ->check(CLI::IsMember({"breadth-first", "random", "name"}))
      ->capture_default_str();
  permute->add_option("--seed", permute_flags->seed, "Seed of the random order")
      ->check(Natural())
      ->capture_default_str();
  permute->footer(
      "Examples:\n"
      "  crivello graph permute --to pages-bfs\n"
      "  crivello graph permute --graph cnr-2000 --to shuffled --order random --seed 7");
  Runs(*permute, session, [&session, permute_flags] { return RunGraphPermute(session, *permute_flags); });
  AddGraphSelecting(graph, session);
}

}  // namespace crivello::cli
