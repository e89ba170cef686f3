// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/graph_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "base/copy_file.h"
#include "base/external_sorter.h"
#include "base/scratch_folder.h"
#include "graph/bv/bv_graph.h"
#include "graph/ef/ef_graph.h"
#include "graph/exchange/text_graph.h"
#include "graph/names/name_list_writer.h"
#include "graph/transform/orders.h"
#include "graph/transform/select.h"
#include "graph/transform/transpose.h"
#include "jobs/graph/graph_folder.h"
#include "web/url/row_key.h"

namespace crivello::jobs {
namespace {

constexpr uint64_t kNodesBetweenLooks = 1 << 14;

Status StoppedWriting() { return Status::Unavailable("writing of the graph was stopped"); }

// Calls `make` to produce a graph, and writes it in the requested format.
Result<GraphFilesSummary> WriteFromSink(const GraphFilesOptions& options,
                                        const std::function<Status(const graph::NodeSink&)>& make) {
  GraphFilesSummary summary;
  const bool bv = options.format == GraphFormat::kBv;
  std::optional<ScratchFolder> scratch;  // an Elias-Fano graph needs a complete graph as input
  std::string basename = options.to;
  if (!bv) {
    CRV_ASSIGN(ScratchFolder folder, ScratchFolder::Create({.prefix = "crivello-graph-"}));
    basename = folder / "graph";
    scratch.emplace(std::move(folder));
  }
  CRV_ASSIGN(auto writer, graph::BvWriter::Create(
                              basename, {.parameters = options.parameters, .threads = options.threads}));
  uint64_t seen = 0;
  CRV_TRY(make([&](std::span<const graph::Node> successors) -> Status {
    if (++seen % kNodesBetweenLooks == 0 && options.stop.stop_requested()) return StoppedWriting();
    summary.nodes++;
    summary.arcs += successors.size();
    return writer.Add(successors);
  }));
  if (bv) CRV_TRY(RemoveLeftovers(options.to, GraphFormat::kBv));
  CRV_ASSIGN(const graph::BvStats stats, writer.Finish());
  summary.bytes = (stats.graph_bits() + 7) / 8;
  if (bv) return summary;
  CRV_ASSIGN(const auto complete, graph::BvGraph::Open(basename));
  const std::string path = options.to + std::string(kEfEnding);
  CRV_TRY(graph::WriteEfGraph(*complete, path));
  CRV_TRY(RemoveLeftovers(options.to, GraphFormat::kEf));
  std::error_code error;
  summary.bytes = std::filesystem::file_size(path, error);
  return summary;
}

// Copies the names of the same nodes.
Status CopyNames(const OpenedGraph& graph, const std::string& to) {
  if (!graph.names) return Status::Ok();
  CRV_ASSIGN(AtomicFile copy, AtomicFile::Create(NamesPath(to)));
  CRV_ASSIGN(const MappedFile names, MappedFile::Open(graph.names->file().path()));
  CRV_TRY(copy.Append(names.bytes()));
  return copy.Finish();
}

// The names of renumbered nodes: node i was old_number[i].
Status WriteNamesOf(const graph::NameList& before, std::span<const graph::Node> old_number,
                    const GraphFilesOptions& options) {
  CRV_ASSIGN(const ScratchFolder scratch, ScratchBeside(options.to));
  graph::NameListBuilder names({.folder = scratch.path(), .memory_bytes = options.memory_bytes});
  for (const graph::Node old : old_number) {
    const std::string name = before.Name(old);
    CRV_TRY(names.Add(name.empty() ? fmt::format("removed.{}", names.size()) : name));
  }
  return names.WriteTo({.path = NamesPath(options.to), .form = std::string(before.form())}).status();
}

// Whether a host is one of these, or below one of them.
bool IsOfHosts(std::string_view host, std::span<const std::string> hosts) {
  return std::any_of(hosts.begin(), hosts.end(), [host](const std::string& other) {
    return host.ends_with(other) &&
           (host.size() == other.size() || host[host.size() - other.size() - 1] == '.');
  });
}

Status CheckTarget(const OpenedGraph& graph, const GraphFilesOptions& options) {
  if (!SameGraphFiles(options.to, graph.basename)) return Status::Ok();
  return Status::InvalidArgument(
      fmt::format("'{}' is the graph that is read: choose another basename with --to", options.to));
}

// The same nodes with reversed arcs, instead of the original arcs or in addition to them.
using TurnArcs = Status (*)(const graph::Graph&, const graph::TransposeOptions&, const graph::NodeSink&,
                            Progress&);
Result<GraphFilesSummary> WriteTurned(const OpenedGraph& graph, TurnArcs turn,
                                      const GraphFilesOptions& options, Progress& progress) {
  CRV_TRY(CheckTarget(graph, options));
  CRV_ASSIGN(const GraphFilesSummary summary, WriteFromSink(options, [&](const graph::NodeSink& sink) {
               return turn(*graph.graph, {.memory_bytes = options.memory_bytes, .stop = options.stop}, sink,
                           progress);
             }));
  CRV_TRY(CopyNames(graph, options.to));
  return summary;
}

}  // namespace

Result<GraphFilesSummary> CompressGraph(const OpenedGraph& graph, const GraphFilesOptions& options,
                                        Progress& progress) {
  CRV_TRY(CheckTarget(graph, options));
  progress.Start("compressing the graph", graph.graph->nodes());
  CRV_ASSIGN(const GraphFilesSummary summary,
             WriteFromSink(options, [&](const graph::NodeSink& sink) -> Status {
               const auto cursor = graph.graph->Scan();
               while (cursor->Next()) {
                 if (cursor->node() % kNodesBetweenLooks == kNodesBetweenLooks - 1) {
                   progress.Advance(kNodesBetweenLooks);
                 }
                 CRV_TRY(sink(cursor->successors()));
               }
               return cursor->status();
             }));
  progress.Finish();
  CRV_TRY(CopyNames(graph, options.to));
  return summary;
}

Result<GraphFilesSummary> TransposeGraph(const OpenedGraph& graph, const GraphFilesOptions& options,
                                         Progress& progress) {
  return WriteTurned(graph, graph::Transpose, options, progress);
}

Result<GraphFilesSummary> SymmetriseGraph(const OpenedGraph& graph, const GraphFilesOptions& options,
                                          Progress& progress) {
  return WriteTurned(graph, graph::Symmetrise, options, progress);
}

Result<GraphFilesSummary> UniteGraphs(const OpenedGraph& a, const OpenedGraph& b,
                                      const GraphFilesOptions& options, Progress& progress) {
  CRV_TRY(CheckTarget(a, options));
  CRV_TRY(CheckTarget(b, options));
  const uint64_t names_of_a = a.names ? (*a.names)->identity() : 0;
  const uint64_t names_of_b = b.names ? (*b.names)->identity() : 0;
  if (a.graph->nodes() != b.graph->nodes() || names_of_a != names_of_b) {
    return Status::InvalidArgument(fmt::format(
        "cannot unite '{}' and '{}': their nodes are not the same; expected two graphs with the same "
        "names in the same order, such as a graph and its transpose",
        a.basename, b.basename));
  }
  progress.Start("uniting the graphs", 0);
  CRV_ASSIGN(const GraphFilesSummary summary, WriteFromSink(options, [&](const graph::NodeSink& sink) {
               return graph::Unite(*a.graph, *b.graph, sink);
             }));
  progress.Finish();
  CRV_TRY(CopyNames(a, options.to));
  return summary;
}

Result<GraphFilesSummary> SubgraphOfHosts(const OpenedGraph& graph, const HostFilter& filter,
                                          const GraphFilesOptions& options, Progress& progress) {
  CRV_TRY(CheckTarget(graph, options));
  if (!graph.names || ((*graph.names)->form() != kRowKeyForm && (*graph.names)->form() != kHostForm)) {
    return Status::InvalidArgument(fmt::format(
        "'{0}' has no names of hosts or pages to choose nodes by: {0}.urls is missing", graph.basename));
  }
  const bool of_pages = (*graph.names)->form() == kRowKeyForm;
  progress.Start("choosing nodes", graph.graph->nodes());
  std::vector<graph::Node> kept;
  for (uint64_t node = 0; node < graph.graph->nodes(); node++) {
    if (node % kNodesBetweenLooks == kNodesBetweenLooks - 1) {
      progress.Advance(kNodesBetweenLooks);
      if (options.stop.stop_requested()) return StoppedWriting();
    }
    const std::string name = (*graph.names)->Name(static_cast<graph::Node>(node));
    if (name.empty()) continue;  // it was forgotten
    std::string host;
    if (of_pages) {
      CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(name));
      host = url.hostname();
    } else {
      host = ReverseHost(name);
    }
    if (IsOfHosts(host, filter.hosts) != filter.except) kept.push_back(static_cast<graph::Node>(node));
  }
  progress.Finish();
  if (kept.empty()) {
    return Status::NotFound(fmt::format("{}: no node is left of its {}; check the names of the hosts",
                                        graph.basename, graph.graph->nodes()));
  }
  progress.Start("writing the subgraph", 0);
  CRV_ASSIGN(const GraphFilesSummary summary, WriteFromSink(options, [&](const graph::NodeSink& sink) {
               return graph::Subgraph(*graph.graph, kept, sink);
             }));
  progress.Finish();
  CRV_TRY(WriteNamesOf(**graph.names, kept, options));
  return summary;
}

Result<GraphFilesSummary> PermuteGraph(const OpenedGraph& graph, NodeOrder order, uint64_t seed,
                                       const GraphFilesOptions& options, Progress& progress) {
  CRV_TRY(CheckTarget(graph, options));
  std::vector<graph::Node> new_number;
  switch (order) {
    case NodeOrder::kBreadthFirst: {
      CRV_ASSIGN(new_number, graph::BreadthFirstOrder(*graph.graph));
      break;
    }
    case NodeOrder::kRandom:
      new_number = graph::RandomOrder(graph.graph->nodes(), seed);
      break;
    case NodeOrder::kName: {
      if (!graph.names) {
        return Status::InvalidArgument(
            fmt::format("'{0}' has no names to order its nodes by: {0}.urls is missing; choose another order",
                        graph.basename));
      }
      // Nodes without a name come last.
      new_number.assign(graph.graph->nodes(), static_cast<graph::Node>(graph::kMaxNodes));
      graph::Node next = 0;
      for (auto name = (*graph.names)->Begin(); name.valid(); name.Next()) new_number[name.node()] = next++;
      for (graph::Node& number : new_number) {
        if (number == graph::kMaxNodes) number = next++;
      }
      break;
    }
  }
  progress.Start("writing the graph in another order", 0);
  CRV_ASSIGN(const GraphFilesSummary summary, WriteFromSink(options, [&](const graph::NodeSink& sink) {
               return graph::Permute(*graph.graph, new_number, sink);
             }));
  progress.Finish();
  if (!graph.names) return summary;
  CRV_ASSIGN(const std::vector<graph::Node> old_number, graph::InversePermutation(new_number));
  CRV_TRY(WriteNamesOf(**graph.names, old_number, options));
  return summary;
}

Result<GraphFilesSummary> ImportGraphText(GraphText kind, const std::string& path, uint64_t nodes,
                                          const GraphFilesOptions& options, Progress& progress) {
  if (kind == GraphText::kAscii) {
    CRV_ASSIGN(auto reader, graph::AsciiGraphReader::Open(path));
    progress.Start("reading the graph", reader.nodes());
    auto summary = WriteFromSink(options, [&](const graph::NodeSink& sink) -> Status {
      uint64_t read = 0;
      while (reader.Next()) {
        if (++read % kNodesBetweenLooks == 0) progress.Advance(kNodesBetweenLooks);
        CRV_TRY(sink(reader.successors()));
      }
      return reader.status();
    });
    progress.Finish();
    return summary;
  }
  CRV_ASSIGN(const ScratchFolder scratch, ScratchBeside(options.to));
  ExternalSorter arcs({.folder = scratch.path(), .memory_bytes = options.memory_bytes});
  CRV_ASSIGN(auto reader, graph::ArcListReader::Open(path));
  progress.Start("reading arcs", 0);
  std::string record;
  uint64_t read = 0;
  while (reader.Next()) {
    if (++read % kNodesBetweenLooks == 0) {
      progress.Advance(kNodesBetweenLooks);
      if (options.stop.stop_requested()) return StoppedWriting();
    }
    record.clear();
    for (const graph::Node node : {reader.arc().first, reader.arc().second}) {
      nodes = std::max(nodes, uint64_t{node} + 1);
      for (const int shift : {24, 16, 8, 0}) record += static_cast<char>(node >> shift & 0xff);
    }
    CRV_TRY(arcs.Add(record));
  }
  CRV_TRY(reader.status());
  progress.Finish();
  progress.Start("compressing the graph", nodes);
  auto summary = WriteFromSink(options, [&](const graph::NodeSink& sink) -> Status {
    CRV_TRY(arcs.Sort());
    bool any = arcs.Next();
    const auto number = [&arcs](size_t at) {
      graph::Node node = 0;
      for (const char byte : arcs.record().substr(at, 4)) node = node << 8 | static_cast<uint8_t>(byte);
      return node;
    };
    std::vector<graph::Node> successors;
    for (uint64_t node = 0; node < nodes; node++) {
      successors.clear();
      for (; any && number(0) == node; any = arcs.Next()) {
        const graph::Node target = number(4);
        if (successors.empty() || successors.back() != target) successors.push_back(target);
      }
      if (node % kNodesBetweenLooks == kNodesBetweenLooks - 1) progress.Advance(kNodesBetweenLooks);
      CRV_TRY(sink(successors));
    }
    return arcs.status();
  });
  progress.Finish();
  return summary;
}

Result<Neighbours> NeighboursOf(const OpenedGraph& graph, graph::Node node, std::stop_token stop) {
  Neighbours neighbours;
  const auto cursor = graph.graph->Scan();
  while (cursor->Next()) {
    const auto successors = cursor->successors();
    if (cursor->node() == node) neighbours.successors.assign(successors.begin(), successors.end());
    if (std::binary_search(successors.begin(), successors.end(), node)) {
      neighbours.predecessors.push_back(cursor->node());
    }
    if (cursor->node() % kNodesBetweenLooks == 0 && stop.stop_requested()) {
      return Status::Unavailable("looking for neighbours was stopped");
    }
  }
  CRV_TRY(cursor->status());
  return neighbours;
}

}  // namespace crivello::jobs
