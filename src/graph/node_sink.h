// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "base/status.h"
#include "graph/graph.h"

namespace crivello::graph {

// Takes a graph piece by piece: called once for each node, in the order 0, 1, ..., with the successors of the
// node, which increase strictly and are valid during the call.  An error ends the operation that calls it and
// is returned by it.  So a result goes to a file, or to an ArrayGraphBuilder, without being in memory before.
using NodeSink = std::function<Status(std::span<const Node> successors)>;

}  // namespace crivello::graph
