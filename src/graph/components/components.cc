// SPDX-License-Identifier: Apache-2.0
#include "graph/components/components.h"

#include <algorithm>
#include <utility>

namespace crivello::graph {

Components NumberBySize(std::vector<Node> label, std::vector<Node>* renamed) {
  std::vector<Node> size(label.size());
  std::vector<Node> labels;  // ordered by their lowest nodes
  for (const Node l : label) {
    if (size[l]++ == 0) labels.push_back(l);
  }
  std::stable_sort(labels.begin(), labels.end(), [&](Node a, Node b) { return size[a] > size[b]; });
  Components result;
  result.sizes.reserve(labels.size());
  for (const Node l : labels) result.sizes.push_back(size[l]);
  std::vector<Node>& number = size;  // of a label; its size is no longer needed
  for (size_t i = 0; i < labels.size(); i++) number[labels[i]] = static_cast<Node>(i);
  for (Node& l : label) l = number[l];
  result.component = std::move(label);
  if (renamed != nullptr) *renamed = std::move(number);
  return result;
}

}  // namespace crivello::graph
