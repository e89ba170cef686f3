// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stop_token>

#include "base/progress.h"
#include "graph/graph.h"

namespace crivello::graph {

// A graph whose scans report the number of nodes read, and end with Unavailable when stopped: for operations
// that take one scan and report no progress themselves.  The caller calls Start() and Finish().  The graph
// and the progress must outlive it.
class WatchedGraph final : public Graph {
 public:
  WatchedGraph(const Graph& graph, Progress& progress, std::stop_token stop)
      : graph_(graph), progress_(progress), stop_(std::move(stop)) {}

  uint64_t nodes() const override { return graph_.nodes(); }
  uint64_t arcs() const override { return graph_.arcs(); }
  using Graph::Scan;
  std::unique_ptr<NodeCursor> Scan(uint64_t begin, uint64_t end) const override;
  Result<std::unique_ptr<SuccessorReader>> Reader() const override { return graph_.Reader(); }

 private:
  const Graph& graph_;
  Progress& progress_;
  std::stop_token stop_;
};

}  // namespace crivello::graph
