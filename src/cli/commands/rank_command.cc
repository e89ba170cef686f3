// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "base/line_reader.h"
#include "cli/app.h"
#include "cli/commands/graph_session.h"
#include "cli/output.h"
#include "cli/units.h"
#include "jobs/graph/node_values.h"
#include "jobs/graph/rank_store.h"

namespace crivello::cli {
namespace {

struct RankFlags {
  GraphChoice graph;
  jobs::ComputeRankOptions compute;
  std::string method = "power";
  std::string dangling = "uniform";
  std::string trusted;
  std::string preference;
  uint64_t top = 20;
  std::string save;
  std::string name;
};

Result<int> RunRank(const Session& session, RankFlags flags) {
  GraphWork work(session);
  flags.compute.stop = work.stop();
  if (!flags.trusted.empty()) {
    CRV_ASSIGN(LineReader lines, LineReader::Open(flags.trusted));
    while (lines.Next()) {
      if (!lines.line().empty()) flags.compute.trusted.emplace_back(lines.line());
    }
    CRV_TRY(lines.status());
    if (flags.compute.trusted.empty()) {
      return Status::InvalidArgument(
          fmt::format("{}: the file names no page or host to trust; put one in each line", flags.trusted));
    }
  }
  CRV_ASSIGN(const jobs::OpenedGraph graph, OpenChosenGraph(session, flags.graph));
  if (!flags.name.empty()) CRV_TRY(jobs::CheckRankTarget(session.collection, flags.name, graph));
  if (!flags.preference.empty()) {
    CRV_ASSIGN(jobs::NodeValues preference,
               jobs::ReadNodeValues(flags.preference, graph, jobs::UnnamedNodes::kZero, work.stop()));
    flags.compute.preference = std::move(preference.values);
  }
  CRV_ASSIGN(const jobs::ComputedRank rank, jobs::ComputeRank(graph, flags.compute, work.progress()));
  if (!flags.save.empty()) CRV_TRY(jobs::SaveDoubles(flags.save, rank.values));
  if (!flags.name.empty()) {
    CRV_TRY(jobs::StoreRank(session.collection, flags.name, graph, rank.how, rank.values));
  }
  const std::vector<graph::Node> top = jobs::TopNodes(rank.values, flags.top);
  Table table({{"rank", true}, {"value", true}, {graph.names ? "name" : "node"}});
  for (size_t i = 0; i < top.size(); i++) {
    if (!session.json) {
      table.Row({std::to_string(i + 1), fmt::format("{:.6g}", rank.values[top[i]]),
                 Printable(graph.Display(top[i]))});
      continue;
    }
    Json line = {{"rank", i + 1}, {"node", top[i]}};
    if (graph.names) line["url"] = graph.Display(top[i]);
    line["value"] = rank.values[top[i]];
    PrintJson(session, line);
  }
  if (session.json) {
    Json done = {{"event", "done"}, {"iterations", rank.iterations}, {"error", rank.error}};
    done["converged"] = rank.converged;
    work.AddTimes(&done);
    PrintJson(session, done);
  } else {
    if (!top.empty()) session.out->Print("{}", table.ToString());
    // For HyperBall it is the average error; for the other methods a proven bound.
    const bool estimated = flags.compute.method == jobs::RankMethod::kHarmonic;
    session.out->Print("{} iterations, {} {:.2g}{}, {:.1f} s\n", rank.iterations,
                       estimated ? "relative standard error of a value" : "error at most", rank.error,
                       rank.converged ? "" : " (more than asked for)", work.seconds());
  }
  return rank.converged ? kDone : kNothingFound;
}

struct RankImportFlags {
  GraphChoice graph;
  std::string file;
  std::string name;
  bool doubles = false;
};

Result<int> RunRankImport(const Session& session, const RankImportFlags& flags) {
  GraphWork work(session);
  CRV_ASSIGN(const jobs::OpenedGraph graph, OpenChosenGraph(session, flags.graph));
  CRV_TRY(jobs::CheckRankTarget(session.collection, flags.name, graph));
  jobs::NodeValues read;
  if (flags.doubles) {
    CRV_ASSIGN(read.values, jobs::ReadDoubles(flags.file, graph.graph->nodes()));
    read.named = read.lines = read.values.size();
  } else {
    CRV_ASSIGN(read, jobs::ReadNodeValues(flags.file, graph, jobs::UnnamedNodes::kMedian, work.stop()));
  }
  const std::string how = "imported from " + std::filesystem::path(flags.file).filename().string();
  CRV_TRY(jobs::StoreRank(session.collection, flags.name, graph, how, read.values));
  if (session.json) {
    Json result = {
        {"rank", flags.name}, {"nodes", read.values.size()}, {"found", read.named}, {"lines", read.lines}};
    work.AddTimes(&result);
    PrintJson(session, result);
  } else {
    session.out->Print("rank '{}': {} of {} nodes have a value of {}; the others have the median\n",
                       flags.name, Grouped(read.named), Grouped(read.values.size()), Printable(flags.file));
  }
  return kDone;
}

// The options common to all kinds of rank.
std::shared_ptr<RankFlags> AddRank(CLI::App& rank, const std::string& name, const std::string& about,
                                   CLI::App** command) {
  *command = rank.add_subcommand(name, about);
  auto flags = std::make_shared<RankFlags>();
  AddGraphChoice(**command, flags->graph);
  AddCountOption(**command, "--top", flags->top, "Number of nodes to show, best first");
  (*command)
      ->add_option("--save", flags->save,
                   "File for all values: little-endian doubles in the order of the nodes")
      ->type_name("FILE");
  (*command)
      ->add_option("--as", flags->name, "Keep the rank in the collection under this name, for search")
      ->type_name("NAME");
  (*command)
      ->add_option("--threads", flags->compute.threads, "Number of threads; the result does not depend on it")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  AddSizeOption(**command, "--memory", flags->compute.memory_bytes, "Memory limit");
  return flags;
}

void AddRankTolerance(CLI::App& command, RankFlags& flags) {
  command.add_option("--tolerance", flags.compute.tolerance, "Maximum error of the sum of all values")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--max-iterations", flags.compute.max_passes, "Maximum number of passes over the graph")
      ->check(Natural())
      ->capture_default_str();
}

}  // namespace

void AddRankCommand(CLI::App& app, Session& session) {
  CLI::App* rank = app.add_subcommand("rank", "Rank the nodes of a link graph");
  rank->require_subcommand(1);
  rank->footer(
      "Examples:\n"
      "  crivello rank pagerank --as pagerank\n"
      "  crivello rank harmonic --level host\n"
      "  crivello rank import scores.tsv --as mine\n"
      "  crivello rank pagerank --graph cnr-2000 --save cnr-2000.ranks");

  CLI::App* pagerank = nullptr;
  auto flags = AddRank(*rank, "pagerank", "Rank nodes by PageRank", &pagerank);
  pagerank->add_option("--alpha", flags->compute.alpha, "Probability to follow a link")
      ->check(CLI::Range(0.0, 0.9999))
      ->capture_default_str();
  pagerank->add_option("--method", flags->method, "Algorithm; gauss-seidel needs about half the passes")
      ->check(CLI::IsMember({"power", "gauss-seidel"}))
      ->capture_default_str();
  pagerank
      ->add_option("--dangling", flags->dangling,
                   "Where the rank of nodes without links goes: evenly to all, by preference, nowhere")
      ->check(CLI::IsMember({"uniform", "preference", "none"}))
      ->capture_default_str();
  CLI::Option* trusted = pagerank
                             ->add_option("--trusted", flags->trusted,
                                          "File of pages or hosts that the surfer starts from, one per line")
                             ->type_name("FILE");
  pagerank
      ->add_option(
          "--preference", flags->preference,
          "File of preferences: a page or host and a number in each line; nodes that it does not name have 0")
      ->type_name("FILE")
      ->excludes(trusted);
  AddRankTolerance(*pagerank, *flags);
  pagerank->footer(
      "The error that is printed is proved: the sum of the differences from the exact values is at most "
      "that.\n"
      "\n"
      "Examples:\n"
      "  crivello rank pagerank --as pagerank\n"
      "  crivello rank pagerank --level host --trusted trusted.txt --as trust");
  Runs(*pagerank, session, [&session, flags] {
    RankFlags all = *flags;
    all.compute.method =
        all.method == "power" ? jobs::RankMethod::kPageRankPower : jobs::RankMethod::kPageRankGaussSeidel;
    all.compute.dangling = all.dangling == "none"         ? graph::DanglingNodes::kNone
                           : all.dangling == "preference" ? graph::DanglingNodes::kPreference
                                                          : graph::DanglingNodes::kUniform;
    return RunRank(session, std::move(all));
  });

  CLI::App* eigenvector = nullptr;
  auto of_eigenvector =
      AddRank(*rank, "eigenvector", "Rank nodes by the dominant eigenvector of the graph", &eigenvector);
  AddRankTolerance(*eigenvector, *of_eigenvector);
  eigenvector->footer(
      "Examples:\n"
      "  crivello rank eigenvector --level host");
  Runs(*eigenvector, session, [&session, of_eigenvector] {
    RankFlags all = *of_eigenvector;
    all.compute.method = jobs::RankMethod::kEigenvector;
    return RunRank(session, std::move(all));
  });

  CLI::App* harmonic = nullptr;
  auto of_harmonic =
      AddRank(*rank, "harmonic", "Rank nodes by harmonic centrality: the sum of 1/distance from all others",
              &harmonic);
  harmonic
      ->add_option("--log2m", of_harmonic->compute.log_registers,
                   "Precision: registers of a counter, as a power of 2 (error 1.06 / sqrt of their number)")
      ->check(CLI::Range(4, 16))
      ->capture_default_str();
  harmonic
      ->add_option("--runs", of_harmonic->compute.runs,
                   "Number of runs with different counters; the result is their mean")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  harmonic->add_option("--seed", of_harmonic->compute.seed, "Seed of the counters")
      ->check(Natural())
      ->capture_default_str();
  harmonic->footer(
      "Examples:\n"
      "  crivello rank harmonic --as harmonic\n"
      "  crivello rank harmonic --graph cnr-2000 --log2m 8 --save harmonic.doubles");
  Runs(*harmonic, session, [&session, of_harmonic] {
    RankFlags all = *of_harmonic;
    all.compute.method = jobs::RankMethod::kHarmonic;
    return RunRank(session, std::move(all));
  });

  CLI::App* import = rank->add_subcommand("import", "Keep values of your own as a rank, for search");
  auto imported = std::make_shared<RankImportFlags>();
  import
      ->add_option("FILE", imported->file,
                   "A URL, host or number of a node, and a value, in each line; - is standard input")
      ->required();
  AddGraphChoice(*import, imported->graph);
  import->add_option("--as", imported->name, "Name of the rank")->type_name("NAME")->required();
  import->add_flag("--doubles", imported->doubles,
                   "FILE has little-endian doubles in the order of the nodes, as --save writes them");
  import->footer(
      "Larger values are better. Nodes that FILE does not name have the median of those that it names.\n"
      "'graph import --ranks' reads the ranks of Common Crawl.\n"
      "\n"
      "Examples:\n"
      "  crivello rank import scores.tsv --as mine\n"
      "  crivello rank import hosts.txt --level host --as trust\n"
      "  crivello rank import values.doubles --doubles --as mine");
  Runs(*import, session, [&session, imported] { return RunRankImport(session, *imported); });
}

}  // namespace crivello::cli
