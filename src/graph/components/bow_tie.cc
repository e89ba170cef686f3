// SPDX-License-Identifier: Apache-2.0
#include "graph/components/bow_tie.h"

#include <utility>

#include "graph/components/weak_components.h"
#include "graph/resident_graph.h"

namespace crivello::graph {
namespace {

// The nodes, grouped by component, in a given order of components.
std::vector<Node> NodesInOrder(const StrongComponents& strong) {
  std::vector<Node> end_of(strong.sizes.size());  // of a component; initially its beginning
  Node sum = 0;
  for (const Node component : strong.sinks_first) {
    end_of[component] = sum;
    sum += strong.sizes[component];
  }
  std::vector<Node> nodes(strong.component.size());
  for (size_t node = 0; node < nodes.size(); node++) {
    nodes[end_of[strong.component[node]]++] = static_cast<Node>(node);
  }
  return nodes;
}

}  // namespace

std::string_view BowTiePartName(BowTiePart part) {
  switch (part) {
    case BowTiePart::kCore:
      return "core";
    case BowTiePart::kIn:
      return "in";
    case BowTiePart::kOut:
      return "out";
    case BowTiePart::kTendrils:
      return "tendrils";
    case BowTiePart::kDisconnected:
      return "disconnected";
  }
  return "";
}

Result<BowTie> FindBowTie(const Graph& graph, const StrongComponents& strong,
                          const ComponentsOptions& options, Progress& progress) {
  BowTie result;
  if (strong.component.empty()) return result;
  CRV_ASSIGN(const auto resident, ResidentGraph::Prepare(graph, options.memory_bytes));
  CRV_ASSIGN(const Components weak, FindWeakComponents(resident.graph(), options, progress));
  CRV_ASSIGN(const auto reader, resident.graph().Reader());
  progress.Start("finding what reaches the largest component", 2 * graph.nodes());
  constexpr Node kCoreComponent = 0;  // the largest
  const std::vector<Node> nodes = NodesInOrder(strong);
  // A component's successors come before it, so when it is visited, it is known whether they reach the core.
  // In reverse order, it is known whether a component is reached.
  std::vector<bool> reaches(strong.sizes.size()), reached(strong.sizes.size());
  reaches[kCoreComponent] = reached[kCoreComponent] = true;
  for (const Node node : nodes) {
    const Node component = strong.component[node];
    if (reaches[component]) continue;
    CRV_ASSIGN(const auto successors, reader->Successors(node));
    for (const Node successor : successors) {
      if (reaches[strong.component[successor]]) reaches[component] = true;
    }
  }
  if (options.stop.stop_requested()) return Status::Unavailable("finding components was interrupted");
  progress.Advance(graph.nodes());
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if (!reached[strong.component[*node]]) continue;
    CRV_ASSIGN(const auto successors, reader->Successors(*node));
    for (const Node successor : successors) reached[strong.component[successor]] = true;
  }
  progress.Advance(graph.nodes());

  Node weak_core = 0;
  for (size_t node = 0; node < nodes.size(); node++) {
    if (strong.component[node] == kCoreComponent) weak_core = weak.component[node];
  }
  result.part.reserve(nodes.size());
  for (size_t node = 0; node < nodes.size(); node++) {
    const Node component = strong.component[node];
    const BowTiePart part = component == kCoreComponent         ? BowTiePart::kCore
                            : reaches[component]                ? BowTiePart::kIn
                            : reached[component]                ? BowTiePart::kOut
                            : weak.component[node] == weak_core ? BowTiePart::kTendrils
                                                                : BowTiePart::kDisconnected;
    result.part.push_back(part);
    result.nodes[static_cast<size_t>(part)]++;
  }
  progress.Finish();
  return result;
}

}  // namespace crivello::graph
