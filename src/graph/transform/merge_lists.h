// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace crivello::graph {

// Stores the union of two strictly increasing lists in `result`.
inline void MergeLists(std::span<const Node> a, std::span<const Node> b, std::vector<Node>& result) {
  result.clear();
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
}

}  // namespace crivello::graph
