// SPDX-License-Identifier: Apache-2.0
// Helpers for the tests, benchmarks and fuzzers of this folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "graph/array_graph.h"
#include "graph/bv/bv_graph.h"

namespace crivello::graph {

// The nodes 15 to 18 of the lecture notes (ch. 10), in a graph where no other node has successors.
inline ArrayGraph NotesGraph() {
  std::vector<std::pair<Node, Node>> arcs;
  const auto add = [&](Node source, const std::vector<Node>& targets) {
    for (const Node target : targets) arcs.emplace_back(source, target);
  };
  add(15, {13, 15, 16, 17, 18, 19, 23, 24, 203, 315, 1034});
  add(16, {15, 16, 17, 22, 23, 24, 315, 316, 317, 3041});
  add(18, {13, 15, 16, 17, 50});
  return ArrayGraph::FromArcs(3042, std::move(arcs));
}

// A graph similar to those of the web: successors near the node, much like the previous list, with runs.
inline ArrayGraph WebLikeGraph(uint64_t nodes, uint64_t seed) {
  SeededRandom random(seed);
  std::vector<std::pair<Node, Node>> arcs;
  std::vector<Node> last;
  for (uint64_t node = 0; node < nodes; node++) {
    std::vector<Node> list;
    if (random.Below(5) != 0) {
      for (const Node target : last) {
        if (random.Below(4) != 0) list.push_back(target);
      }
      for (uint64_t run = random.Below(3); run > 0; run--) {
        const uint64_t begin = random.Below(4) == 0 ? random.Below(nodes) : (node + random.Below(20)) % nodes;
        for (uint64_t i = random.Below(8) + 1; i > 0; i--) {
          if (begin + i < nodes) list.push_back(static_cast<Node>(begin + i));
        }
      }
    }
    for (const Node target : list) arcs.emplace_back(static_cast<Node>(node), target);
    if (!list.empty()) last = list;
    std::sort(last.begin(), last.end());
    last.erase(std::unique(last.begin(), last.end()), last.end());
  }
  return ArrayGraph::FromArcs(nodes, std::move(arcs));
}

inline std::string ReadWholeFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void WriteWholeFile(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// A graph in gzipped WebGraph ASCII; the empty graph on any error.
inline ArrayGraph ReadGzippedAscii(const std::string& path) {
  std::FILE* const pipe = popen(("gzip -dc '" + path + "'").c_str(), "r");
  if (pipe == nullptr) return {};
  std::string text;
  std::vector<char> buffer(1 << 20);
  for (size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) text.append(buffer.data(), n);
  pclose(pipe);
  ArrayGraphBuilder builder;
  std::vector<Node> list;
  size_t at = text.find('\n') + 1;
  Node number = 0;
  bool in_number = false;
  for (; at > 0 && at < text.size(); at++) {
    const char c = text[at];
    if (c >= '0' && c <= '9') {
      number = number * 10 + static_cast<Node>(c - '0');
      in_number = true;
      continue;
    }
    if (in_number) list.push_back(number);
    number = 0;
    in_number = false;
    if (c != '\n') continue;
    builder.AddNode(list);
    list.clear();
  }
  auto graph = std::move(builder).Finish();
  return graph.ok() ? std::move(graph).value() : ArrayGraph();
}

// Reads all lists of a possibly damaged graph in all ways; returns whether none found damage.  The lists
// returned must form a valid graph.
inline bool UseAnyGraph(const BvGraph& graph) {
  bool whole = true;
  const auto check = [&](std::span<const Node> list) {
    for (size_t i = 0; i < list.size(); i++) {
      if (list[i] >= graph.nodes() || (i > 0 && list[i] <= list[i - 1])) std::abort();
    }
  };
  for (const uint64_t begin : {uint64_t{0}, graph.nodes() / 2}) {
    const auto cursor = graph.Scan(begin, graph.nodes());
    while (cursor->Next()) check(cursor->successors());
    whole &= cursor->status().ok();
  }
  auto reader = graph.Reader();
  if (!reader.ok()) return whole;
  for (uint64_t i = 0; i < std::min<uint64_t>(graph.nodes(), 1000); i++) {
    const auto list = (*reader)->Successors(static_cast<Node>(i * 7 % graph.nodes()));
    if (list.ok()) check(*list);
    whole &= list.ok();
  }
  return whole;
}
inline bool UseAnyGraph(const std::string& basename) {
  bool whole = true;
  for (const uint64_t jump : {1u, 4u}) {
    const auto graph = BvGraph::Open(basename, {.jump = jump});
    whole &= graph.ok() && UseAnyGraph(**graph);
  }
  return whole;
}

}  // namespace crivello::graph
