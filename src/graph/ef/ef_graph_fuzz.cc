// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as an image: whatever opens is used entirely and gives increasing lists of nodes.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "graph/array_graph.h"
#include "graph/ef/ef_graph.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::graph;
  std::vector<uint64_t> words(size / 8);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 8);
  const auto graph = EfGraph::FromImage(std::as_bytes(std::span(words)));
  // The number of nodes is stored squared, so the size of the image does not limit it.
  if (!graph.ok() || graph->nodes() > 10000) return 0;
  if (!ArrayGraph::Copy(*graph).ok()) std::abort();
  const auto reader = graph->Reader();
  uint64_t sum = 0;
  for (uint64_t i = 0; i < graph->nodes(); i++) {
    const auto node = static_cast<Node>(i);
    for (const Node target : (*reader)->Successors(node).value()) sum += graph->HasArc(node, target) ? 1 : 0;
    sum += graph->Outdegree(node);
  }
  [[maybe_unused]] static volatile uint64_t sink;
  sink = sum;
  return 0;
}
