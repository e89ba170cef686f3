// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "base/status.h"
#include "graph/graph.h"

namespace crivello::graph {

// Receives a graph piece by piece: called once per node, in the order 0, 1, ..., with the node's successors,
// which increase strictly and are valid during the call.  An error ends the operation that calls it and is
// returned.  So a result can go to a file, or to an ArrayGraphBuilder, without being in memory first.
using NodeSink = std::function<Status(std::span<const Node> successors)>;

}  // namespace crivello::graph
