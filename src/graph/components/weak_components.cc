// SPDX-License-Identifier: Apache-2.0
#include "graph/components/weak_components.h"

#include <numeric>
#include <utility>

namespace crivello::graph {
namespace {

constexpr uint64_t kNodesBetweenWeakChecks = 1 << 16;

// Disjoint sets of nodes as trees; the root of a tree is its lowest node.
class DisjointSets {
 public:
  explicit DisjointSets(uint64_t nodes) : parent_(nodes) {
    std::iota(parent_.begin(), parent_.end(), Node{0});
  }
  Node Root(Node node) {
    while (parent_[node] != node) {
      parent_[node] = parent_[parent_[node]];  // halves the path for the next time
      node = parent_[node];
    }
    return node;
  }
  void Unite(Node a, Node b) {
    a = Root(a);
    b = Root(b);
    if (a < b) {
      parent_[b] = a;
    } else {
      parent_[a] = b;
    }
  }
  // The root of each node.
  std::vector<Node> TakeRoots() && {
    for (Node& parent : parent_) parent = parent_[parent];  // a parent is lower, so it is already done
    return std::move(parent_);
  }

 private:
  std::vector<Node> parent_;
};

}  // namespace

Result<Components> FindWeakComponents(const Graph& graph, const ComponentsOptions& options,
                                      Progress& progress) {
  progress.Start("finding weakly connected components", graph.nodes());
  DisjointSets sets(graph.nodes());
  const auto cursor = graph.Scan();
  uint64_t scanned = 0;
  while (cursor->Next()) {
    for (const Node successor : cursor->successors()) sets.Unite(cursor->node(), successor);
    if (++scanned % kNodesBetweenWeakChecks == 0) {
      if (options.stop.stop_requested()) return Status::Unavailable("finding components was interrupted");
      progress.Advance(kNodesBetweenWeakChecks);
    }
  }
  CRV_TRY(cursor->status());
  progress.Finish();
  return NumberBySize(std::move(sets).TakeRoots());
}

}  // namespace crivello::graph
