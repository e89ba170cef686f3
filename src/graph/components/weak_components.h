// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "graph/components/components.h"

namespace crivello::graph {

// The weakly connected components: x and y are in the same one if there is a path between them, ignoring the
// direction of arcs.  One scan of the graph, which joins the ends of arcs in a disjoint-set forest; 4 bytes
// per node, and as many for the result.
Result<Components> FindWeakComponents(const Graph& graph, const ComponentsOptions& options,
                                      Progress& progress);

}  // namespace crivello::graph
