// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

#include "base/clock.h"
#include "base/process_usage.h"
#include "base/status.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/signals.h"
#include "cli/terminal_progress.h"
#include "jobs/graph/graph_files.h"
#include "jobs/graph/graph_store.h"

namespace CLI {
class App;
}

namespace crivello::cli {

// The graph that a command works on: one of a level of the collection, or files.
struct GraphChoice {
  std::string basename = {};
  std::string level = "page";
};
// The options --graph and --level.
void AddGraphChoice(CLI::App& command, GraphChoice& choice);
Result<jobs::OpenedGraph> OpenChosenGraph(const Session& session, const GraphChoice& choice);

// A long operation of a command: its progress, how long it took, and a token that an interrupt stops. Create
// it before other threads.
class GraphWork {
 public:
  explicit GraphWork(const Session& session);
  ~GraphWork();
  GraphWork(const GraphWork&) = delete;
  GraphWork& operator=(const GraphWork&) = delete;

  Progress& progress() { return *progress_; }
  std::stop_token stop() const { return stop_.get_token(); }
  double seconds() const;
  double cpu_seconds() const { return CpuSeconds() - cpu_; }
  // Adds both times to a result.
  void AddTimes(Json* result) const;

 private:
  std::stop_source stop_;
  Signals signals_;
  std::unique_ptr<Progress> progress_;
  MonotonicTime start_;
  double cpu_;
};

// Options common to several commands.
struct GraphFilesFlags {
  std::string to = {};
  uint64_t memory = uint64_t{1} << 30;
  unsigned threads = 1;
};
void AddGraphFilesOptions(CLI::App& command, GraphFilesFlags& flags);
jobs::GraphFilesOptions GraphFilesOptionsOf(const GraphFilesFlags& flags, const GraphWork& work);
void PrintGraphFiles(const Session& session, const std::string& to, const jobs::GraphFilesSummary& summary,
                     const GraphWork& work);

// The parts of `graph`; each function adds subcommands to it.
void AddGraphMaking(CLI::App& graph, Session& session);    // build, compress, transpose, permute, select
void AddGraphExchange(CLI::App& graph, Session& session);  // import, export
void AddGraphViews(CLI::App& graph, Session& session);     // stats, components, neighbours, plot

}  // namespace crivello::cli
