// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands/graph_session.h"
#include "cli/output.h"
#include "cli/units.h"
#include "graph/exchange/csr_arrays.h"
#include "graph/exchange/text_graph.h"
#include "graph/watched_graph.h"
#include "jobs/exchange/common_crawl.h"
#include "jobs/graph/rank_store.h"

namespace crivello::cli {
namespace {

struct GraphImportFlags {
  std::vector<std::string> vertices;
  std::vector<std::string> edges;
  std::string arcs;
  std::string ascii;
  std::string ranks;
  std::string value = "harmonic";
  std::string name = "common-crawl";
  uint64_t nodes = 0;
  GraphChoice graph = {.basename = {}, .level = "host"};
  GraphFilesFlags files;
};

// Assigns the ranks of a release to the nodes of a graph of the collection.
Result<int> ImportRanks(const Session& session, const GraphImportFlags& flags, GraphWork& work) {
  CRV_ASSIGN(const jobs::OpenedGraph graph, OpenChosenGraph(session, flags.graph));
  if (!graph.names) {
    return Status::InvalidArgument(fmt::format(
        "'{}' has no names to find hosts by: its BASENAME.urls is missing; build it with 'crivello graph "
        "build' or import it with --vertices",
        graph.basename));
  }
  CRV_TRY(jobs::CheckRankTarget(session.collection, flags.name, graph));
  CRV_ASSIGN(const jobs::CommonCrawlRanks ranks,
             jobs::ReadCommonCrawlRanks(flags.ranks, **graph.names, work.stop(), work.progress()));
  const auto& values = flags.value == "pagerank" ? ranks.pagerank : ranks.harmonic;
  CRV_TRY(jobs::StoreRank(session.collection, flags.name, graph, flags.value + " of Common Crawl", values));
  if (session.json) {
    Json result = {
        {"rank", flags.name}, {"nodes", values.size()}, {"found", ranks.found}, {"lines", ranks.lines}};
    work.AddTimes(&result);
    PrintJson(session, result);
  } else {
    session.out->Print("rank '{}': {} of {} nodes are among the {} lines of {}\n", flags.name,
                       Grouped(ranks.found), Grouped(values.size()), Grouped(ranks.lines),
                       Printable(flags.ranks));
  }
  return kDone;
}

Result<int> RunGraphImport(const Session& session, const GraphImportFlags& flags) {
  GraphWork work(session);
  if (!flags.ranks.empty()) return ImportRanks(session, flags, work);
  if (flags.files.to.empty()) {
    return Status::InvalidArgument("--to is missing: the basename of the graph to write");
  }
  jobs::GraphFilesSummary summary;
  if (!flags.vertices.empty() || !flags.edges.empty()) {
    if (flags.vertices.empty() || flags.edges.empty()) {
      return Status::InvalidArgument(
          "--vertices and --edges are of no use alone: give both files of the release");
    }
    CRV_ASSIGN(const jobs::CommonCrawlSummary release,
               jobs::ImportCommonCrawl({.vertices = flags.vertices,
                                        .edges = flags.edges,
                                        .to = flags.files.to,
                                        .memory_bytes = flags.files.memory,
                                        .threads = flags.files.threads,
                                        .stop = work.stop()},
                                       work.progress()));
    CRV_ASSIGN(const jobs::OpenedGraph graph, jobs::OpenGraphFiles(flags.files.to));
    summary = {.nodes = release.nodes, .arcs = release.arcs, .bytes = graph.graph_bytes};
  } else if (!flags.arcs.empty() || !flags.ascii.empty()) {
    const bool ascii = flags.arcs.empty();
    CRV_ASSIGN(summary, jobs::ImportGraphText(ascii ? jobs::GraphText::kAscii : jobs::GraphText::kArcs,
                                              ascii ? flags.ascii : flags.arcs, flags.nodes,
                                              GraphFilesOptionsOf(flags.files, work), work.progress()));
  } else {
    return Status::InvalidArgument(
        "nothing to import: give --vertices and --edges, --arcs, --ascii or --ranks");
  }
  PrintGraphFiles(session, flags.files.to, summary, work);
  return kDone;
}

struct GraphExportFlags {
  GraphChoice graph;
  std::string format = "arcs";
  std::string to;
  std::string harmonic;
  std::string pagerank;
};

Result<int> RunGraphExport(const Session& session, const GraphExportFlags& flags) {
  GraphWork work(session);
  CRV_ASSIGN(const jobs::OpenedGraph graph, OpenChosenGraph(session, flags.graph));
  const graph::WatchedGraph watched(*graph.graph, work.progress(), work.stop());
  if (flags.format != "common-crawl") {
    work.progress().Start("exporting the graph", graph.graph->nodes());
    CRV_TRY(flags.format == "arcs"    ? graph::WriteArcList(watched, flags.to)
            : flags.format == "ascii" ? graph::WriteAsciiGraph(watched, flags.to)
                                      : graph::WriteCsrArrays(watched, flags.to));
    work.progress().Finish();
  } else {
    if (!graph.names) {
      return Status::InvalidArgument(
          fmt::format("'{}' has no names of hosts to export: its BASENAME.urls is missing; choose another "
                      "--format, or export a graph of the collection with --level",
                      graph.basename));
    }
    std::vector<double> harmonic, pagerank;
    if (!flags.harmonic.empty()) {
      CRV_ASSIGN(harmonic, jobs::ReadDoubles(flags.harmonic, graph.graph->nodes()));
    }
    if (!flags.pagerank.empty()) {
      CRV_ASSIGN(pagerank, jobs::ReadDoubles(flags.pagerank, graph.graph->nodes()));
    }
    std::vector<uint32_t> hosts;
    if (flags.graph.basename.empty() && flags.graph.level == "domain") {
      const auto host_graph = jobs::OpenCollectionGraph(session.collection, jobs::GraphLevel::kHost);
      if (host_graph.ok() && host_graph->names) {
        CRV_ASSIGN(hosts, jobs::CountHosts(**host_graph->names, **graph.names));
      }
    }
    CRV_TRY(jobs::ExportCommonCrawl(
        *graph.graph, **graph.names,
        {.to = flags.to, .harmonic = harmonic, .pagerank = pagerank, .hosts = hosts, .stop = work.stop()},
        work.progress()));
  }
  if (session.json) {
    Json result = {{"to", flags.to}, {"nodes", graph.graph->nodes()}, {"arcs", graph.graph->arcs()}};
    work.AddTimes(&result);
    PrintJson(session, result);
  } else {
    session.out->Print("{}: {} nodes, {} arcs, {:.1f} s\n", Printable(flags.to),
                       Grouped(graph.graph->nodes()), Grouped(graph.graph->arcs()), work.seconds());
  }
  return kDone;
}

}  // namespace

void AddGraphExchange(CLI::App& graph, Session& session) {
  CLI::App* import = graph.add_subcommand("import", "Read a graph, or ranks, that other programs wrote");
  auto in = std::make_shared<GraphImportFlags>();
  import
      ->add_option("--vertices", in->vertices,
                   "Common Crawl's vertices.txt.gz, or a list of parts (.paths.gz)")
      ->type_name("FILE");
  import->add_option("--edges", in->edges, "Common Crawl's edges.txt.gz, or a list of parts (.paths.gz)")
      ->type_name("FILE");
  import
      ->add_option("--arcs", in->arcs, "A list of arcs: source and target in each line; - is standard input")
      ->type_name("FILE");
  import->add_option("--ascii", in->ascii, "WebGraph's ASCII format (.graph-txt)")->type_name("FILE");
  import
      ->add_option("--ranks", in->ranks,
                   "Common Crawl's ranks.txt.gz, for the hosts of a graph of the collection")
      ->type_name("FILE");
  import->add_option("--value", in->value, "Rank to read from each line")
      ->check(CLI::IsMember({"harmonic", "pagerank"}))
      ->capture_default_str();
  import->add_option("--as", in->name, "Name of the rank")->type_name("NAME")->capture_default_str();
  import->add_option("--nodes", in->nodes, "Minimum number of nodes, for --arcs")
      ->check(Natural())
      ->capture_default_str();
  AddGraphChoice(*import, in->graph);
  import->add_option("--to", in->files.to, "Basename of the graph to write")->type_name("BASENAME");
  AddSizeOption(*import, "--memory", in->files.memory, "Memory for sorting; the rest is sorted on disk");
  import->add_option("--threads", in->files.threads, "Number of threads")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  import->footer(
      "Examples:\n"
      "  crivello graph import --vertices host-vertices.paths.gz --edges host-edges.paths.gz --to cc-host\n"
      "  crivello graph import --ranks host-ranks.txt.gz --level host --as common-crawl\n"
      "  crivello graph import --arcs arcs.tsv --to mine");
  Runs(*import, session, [&session, in] { return RunGraphImport(session, *in); });

  CLI::App* export_command = graph.add_subcommand("export", "Write a graph for other programs");
  auto out = std::make_shared<GraphExportFlags>();
  AddGraphChoice(*export_command, out->graph);
  export_command
      ->add_option(
          "--format", out->format,
          "arcs: a list; ascii: WebGraph's text; npy: CSR arrays for Python; common-crawl: its four files")
      ->check(CLI::IsMember({"arcs", "ascii", "npy", "common-crawl"}))
      ->capture_default_str();
  export_command->add_option("--to", out->to, "File to write, or the beginning of the names of several")
      ->type_name("FILE")
      ->required();
  export_command
      ->add_option("--harmonic", out->harmonic, "Doubles of 'rank harmonic --save', for ranks.txt.gz")
      ->type_name("FILE");
  export_command
      ->add_option("--pagerank", out->pagerank, "Doubles of 'rank pagerank --save', for ranks.txt.gz")
      ->type_name("FILE");
  export_command->footer(
      "Graphs are in WebGraph's own files already: copy .graph, .offsets and .properties.\n"
      "\n"
      "Examples:\n"
      "  crivello graph export --level host --format common-crawl --to my-crawl\n"
      "  crivello graph export --graph cnr-2000 --format npy --to cnr-2000");
  Runs(*export_command, session, [&session, out] { return RunGraphExport(session, *out); });
}

}  // namespace crivello::cli
