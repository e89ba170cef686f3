// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "graph/rank/pagerank.h"
#include "graph/rank/pagerank_system.h"
#include "graph/resident_graph.h"

namespace crivello::graph {
namespace {

// Lanes are large, so that few arcs lead from one to another; steps are many, so that lanes see each other's
// results often.
constexpr unsigned kLanes = 16;
constexpr unsigned kSteps = 32;

class GaussSeidel {
 public:
  GaussSeidel(const Graph& transpose, const PageRankSystem& system, unsigned threads)
      : transpose_(transpose), system_(system), parallel_(threads), gifts_(system.StartingGifts(kappa_)) {
    for (unsigned i = 0; i < kLanes; i++) lanes_[i].range = PartOf(system.nodes(), i, kLanes);
  }

  // Computes every node again; returns the l1 norm of the change, and the sum of the new ranks.
  Result<PassSums> Pass() {
    for (Lane& lane : lanes_) {
      lane.cursor = transpose_.Scan(lane.range.begin, lane.range.end);
      lane.sums = {};
    }
    for (unsigned step = 0; step < kSteps; step++) {
      CRV_TRY(parallel_.Run(kLanes, [&](unsigned i) { return Advance(lanes_[i], step); }));
      // Makes the new values of the lanes visible to all of them.
      CRV_TRY(parallel_.Run(kLanes, [&](unsigned i) {
        const Lane& lane = lanes_[i];
        std::copy(lane.fresh.begin(), lane.fresh.end(), gifts_.begin() + static_cast<ptrdiff_t>(lane.begin));
        return Status::Ok();
      }));
      for (const Lane& lane : lanes_) kappa_ += lane.kappa_change;
    }
    PassSums sums;
    for (const Lane& lane : lanes_) sums += lane.sums;
    return sums;
  }

  // Multiplies all ranks by a number.
  void Scale(double factor) {
    for (double& gift : gifts_) gift *= factor;
    kappa_ *= factor;
  }

  // ||x - alpha x P - (1 - alpha) v||_1 for the current approximation.
  Result<double> Residual() {
    // The sum maintained by the passes has accumulated rounding errors.
    kappa_ = 0;
    for (uint64_t node = 0; node < system_.nodes(); node++) {
      if (system_.dangling(node)) kappa_ += gifts_[node];
    }
    CRV_ASSIGN(const PassSums sums,
               RunRankBlocks(parallel_, system_.nodes(), [&](NodeRange range, PassSums& block) {
                 const auto cursor = transpose_.Scan(range.begin, range.end);
                 while (cursor->Next()) {
                   const double sum = SumOf(gifts_.data(), cursor->successors());
                   const Node node = cursor->node();
                   const double next = system_.alpha() * sum + system_.Base(node, kappa_);
                   block.step += std::abs(gifts_[node] * system_.gifts(node) - next);
                 }
                 return cursor->status();
               }));
    return sums.step;
  }

  std::vector<double> TakeRanks() && { return system_.RanksOf(std::move(gifts_)); }

 private:
  struct Lane {
    NodeRange range;
    std::unique_ptr<NodeCursor> cursor;  // of this pass
    uint64_t begin = 0;                  // the first node of this step
    std::vector<double> fresh;           // gifts computed in this step
    double kappa_change = 0;             // in this step
    PassSums sums;                       // of this pass
  };

  Status Advance(Lane& lane, unsigned step) {
    const NodeRange part = PartOf(lane.range.end - lane.range.begin, step, kSteps);
    lane.begin = lane.range.begin + part.begin;
    lane.fresh.assign(gifts_.begin() + static_cast<ptrdiff_t>(lane.begin),
                      gifts_.begin() + static_cast<ptrdiff_t>(lane.range.begin + part.end));
    const double* const old_gifts = gifts_.data();
    double* const own_gifts = lane.fresh.data();
    const uint64_t own_begin = lane.begin, own_count = lane.fresh.size();
    const double alpha = system_.alpha();
    double kappa = kappa_, change = 0, total = 0;
    for (uint64_t i = 0; i < own_count; i++) {
      if (!lane.cursor->Next()) return lane.cursor->status();
      const uint64_t node = own_begin + i;
      double sum = 0;
      bool loop = false;
      for (const Node predecessor : lane.cursor->successors()) {
        if (predecessor == node) {
          loop = true;
          continue;
        }
        const uint64_t from_begin = predecessor - own_begin;  // wraps around if it is below
        sum += from_begin < own_count ? own_gifts[from_begin] : old_gifts[predecessor];
      }
      const double times = system_.gifts(node), before = own_gifts[i] * times;
      double rank = 0;
      if (system_.dangling(node)) {
        // The row of a dangling node also leads to itself.
        rank = (alpha * sum + system_.Base(node, kappa - before)) / (1 - alpha * system_.DanglingShare(node));
        kappa += rank - before;
      } else {
        rank = alpha * sum + system_.Base(node, kappa);
        if (loop) rank /= 1 - alpha / times;
      }
      own_gifts[i] = rank / times;
      change += std::abs(rank - before);
      total += rank;
    }
    lane.kappa_change = kappa - kappa_;
    lane.sums.step += change;
    lane.sums.total += total;
    return Status::Ok();
  }

  const Graph& transpose_;
  const PageRankSystem& system_;
  ParallelBlocks parallel_;
  std::array<Lane, kLanes> lanes_;
  double kappa_ = 0;  // the rank of dangling nodes; set before gifts_ is
  std::vector<double> gifts_;
};

}  // namespace

Result<Rank> PageRankByGaussSeidel(const Graph& transpose, const PageRankOptions& options,
                                   Progress& progress) {
  CRV_ASSIGN(const auto resident, ResidentGraph::Prepare(transpose, options.memory_bytes));
  CRV_ASSIGN(auto outdegree, CountOccurrences(resident.graph()));
  CRV_ASSIGN(const auto system, PageRankSystem::From(std::move(outdegree), options));
  progress.Start("computing PageRank", system.ExpectedPasses(options.tolerance) / 2 + 1);
  GaussSeidel solver(resident.graph(), system, options.threads);
  Rank rank;
  bool scaling = options.dangling != DanglingNodes::kNone;
  double last_step = std::numeric_limits<double>::infinity();
  while (!rank.converged) {
    if (options.stop.stop_requested()) return Status::Unavailable("computing PageRank was interrupted");
    CRV_ASSIGN(const PassSums sums, solver.Pass());
    rank.passes++;
    progress.Advance(1);
    if (options.watch) options.watch({.pass = rank.passes, .step = sums.step});
    // Ranks sum to 1, but a pass does not preserve their sum, and if links soon lead everywhere this error is
    // the slowest to vanish.  Without scaling the method always converges; with it, it does in practice.
    scaling = scaling && sums.step < last_step;
    last_step = sums.step;
    if (scaling && sums.total > 0) solver.Scale(1 / sums.total);
    // In a node's equation, only terms that changed after it was solved are wrong; these sum to at most alpha
    // times the change over a column.  So from here on it is worth computing the residual.
    const bool last = rank.passes + 1 >= options.max_passes;
    if (!last && system.ErrorOf(system.alpha() * sums.step) > options.tolerance) continue;
    CRV_ASSIGN(const double residual, solver.Residual());
    rank.passes++;
    progress.Advance(1);
    rank.error = system.ErrorOf(residual);
    rank.converged = rank.error <= options.tolerance;
    if (rank.passes >= options.max_passes) break;
  }
  rank.values = std::move(solver).TakeRanks();
  progress.Finish();
  return rank;
}

}  // namespace crivello::graph
