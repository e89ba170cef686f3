// SPDX-License-Identifier: Apache-2.0
// Graph algorithms on cnr-2000 (../shared/graphs), compared with igraph. Our side reads
// the compressed graph; igraph has it in memory.  bench/graph runs these and knows the
// targets.
#include <benchmark/benchmark.h>
#include <igraph/igraph.h>

#include <cmath>
#include <memory>
#include <string>

#include "graph/bv/bv_graph.h"
#include "graph/components/bow_tie.h"
#include "graph/components/strong_components.h"
#include "graph/components/weak_components.h"
#include "graph/distances/hyper_ball.h"
#include "graph/rank/pagerank.h"
#include "graph/shared_graphs.h"
#include "graph/transform/transpose.h"

namespace crivello::graph {
namespace {

constexpr char kGraph[] = "cnr-2000-llp/cnr-2000";
constexpr char kTranspose[] = "cnr-2000-llp/cnr-2000-t";

// The compressed graph, or an error that ends the benchmark.
std::unique_ptr<BvGraph> OpenShared(benchmark::State& state, const std::string& name) {
  const std::string path = SharedGraphPath(name);
  auto graph = path.empty() ? Result<std::unique_ptr<BvGraph>>(Status::NotFound("no ../shared/graphs"))
                            : BvGraph::Open(path);
  if (graph.ok()) return *std::move(graph);
  state.SkipWithError(graph.status().message().c_str());
  return nullptr;
}

// The same graph for igraph.
class IGraph {
 public:
  explicit IGraph(const Graph& graph) {
    igraph_vector_int_t edges;
    igraph_vector_int_init(&edges, static_cast<igraph_integer_t>(2 * graph.arcs()));
    igraph_integer_t at = 0;
    for (const auto cursor = graph.Scan(); cursor->Next();) {
      for (const Node successor : cursor->successors()) {
        VECTOR(edges)[at++] = cursor->node();
        VECTOR(edges)[at++] = successor;
      }
    }
    igraph_create(&graph_, &edges, static_cast<igraph_integer_t>(graph.nodes()), IGRAPH_DIRECTED);
    igraph_vector_int_destroy(&edges);
  }
  ~IGraph() { igraph_destroy(&graph_); }
  IGraph(const IGraph&) = delete;
  IGraph& operator=(const IGraph&) = delete;
  const igraph_t* get() const { return &graph_; }

 private:
  igraph_t graph_;
};

using PageRankMethod = Result<Rank> (*)(const Graph&, const PageRankOptions&, Progress&);

void PageRankBench(benchmark::State& state, const char* name, PageRankMethod method) {
  const auto graph = OpenShared(state, name);
  if (graph == nullptr) return;
  SilentProgress progress;
  Rank rank;
  for (auto _ : state) rank = method(*graph, {.tolerance = 1e-9}, progress).value();
  state.counters["passes"] = static_cast<double>(rank.passes);
  state.counters["error"] = rank.error;
}
BENCHMARK_CAPTURE(PageRankBench, gauss_seidel, kTranspose, PageRankByGaussSeidel)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(PageRankBench, power, kTranspose, PageRankByPowerMethod)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(PageRankBench, power_forward, kGraph, PageRankByPowerMethodForward)
    ->Unit(benchmark::kSecond);

void PageRankIgraph(benchmark::State& state) {
  const auto graph = OpenShared(state, kGraph);
  if (graph == nullptr) return;
  const IGraph peer(*graph);
  igraph_vector_t values;
  igraph_vector_init(&values, 0);
  for (auto _ : state) {
    igraph_real_t eigenvalue;
    igraph_pagerank(peer.get(), IGRAPH_PAGERANK_ALGO_PRPACK, &values, &eigenvalue, igraph_vss_all(),
                    IGRAPH_DIRECTED, 0.85, nullptr, nullptr);
  }
  igraph_vector_destroy(&values);
}
BENCHMARK(PageRankIgraph)->Name("PageRankBench/igraph")->Unit(benchmark::kSecond);

void StrongComponentsBench(benchmark::State& state) {
  const auto graph = OpenShared(state, kGraph);
  if (graph == nullptr) return;
  SilentProgress progress;
  for (auto _ : state) benchmark::DoNotOptimize(FindStrongComponents(*graph, {}, progress).value());
}
BENCHMARK(StrongComponentsBench)->Name("ComponentsBench/strong")->Unit(benchmark::kSecond);

void WeakComponentsBench(benchmark::State& state) {
  const auto graph = OpenShared(state, kGraph);
  if (graph == nullptr) return;
  SilentProgress progress;
  for (auto _ : state) benchmark::DoNotOptimize(FindWeakComponents(*graph, {}, progress).value());
}
BENCHMARK(WeakComponentsBench)->Name("ComponentsBench/weak")->Unit(benchmark::kSecond);

void ComponentsIgraph(benchmark::State& state, igraph_connectedness_t kind) {
  const auto graph = OpenShared(state, kGraph);
  if (graph == nullptr) return;
  const IGraph peer(*graph);
  igraph_vector_int_t membership, sizes;
  igraph_vector_int_init(&membership, 0);
  igraph_vector_int_init(&sizes, 0);
  for (auto _ : state) {
    igraph_integer_t count = 0;
    igraph_connected_components(peer.get(), &membership, &sizes, &count, kind);
    benchmark::DoNotOptimize(count);
  }
  igraph_vector_int_destroy(&membership);
  igraph_vector_int_destroy(&sizes);
}
BENCHMARK_CAPTURE(ComponentsIgraph, strong, IGRAPH_STRONG)
    ->Name("ComponentsBench/strong_igraph")
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(ComponentsIgraph, weak, IGRAPH_WEAK)
    ->Name("ComponentsBench/weak_igraph")
    ->Unit(benchmark::kSecond);

void TransposeBench(benchmark::State& state) {
  const auto graph = OpenShared(state, kGraph);
  if (graph == nullptr) return;
  for (auto _ : state) benchmark::DoNotOptimize(TransposeInMemory(*graph).value());
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(graph->arcs()));
}
BENCHMARK(TransposeBench)->Unit(benchmark::kSecond);

void HyperBallBench(benchmark::State& state, CounterStorage storage) {
  const auto graph = OpenShared(state, kGraph);
  if (graph == nullptr) return;
  SilentProgress progress;
  HyperBallResult result;
  for (auto _ : state) {
    result =
        RunHyperBall(
            *graph,
            {.log_registers = static_cast<unsigned>(state.range(0)), .harmonic = true, .storage = storage},
            progress)
            .value();
  }
  state.counters["passes"] = static_cast<double>(result.passes);
}
BENCHMARK_CAPTURE(HyperBallBench, bytes, CounterStorage::kBytes)->DenseRange(6, 8)->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(HyperBallBench, packed, CounterStorage::kPacked)
    ->DenseRange(6, 8)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(HyperBallBench, disk, CounterStorage::kDisk)->DenseRange(6, 8)->Unit(benchmark::kSecond);

// 16 runs: their errors, compared with exact results for cnr-2000.  The errors of the samples in one run are
// correlated, because nearly the same 112,023 nodes reach all of them, so a share of single runs needs many.
void HyperBallAccuracy(benchmark::State& state) {
  constexpr double kReachablePairs = 37455851843;
  constexpr unsigned kLog = 8, kRuns = 16, kSingleRuns = 128;
  const auto transpose = OpenShared(state, kTranspose);
  if (transpose == nullptr) return;
  SilentProgress progress;
  const auto samples = SharedHarmonicSamples(std::string(kGraph) + ".harmonic-sample.tsv");
  const double allowed = 2 * 1.06 / std::sqrt(1 << kLog);
  for (auto _ : state) {
    std::vector<NeighbourhoodFunction> functions;
    std::vector<double> mean(transpose->nodes());
    double within = 0, within_squared = 0;  // sums over single runs
    const auto share_within = [&](const std::vector<double>& harmonic) {
      double count = 0;
      for (const HarmonicSample& sample : samples) {
        count += std::abs(harmonic[sample.node] - sample.harmonic_in) <= allowed * sample.harmonic_in;
      }
      return count / static_cast<double>(samples.size());
    };
    for (unsigned run = 0; run < kSingleRuns; run++) {
      auto result =
          RunHyperBall(*transpose, {.log_registers = kLog, .seed = run, .harmonic = true}, progress).value();
      const double share = share_within(result.harmonic);
      within += share;
      within_squared += share * share;
      if (run >= kRuns) continue;
      functions.push_back(std::move(result.runs[0]));
      for (size_t node = 0; node < mean.size(); node++) mean[node] += result.harmonic[node] / kRuns;
    }
    const auto summary = Summarise(functions);
    const Estimate& pairs = summary.reachable_pairs;
    state.counters["pairs_error"] = pairs.standard_error / kReachablePairs;
    state.counters["pairs_off"] = std::abs(pairs.value - kReachablePairs) / pairs.standard_error;
    state.counters["harmonic_within"] = share_within(mean);
    const double each_within = within / kSingleRuns;
    state.counters["harmonic_each_within"] = each_within;
    state.counters["harmonic_each_error"] =
        std::sqrt((within_squared / kSingleRuns - each_within * each_within) / (kSingleRuns - 1));
    state.counters["average_distance"] = summary.average_distance.value;
    state.counters["effective_distance"] = summary.effective_distance.value;
  }
}
BENCHMARK(HyperBallAccuracy)->Iterations(1)->Repetitions(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace crivello::graph
