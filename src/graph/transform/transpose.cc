// SPDX-License-Identifier: Apache-2.0
#include "graph/transform/transpose.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/transform/merge_lists.h"

namespace crivello::graph {
namespace {

// The number of nodes scanned between two checks for a stop request.
constexpr uint64_t kNodesBetweenChecks = 1 << 16;

Status ScanAll(const Graph& graph, const std::stop_token& stop, Progress& progress,
               const std::function<void(Node, std::span<const Node>)>& visit) {
  const auto cursor = graph.Scan();
  uint64_t scanned = 0;
  while (cursor->Next()) {
    visit(cursor->node(), cursor->successors());
    if (++scanned % kNodesBetweenChecks == 0) {
      if (stop.stop_requested()) return Status::Unavailable("transposing was interrupted");
      progress.Advance(kNodesBetweenChecks);
    }
  }
  progress.Advance(scanned % kNodesBetweenChecks);
  return cursor->status();
}

// The arcs to a range of nodes, reversed.
struct TransposedRange {
  uint64_t begin = 0;
  uint64_t end = 0;
  std::vector<uint64_t> ends;  // of the list of each node of the range, in `sources`
  std::vector<Node> sources;

  std::span<const Node> List(uint64_t node) const {
    const uint64_t from = node == begin ? 0 : ends[node - begin - 1];
    return std::span(sources).subspan(from, ends[node - begin] - from);
  }
};

// Calls take(range) for consecutive ranges that cover all nodes.
Status TransposeByRanges(const Graph& graph, const TransposeOptions& options, Progress& progress,
                         const std::function<Status(const TransposedRange&)>& take) {
  const uint64_t nodes = graph.nodes();
  const uint64_t most_arcs = std::max(options.memory_bytes / sizeof(Node), uint64_t{1});
  progress.Start("transposing", nodes * (1 + graph.arcs() / most_arcs + (graph.arcs() % most_arcs != 0)));
  std::vector<Node> indegree(nodes);
  CRV_TRY(ScanAll(graph, options.stop, progress, [&](Node, std::span<const Node> successors) {
    for (const Node successor : successors) indegree[successor]++;
  }));
  TransposedRange range;
  while (range.end < nodes) {
    range.begin = range.end;
    uint64_t arcs = 0;
    range.ends.clear();  // first the start of each list, which advances while the list is filled
    // A list that is too long for the memory is handled alone.
    while (range.end < nodes && (range.end == range.begin || arcs + indegree[range.end] <= most_arcs)) {
      range.ends.push_back(arcs);
      arcs += indegree[range.end++];
    }
    range.sources.resize(arcs);
    CRV_TRY(ScanAll(graph, options.stop, progress, [&](Node node, std::span<const Node> successors) {
      auto it = successors.begin();
      if (range.begin > 0) {
        it = std::lower_bound(it, successors.end(), static_cast<Node>(range.begin));
      }
      for (; it != successors.end() && *it < range.end; ++it) {
        range.sources[range.ends[*it - range.begin]++] = node;
      }
    }));
    CRV_TRY(take(range));
  }
  progress.Finish();
  return Status::Ok();
}

}  // namespace

Status Transpose(const Graph& graph, const TransposeOptions& options, const NodeSink& sink,
                 Progress& progress) {
  return TransposeByRanges(graph, options, progress, [&](const TransposedRange& range) {
    for (uint64_t node = range.begin; node < range.end; node++) CRV_TRY(sink(range.List(node)));
    return Status::Ok();
  });
}

Status Symmetrise(const Graph& graph, const TransposeOptions& options, const NodeSink& sink,
                  Progress& progress) {
  std::vector<Node> both;
  return TransposeByRanges(graph, options, progress, [&](const TransposedRange& range) {
    const auto cursor = graph.Scan(range.begin, range.end);
    while (cursor->Next()) {
      MergeLists(cursor->successors(), range.List(cursor->node()), both);
      CRV_TRY(sink(both));
    }
    return cursor->status();
  });
}

Result<ArrayGraph> TransposeInMemory(const Graph& graph) {
  const uint64_t nodes = graph.nodes();
  // begins[x + 1] is the start of the list of x, and advances to its end while the list is filled.
  std::vector<uint64_t> begins(nodes + 2);
  const auto counting = graph.Scan();
  while (counting->Next()) {
    for (const Node successor : counting->successors()) begins[successor + uint64_t{2}]++;
  }
  CRV_TRY(counting->status());
  for (uint64_t i = 2; i < nodes + 2; i++) begins[i] += begins[i - 1];
  std::vector<Node> sources(begins.back());
  const auto filling = graph.Scan();
  while (filling->Next()) {
    for (const Node successor : filling->successors()) {
      sources[begins[successor + uint64_t{1}]++] = filling->node();
    }
  }
  CRV_TRY(filling->status());
  begins.pop_back();
  return ArrayGraph::FromArrays(std::move(begins), std::move(sources));
}

}  // namespace crivello::graph
