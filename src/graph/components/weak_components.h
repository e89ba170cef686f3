// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "graph/components/components.h"

namespace crivello::graph {

// The weakly connected components: x and y are in the same one if a path leads from one to the other that may
// follow arcs in both directions.  One scan of the graph, whose arcs are united in a forest of sets; 4 bytes
// for each node, and as many for the result.
Result<Components> FindWeakComponents(const Graph& graph, const ComponentsOptions& options,
                                      Progress& progress);

}  // namespace crivello::graph
