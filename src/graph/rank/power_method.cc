// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "graph/rank/pagerank.h"
#include "graph/rank/pagerank_system.h"
#include "graph/resident_graph.h"

namespace crivello::graph {
namespace {

// Computes the gifts of the next approximation from the current ones; kappa is the current rank of dangling
// nodes.  Returns ||next - x||_1 and the rank of dangling nodes in the next.
using PowerPass = std::function<Result<PassSums>(const std::vector<double>& gifts, std::vector<double>& next,
                                                 double kappa)>;

// next - x is the residual of x with opposite sign, so it proves the error of the last x whose successor was
// computed.  That x is returned, and not its successor, which is better by an unknown amount.
Result<Rank> IteratePower(const PageRankSystem& system, const PageRankOptions& options, Progress& progress,
                          const PowerPass& pass) {
  progress.Start("computing PageRank", system.ExpectedPasses(options.tolerance));
  double kappa = 0;
  std::vector<double> gifts = system.StartingGifts(kappa);
  std::vector<double> next(gifts.size());
  Rank rank;
  while (true) {
    if (options.stop.stop_requested()) return Status::Unavailable("computing PageRank was interrupted");
    CRV_ASSIGN(const PassSums sums, pass(gifts, next, kappa));
    rank.passes++;
    progress.Advance(1);
    if (options.watch) options.watch({.pass = rank.passes, .step = sums.step});
    rank.error = system.ErrorOf(sums.step);
    rank.converged = rank.error <= options.tolerance;
    if (rank.converged || rank.passes >= options.max_passes) break;
    std::swap(gifts, next);
    kappa = sums.dangling;
  }
  rank.values = system.RanksOf(std::move(gifts));
  progress.Finish();
  return rank;
}

// Sets a node of the next approximation to `rank`.
void SetNext(const PageRankSystem& system, uint64_t node, double rank, const std::vector<double>& gifts,
             std::vector<double>& next, PassSums& sums) {
  const double times = system.gifts(node);
  next[node] = rank / times;
  sums.step += std::abs(rank - gifts[node] * times);
  if (system.dangling(node)) sums.dangling += rank;
}

}  // namespace

Result<Rank> PageRankByPowerMethod(const Graph& transpose, const PageRankOptions& options,
                                   Progress& progress) {
  CRV_ASSIGN(const auto resident, ResidentGraph::Prepare(transpose, options.memory_bytes));
  CRV_ASSIGN(auto outdegree, CountOccurrences(resident.graph()));
  CRV_ASSIGN(const auto system, PageRankSystem::From(std::move(outdegree), options));
  ParallelBlocks parallel(options.threads);
  const auto pass = [&](const std::vector<double>& gifts, std::vector<double>& next, double kappa) {
    return RunRankBlocks(parallel, system.nodes(), [&](NodeRange range, PassSums& sums) {
      const auto cursor = resident.graph().Scan(range.begin, range.end);
      while (cursor->Next()) {
        const double sum = SumOf(gifts.data(), cursor->successors());
        const Node node = cursor->node();
        SetNext(system, node, system.alpha() * sum + system.Base(node, kappa), gifts, next, sums);
      }
      return cursor->status();
    });
  };
  return IteratePower(system, options, progress, pass);
}

Result<Rank> PageRankByPowerMethodForward(const Graph& graph, const PageRankOptions& options,
                                          Progress& progress) {
  CRV_ASSIGN(const auto resident, ResidentGraph::Prepare(graph, options.memory_bytes));
  std::vector<Node> outdegree;
  outdegree.reserve(graph.nodes());
  const auto degrees = resident.graph().Scan();
  while (degrees->Next()) outdegree.push_back(static_cast<Node>(degrees->successors().size()));
  CRV_TRY(degrees->status());
  CRV_ASSIGN(const auto system, PageRankSystem::From(std::move(outdegree), options));
  const auto pass = [&](const std::vector<double>& gifts, std::vector<double>& next,
                        double kappa) -> Result<PassSums> {
    std::fill(next.begin(), next.end(), 0);
    const auto cursor = resident.graph().Scan();
    while (cursor->Next()) {
      const double gift = gifts[cursor->node()];
      for (const Node successor : cursor->successors()) next[successor] += gift;
    }
    CRV_TRY(cursor->status());
    PassSums all;
    for (unsigned block = 0; block < kRankBlocks; block++) {
      const NodeRange range = PartOf(system.nodes(), block, kRankBlocks);
      PassSums sums;
      for (uint64_t node = range.begin; node < range.end; node++) {
        SetNext(system, node, system.alpha() * next[node] + system.Base(node, kappa), gifts, next, sums);
      }
      all += sums;
    }
    return all;
  };
  return IteratePower(system, options, progress, pass);
}

}  // namespace crivello::graph
