// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands/graph_session.h"
#include "cli/output.h"
#include "cli/units.h"

namespace crivello::cli {

void AddGraphChoice(CLI::App& command, GraphChoice& choice) {
  CLI::Option* graph =
      command.add_option("--graph", choice.basename, "Graph in files: their common name, without .graph")
          ->type_name("BASENAME");
  command.add_option("--level", choice.level, "Graph of the collection: page, host or domain")
      ->check(CLI::IsMember({"page", "host", "domain"}))
      ->capture_default_str()
      ->excludes(graph);
}

Result<jobs::OpenedGraph> OpenChosenGraph(const Session& session, const GraphChoice& choice) {
  if (!choice.basename.empty()) return jobs::OpenGraphFiles(choice.basename);
  CRV_ASSIGN(const jobs::GraphLevel level, jobs::ParseGraphLevel(choice.level));
  return jobs::OpenCollectionGraph(session.collection, level);
}

GraphWork::GraphWork(const Session& session)
    : signals_(*session.log),
      progress_(MakeProgress(session)),
      start_(SystemClock().Now()),
      cpu_(CpuSeconds()) {
  signals_.OnInterrupt([this] { stop_.request_stop(); });
}

GraphWork::~GraphWork() { signals_.OnInterrupt({}); }

double GraphWork::seconds() const {
  return std::chrono::duration<double>(SystemClock().Now() - start_).count();
}

void GraphWork::AddTimes(Json* result) const {
  (*result)["seconds"] = seconds();
  (*result)["cpu_seconds"] = cpu_seconds();
}

void AddGraphFilesOptions(CLI::App& command, GraphFilesFlags& flags) {
  command.add_option("--to", flags.to, "Basename of the files to write")->type_name("BASENAME")->required();
  AddSizeOption(command, "--memory", flags.memory, "Memory limit");
  command.add_option("--threads", flags.threads, "Number of threads")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
}

jobs::GraphFilesOptions GraphFilesOptionsOf(const GraphFilesFlags& flags, const GraphWork& work) {
  return {.to = flags.to, .threads = flags.threads, .memory_bytes = flags.memory, .stop = work.stop()};
}

void PrintGraphFiles(const Session& session, const std::string& to, const jobs::GraphFilesSummary& summary,
                     const GraphWork& work) {
  if (session.json) {
    Json result = {{"to", to},
                   {"nodes", summary.nodes},
                   {"arcs", summary.arcs},
                   {"bytes", summary.bytes},
                   {"bits_per_link", summary.bits_per_link()}};
    work.AddTimes(&result);
    PrintJson(session, result);
  } else {
    session.out->Print("{}: {} nodes, {} arcs, {} ({:.3f} bits per link), {:.1f} s\n", Printable(to),
                       Grouped(summary.nodes), Grouped(summary.arcs), FormatSize(summary.bytes),
                       summary.bits_per_link(), work.seconds());
  }
}

void AddGraphCommand(CLI::App& app, Session& session) {
  CLI::App* graph = app.add_subcommand("graph", "Build, convert and examine link graphs");
  graph->require_subcommand(1);
  AddGraphMaking(*graph, session);
  AddGraphExchange(*graph, session);
  AddGraphViews(*graph, session);
  graph->footer(
      "A graph in files is BASENAME.graph, .offsets and .properties, as WebGraph writes them, and for the "
      "names\n"
      "of its nodes BASENAME.urls.  docs/graph.md leads from a crawl, or from a release of Common Crawl, to "
      "ranks\n"
      "in search.\n"
      "\n"
      "Examples:\n"
      "  crivello graph build\n"
      "  crivello graph stats --level host\n"
      "  crivello graph neighbours https://example.org/");
}

}  // namespace crivello::cli
