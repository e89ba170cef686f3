// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "graph/node_sink.h"

namespace crivello::graph {

// Operations that take one pass over a graph.  Each states its memory; none stores arcs.

// The arcs for which keep(source, target) is true; the nodes do not change.
Status FilterArcs(const Graph& graph, const std::function<bool(Node source, Node target)>& keep,
                  const NodeSink& sink);

// The nodes `kept` and the arcs between them: node i of the result is node kept[i].  4 bytes per node.
// InvalidArgument unless `kept` increases strictly and has only nodes of the graph.
Status Subgraph(const Graph& graph, std::span<const Node> kept, const NodeSink& sink);

// The same graph with renumbered nodes: node x becomes new_number[x].  Reads lists in random order, so it
// needs a Reader.  4 bytes per node.  InvalidArgument unless new_number is a permutation of the nodes.
Status Permute(const Graph& graph, std::span<const Node> new_number, const NodeSink& sink);

// All nodes and arcs of both graphs; the result has as many nodes as the larger one.
Status Unite(const Graph& a, const Graph& b, const NodeSink& sink);

// The permutation that undoes Permute(): result[new_number[x]] = x.  InvalidArgument as for Permute().
Result<std::vector<Node>> InversePermutation(std::span<const Node> new_number);

}  // namespace crivello::graph
