// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/rank_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>

#include "base/atomic_file.h"
#include "base/folder.h"
#include "base/mapped_file.h"
#include "base/scratch_folder.h"
#include "graph/bv/bv_graph.h"
#include "graph/bv/bv_writer.h"
#include "graph/distances/hyper_ball.h"
#include "graph/rank/dominant_eigenvector.h"
#include "graph/rank_file.h"
#include "graph/resident_graph.h"
#include "graph/transform/transpose.h"
#include "index/ranks/rank_scale.h"
#include "jobs/graph/graph_folder.h"

namespace crivello::jobs {
namespace {

// A transposed graph, in memory or in files that are removed with it.
struct TransposedGraph {
  std::optional<ScratchFolder> folder;
  std::unique_ptr<graph::Graph> graph;
};

Result<TransposedGraph> TransposeFor(const graph::Graph& graph, const ComputeRankOptions& options,
                                     Progress& progress) {
  TransposedGraph transposed;
  if (graph::ArrayGraphBytes(graph.nodes(), graph.arcs()) <= options.memory_bytes / 2) {
    progress.Start("transposing the graph", 0);
    CRV_ASSIGN(graph::ArrayGraph in_memory, graph::TransposeInMemory(graph));
    progress.Finish();
    transposed.graph = std::make_unique<graph::ArrayGraph>(std::move(in_memory));
    return transposed;
  }
  CRV_ASSIGN(ScratchFolder folder, ScratchFolder::Create({.prefix = "crivello-graph-"}));
  const std::string basename = folder / "transposed";
  CRV_ASSIGN(auto writer, graph::BvWriter::Create(basename, {.threads = options.threads}));
  CRV_TRY(graph::Transpose(
      graph, {.memory_bytes = options.memory_bytes / 2, .stop = options.stop},
      [&writer](std::span<const graph::Node> successors) { return writer.Add(successors); }, progress));
  CRV_TRY(writer.Finish().status());
  CRV_ASSIGN(transposed.graph, graph::BvGraph::Open(basename));
  transposed.folder.emplace(std::move(folder));
  return transposed;
}

Result<ComputedRank> ComputePageRank(const OpenedGraph& graph, const graph::Graph& transposed,
                                     const ComputeRankOptions& options, Progress& progress) {
  std::vector<double> preference = options.preference;
  if (!options.trusted.empty()) {
    preference.assign(graph.graph->nodes(), 0);
    for (const std::string& text : options.trusted) {
      CRV_ASSIGN(const graph::Node node, graph.Find(text));
      preference[node] = 1;
    }
  }
  const graph::PageRankOptions pagerank = {.alpha = options.alpha,
                                           .preference = preference,
                                           .dangling = options.dangling,
                                           .tolerance = options.tolerance,
                                           .max_passes = options.max_passes,
                                           .threads = options.threads,
                                           .memory_bytes = options.memory_bytes / 2,
                                           .stop = options.stop};
  const bool power = options.method == RankMethod::kPageRankPower;
  CRV_ASSIGN(graph::Rank rank, power ? graph::PageRankByPowerMethod(transposed, pagerank, progress)
                                     : graph::PageRankByGaussSeidel(transposed, pagerank, progress));
  return ComputedRank{.values = std::move(rank.values),
                      .iterations = rank.passes,
                      .error = rank.error,
                      .converged = rank.converged,
                      .how = fmt::format("pagerank alpha={}{}", options.alpha,
                                         !options.trusted.empty()      ? " from trusted sites"
                                         : !options.preference.empty() ? " with a preference vector"
                                                                       : "")};
}

// The file of a rank, and the level of its nodes.
struct RankTarget {
  std::string path;
  graph::RankOrigin origin;
};
Result<RankTarget> TargetOf(const std::string& collection, const std::string& name,
                            const OpenedGraph& graph) {
  if (!index::IsRankName(name)) {
    return Status::InvalidArgument(
        fmt::format("invalid name '{}' of a rank: expected a lower-case letter, then lower-case letters, "
                    "digits and '-', at most 40",
                    name));
  }
  // A rank with such a name could not be chosen: --static, --sort and --order mean something else by it.
  for (const char* const taken : {"none", "date", "url", "bisection", "inlinks", "depth"}) {
    if (name == taken) {
      return Status::InvalidArgument(
          fmt::format("'{}' cannot be the name of a rank, because it has a meaning of its own in searches or "
                      "indexes; choose another name",
                      name));
    }
  }
  CRV_ASSIGN(std::string path, RankPath(collection, name));
  // If each host is a domain, both lists of names are equal: then the location of the graph decides.
  for (const bool in_place : {true, false}) {
    for (const GraphLevel level : kGraphLevels) {
      const std::string basename = GraphBasename(collection, level);
      if (!graph.names || (in_place && basename != graph.basename)) continue;
      const auto names = Mapped<graph::NameList>::Open(NamesPath(basename), {.verify = Verify::kEnvelope});
      if (!names.ok() || (*names)->identity() != (*graph.names)->identity()) continue;
      return RankTarget{
          .path = std::move(path),
          .origin = {
              .names = std::string(GraphFileName(level)), .names_identity = (*names)->identity(), .how = {}}};
    }
  }
  return Status::InvalidArgument(fmt::format(
      "'{}' cannot rank the pages of '{}': it is not one of its graphs; leave out --graph, or build "
      "the graph of the collection first",
      graph.basename, collection));
}

}  // namespace

Result<ComputedRank> ComputeRank(const OpenedGraph& graph, const ComputeRankOptions& options,
                                 Progress& progress) {
  CRV_ASSIGN(const TransposedGraph transposed, TransposeFor(*graph.graph, options, progress));
  switch (options.method) {
    case RankMethod::kPageRankPower:
    case RankMethod::kPageRankGaussSeidel:
      return ComputePageRank(graph, *transposed.graph, options, progress);
    case RankMethod::kEigenvector: {
      CRV_ASSIGN(graph::DominantEigenvector vector,
                 graph::FindDominantEigenvector(*transposed.graph,
                                                {.tolerance = options.tolerance,
                                                 .max_passes = options.max_passes,
                                                 .threads = options.threads,
                                                 .memory_bytes = options.memory_bytes / 2,
                                                 .stop = options.stop},
                                                progress));
      return ComputedRank{.values = std::move(vector.values),
                          .iterations = vector.passes,
                          .error = vector.error,
                          .converged = vector.converged,
                          .how = fmt::format("eigenvector of {:.6g}", vector.eigenvalue)};
    }
    case RankMethod::kHarmonic:
      break;
  }
  CRV_ASSIGN(graph::HyperBallResult balls, graph::RunHyperBall(*transposed.graph,
                                                               {.log_registers = options.log_registers,
                                                                .seed = options.seed,
                                                                .runs = options.runs,
                                                                .harmonic = true,
                                                                .threads = options.threads,
                                                                .memory_bytes = options.memory_bytes / 2,
                                                                .stop = options.stop},
                                                               progress));
  return ComputedRank{
      .values = std::move(balls.harmonic),
      .iterations = balls.passes,
      .error = 1.06 / std::sqrt(std::ldexp(options.runs, static_cast<int>(options.log_registers))),
      .how = fmt::format("harmonic log2m={}{}", options.log_registers,
                         options.runs == 1 ? "" : fmt::format(" runs={}", options.runs))};
}

std::vector<graph::Node> TopNodes(std::span<const double> values, uint64_t count) {
  std::vector<graph::Node> nodes(values.size());
  std::iota(nodes.begin(), nodes.end(), 0u);
  const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(std::min<uint64_t>(count, nodes.size()));
  std::partial_sort(nodes.begin(), middle, nodes.end(), [values](graph::Node a, graph::Node b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  });
  nodes.erase(middle, nodes.end());
  return nodes;
}

Status SaveDoubles(const std::string& path, std::span<const double> values) {
  return WriteFileAtomically(path, std::as_bytes(values));
}

Result<std::vector<double>> ReadDoubles(const std::string& path, uint64_t count) {
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(path, AccessPattern::kSequential));
  if (file.bytes().size() != count * sizeof(double)) {
    return Status::InvalidArgument(fmt::format(
        "{}: {} bytes, expected {} doubles of 8 bytes, one for each node", path, file.bytes().size(), count));
  }
  std::vector<double> values(count);
  if (count > 0) std::memcpy(values.data(), file.bytes().data(), file.bytes().size());
  for (uint64_t i = 0; i < count; i++) {
    if (!std::isfinite(values[i])) {
      return Status::InvalidArgument(fmt::format("{}: the value of node {} is {}", path, i, values[i]));
    }
  }
  return values;
}

Status CheckRankTarget(const std::string& collection, const std::string& name, const OpenedGraph& graph) {
  return TargetOf(collection, name, graph).status();
}

Status StoreRank(const std::string& collection, const std::string& name, const OpenedGraph& graph,
                 std::string_view how, std::span<const double> values) {
  CRV_ASSIGN(RankTarget target, TargetOf(collection, name, graph));
  CRV_TRY(MakeFolders(collection + "/ranks"));
  target.origin.how = how;
  return graph::WriteRankVector(target.path, target.origin, values);
}

}  // namespace crivello::jobs
