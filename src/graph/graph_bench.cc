// SPDX-License-Identifier: Apache-2.0
// Reading and compressing the graph cnr-2000 of ../shared/graphs: nanoseconds of CPU for each arc, on one
// thread.  Java WebGraph 3.6.12 on the same files takes 12.9 (a scan), 59 (random access) and 103
// (compression with 7,3,4,3).
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "base/conformance.h"
#include "base/random.h"
#include "base/test_support.h"
#include "graph/array_graph.h"
#include "graph/bv/bv_graph.h"
#include "graph/bv/bv_writer.h"
#include "graph/ef/ef_graph.h"

namespace crivello::graph {
namespace {

constexpr const char* kGraphs[] = {"graphs/cnr-2000-llp/cnr-2000", "graphs/cnr-2000-llp/cnr-2000-t",
                                   "graphs/cnr-2000-llp/cnr-2000-hc", "graphs/cnr-2000-url/cnr-2000"};

// Null, with the benchmark skipped, if the file is missing.
std::unique_ptr<BvGraph> OpenShared(benchmark::State& state, int64_t which, uint64_t jump = 1) {
  const std::string path = SharedPath(std::string(kGraphs[which]) + ".graph");
  if (path.empty()) {
    state.SkipWithError("no ../shared/graphs");
    return nullptr;
  }
  auto graph = BvGraph::Open(path.substr(0, path.size() - 6), {.jump = jump});
  if (!graph.ok()) std::abort();
  state.SetLabel(kGraphs[which]);
  return std::move(graph).value();
}

// Sums the output of a scan, so that all of it is computed.
uint64_t ScanAll(const Graph& graph) {
  uint64_t sum = 0;
  const auto cursor = graph.Scan();
  while (cursor->Next()) sum += cursor->successors().size();
  if (!cursor->status().ok()) std::abort();
  return sum;
}

// Reads as many random nodes as the graph has; returns the number of their arcs.
uint64_t ReadAtRandom(const Graph& graph, const std::vector<Node>& nodes) {
  const auto reader = graph.Reader();
  uint64_t arcs = 0;
  for (const Node node : nodes) arcs += (*reader)->Successors(node)->size();
  return arcs;
}
std::vector<Node> RandomNodes(uint64_t below, uint64_t count) {
  SeededRandom random(1);
  std::vector<Node> nodes(count);
  for (Node& node : nodes) node = static_cast<Node>(random.Below(below));
  return nodes;
}

void BvScan(benchmark::State& state) {
  const auto graph = OpenShared(state, state.range(0));
  if (graph == nullptr) return;
  uint64_t arcs = 0;
  for (auto _ : state) arcs += ScanAll(*graph);
  state.SetItemsProcessed(static_cast<int64_t>(arcs));
}
BENCHMARK(BvScan)->DenseRange(0, 3);

void BvRandom(benchmark::State& state) {
  const auto graph = OpenShared(state, state.range(0), static_cast<uint64_t>(state.range(1)));
  if (graph == nullptr) return;
  const auto nodes = RandomNodes(graph->nodes(), 100000);
  uint64_t arcs = 0;
  for (auto _ : state) arcs += ReadAtRandom(*graph, nodes);
  state.SetItemsProcessed(static_cast<int64_t>(arcs));
}
BENCHMARK(BvRandom)->Args({0, 1})->Args({1, 1})->Args({3, 1})->Args({0, 4})->Args({0, 64});

void BvCompress(benchmark::State& state) {
  const auto graph = OpenShared(state, state.range(0));
  if (graph == nullptr) return;
  const ArrayGraph copy = ArrayGraph::Copy(*graph).value();
  const TemporaryFolder folder;
  uint64_t arcs = 0;
  for (auto _ : state) {
    const auto stats =
        WriteBvGraph(copy, folder / "g", {.parameters = {.window = static_cast<uint32_t>(state.range(1))}});
    if (!stats.ok()) std::abort();
    arcs += stats->arcs;
  }
  state.SetItemsProcessed(static_cast<int64_t>(arcs));
}
BENCHMARK(BvCompress)->Args({0, 7})->Args({3, 7})->Args({0, 16})->Unit(benchmark::kMillisecond);

class EfBench {
 public:
  explicit EfBench(const Graph& graph) : image_(MakeEfGraphImage(graph).value()) {}
  EfGraph graph() const { return EfGraph::FromImage(std::as_bytes(std::span(image_))).value(); }
  double bits_per_link() const {
    return 64.0 * static_cast<double>(image_.size()) / static_cast<double>(graph().arcs());
  }

 private:
  std::vector<uint64_t> image_;
};

void EfScan(benchmark::State& state) {
  const auto bv = OpenShared(state, 0);
  if (bv == nullptr) return;
  const EfBench ef(*bv);
  uint64_t arcs = 0;
  for (auto _ : state) arcs += ScanAll(ef.graph());
  state.SetItemsProcessed(static_cast<int64_t>(arcs));
  state.counters["bits_per_link"] = ef.bits_per_link();
}
BENCHMARK(EfScan);

void EfRandom(benchmark::State& state) {
  const auto bv = OpenShared(state, 0);
  if (bv == nullptr) return;
  const EfBench ef(*bv);
  const EfGraph graph = ef.graph();
  const auto nodes = RandomNodes(graph.nodes(), 100000);
  uint64_t arcs = 0;
  for (auto _ : state) arcs += ReadAtRandom(graph, nodes);
  state.SetItemsProcessed(static_cast<int64_t>(arcs));
}
BENCHMARK(EfRandom);

// Nanoseconds per query for an arc; half of the arcs exist.
void EfHasArc(benchmark::State& state) {
  const auto bv = OpenShared(state, 0);
  if (bv == nullptr) return;
  const EfBench ef(*bv);
  const EfGraph graph = ef.graph();
  const auto targets = RandomNodes(graph.nodes(), 100000);
  const ArrayGraph arcs = ArrayGraph::Copy(graph).value();
  std::vector<std::pair<Node, Node>> questions;
  SeededRandom random(2);
  for (uint64_t i = 0; questions.size() < targets.size(); i++) {
    const auto source = static_cast<Node>(random.Below(graph.nodes()));
    const auto list = arcs.Successors(source);
    if (i % 2 == 0 && list.empty()) continue;
    questions.emplace_back(source, i % 2 == 0 ? list[random.Below(list.size())] : targets[questions.size()]);
  }
  uint64_t found = 0;
  for (auto _ : state) {
    for (const auto& [source, target] : questions) found += graph.HasArc(source, target) ? 1 : 0;
  }
  benchmark::DoNotOptimize(found);
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(questions.size()));
}
BENCHMARK(EfHasArc);

}  // namespace
}  // namespace crivello::graph
