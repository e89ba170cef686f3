// SPDX-License-Identifier: Apache-2.0
// How time and memory grow with the graph: 10, 30 and 100 million arcs of a copying model.  bench/graph runs
// it and knows the targets.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "base/process_usage.h"
#include "base/random.h"
#include "base/test_support.h"
#include "graph/array_graph.h"
#include "graph/bv/bv_writer.h"
#include "graph/components/strong_components.h"
#include "graph/distances/hyper_ball.h"
#include "graph/rank/pagerank.h"
#include "graph/transform/transpose.h"

namespace crivello::graph {
namespace {

// A model of pages that copy links from one another (Kumar et al.: Stochastic models for the
// web graph, 2000): each node takes an earlier one as its prototype, copies most of its
// links and adds others, mostly to nearby nodes, as in URL order; one arc in ten leads
// forward.
ArrayGraph CopyingModel(uint64_t arcs, uint64_t seed) {
  constexpr uint64_t kMeanDegree = 10, kNearby = 1000;
  const uint64_t nodes = arcs / kMeanDegree;
  SeededRandom random(seed);
  std::vector<uint64_t> begins = {0};
  std::vector<Node> targets, list;
  begins.reserve(nodes + 1);
  targets.reserve(arcs + arcs / 4);
  const auto near = [&](uint64_t node, uint64_t range) {
    const uint64_t first = node > range ? node - range : 0;
    return static_cast<Node>(first + random.Below(node - first + 1));
  };
  for (uint64_t node = 0; node < nodes; node++) {
    list.clear();
    // A quarter of the nodes have no links.
    const uint64_t degree = random.Below(4) == 0 ? 0 : 1 + random.Below(2 * kMeanDegree * 4 / 3);
    const Node prototype = node == 0 ? 0 : near(node - 1, random.Below(8) == 0 ? nodes : kNearby);
    const uint64_t begin = begins[prototype];
    const uint64_t length = node == 0 ? 0 : begins[prototype + uint64_t{1}] - begin;
    for (uint64_t i = 0; i < degree; i++) {
      const uint64_t choice = random.Below(20);
      if (choice < 12 && i < length) {
        list.push_back(targets[begin + i]);
      } else if (choice < 18) {
        list.push_back(near(node, choice < 17 ? kNearby : nodes));
      } else {
        list.push_back(static_cast<Node>(std::min(node + random.Below(kNearby), nodes - 1)));
      }
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    targets.insert(targets.end(), list.begin(), list.end());
    begins.push_back(targets.size());
  }
  return ArrayGraph::FromArrays(std::move(begins), std::move(targets)).value();
}

uint64_t StatusBytes(const char* field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field)) return std::stoull(line.substr(std::strlen(field))) * 1024;
  }
  return 0;
}

// CPU time and memory of one operation, relative to the size of the
// graph.
class Piece {
 public:
  Piece(benchmark::State& state, const Graph& graph, std::string name)
      : state_(state), graph_(graph), name_(std::move(name)) {
    std::ofstream("/proc/self/clear_refs") << "5";  // resets the peak
    resident_ = StatusBytes("VmRSS:");
    cpu_ = CpuSeconds();
  }
  // `graph_bytes` is the size of a graph that was in memory before and is needed for the operation; the
  // memory is compared with `limit_bytes`.
  void End(uint64_t graph_bytes, uint64_t limit_bytes) {
    const uint64_t peak = StatusBytes("VmHWM:") - resident_ + graph_bytes;
    state_.counters[name_ + "_ns"] = (CpuSeconds() - cpu_) * 1e9 / static_cast<double>(graph_.arcs());
    state_.counters[name_ + "_memory"] = static_cast<double>(peak) / static_cast<double>(limit_bytes);
  }

 private:
  benchmark::State& state_;
  const Graph& graph_;
  std::string name_;
  uint64_t resident_ = 0;
  double cpu_ = 0;
};

void GrowthBench(benchmark::State& state) {
  SilentProgress progress;
  const ArrayGraph graph = CopyingModel(static_cast<uint64_t>(state.range(0)) * 1000000, 1);
  const uint64_t size = 4 * graph.arcs() + 8 * graph.nodes();
  const uint64_t limit = 4 * graph.arcs() + 64 * graph.nodes();
  for (auto _ : state) {
    {
      // A block of arcs per thread, and the lists of the window: the same for every graph.
      const TemporaryFolder folder;
      Piece piece(state, graph, "compress");
      const auto stats = WriteBvGraph(graph, folder / "g");
      piece.End(0, uint64_t{64} << 20);
      if (!stats.ok()) state.SkipWithError("compressing failed");
      if (stats.ok()) state.counters["bits_per_link"] = stats->bits_per_link();
    }
    {
      Piece piece(state, graph, "components");
      const auto strong = FindStrongComponents(graph, {}, progress).value();
      piece.End(size, limit);
      state.counters["largest"] = static_cast<double>(strong.largest()) / static_cast<double>(graph.nodes());
    }
    ArrayGraph transpose;
    {
      // In parts of an eighth of the arcs; the result is not stored.
      Piece piece(state, graph, "transpose");
      uint64_t arcs = 0;
      const Status status = Transpose(
          graph, {.memory_bytes = graph.arcs() / 2},
          [&](std::span<const Node> list) {
            arcs += list.size();
            return Status::Ok();
          },
          progress);
      piece.End(0, limit);
      if (!status.ok() || arcs != graph.arcs()) state.SkipWithError("transposing failed");
      transpose = TransposeInMemory(graph).value();
    }
    {
      Piece piece(state, graph, "pagerank");
      const auto rank = PageRankByGaussSeidel(transpose, {}, progress).value();
      piece.End(size, limit);
      state.counters["pagerank_passes"] = static_cast<double>(rank.passes);
    }
    {
      // There is room for the transposed graph too.
      const uint64_t given = 8 * graph.arcs() + 64 * graph.nodes();
      Piece piece(state, graph, "hyperball");
      const auto result =
          RunHyperBall(transpose, {.log_registers = 4, .harmonic = true, .memory_bytes = given}, progress)
              .value();
      piece.End(size, given);
      state.counters["hyperball_passes"] = static_cast<double>(result.passes);
    }
  }
  state.counters["nodes"] = static_cast<double>(graph.nodes());
  state.counters["arcs"] = static_cast<double>(graph.arcs());
}
BENCHMARK(GrowthBench)->Arg(10)->Arg(30)->Arg(100)->Iterations(1)->Repetitions(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace crivello::graph
