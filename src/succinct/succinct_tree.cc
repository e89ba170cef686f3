// SPDX-License-Identifier: Apache-2.0
#include "succinct/succinct_tree.h"

#include <deque>
#include <string>
#include <vector>

namespace crivello::succinct {

Status AppendTree(std::span<const TreeChildren> nodes, ImageWriter& image) {
  BitVectorBuilder bits;
  std::vector<bool> seen(nodes.size(), false);
  std::deque<int64_t> level = {nodes.empty() ? int64_t{-1} : int64_t{0}};
  uint64_t found = 0;
  while (!level.empty()) {
    const int64_t node = level.front();
    level.pop_front();
    if (node >= 0) {
      const auto at = static_cast<size_t>(node);
      if (at >= nodes.size() || seen[at]) {
        return Status::InvalidArgument("node " + std::to_string(node) +
                                       (at >= nodes.size() ? " does not exist" : " has two parents"));
      }
      seen[at] = true;
      found++;
      level.push_back(nodes[at].first);
      level.push_back(nodes[at].second);
    }
    bits.Push(node >= 0);
  }
  if (found != nodes.size()) {
    return Status::InvalidArgument(std::to_string(nodes.size() - found) + " nodes are not below the root");
  }
  bits.AppendRankSelectBits(image);
  return Status::Ok();
}

}  // namespace crivello::succinct
