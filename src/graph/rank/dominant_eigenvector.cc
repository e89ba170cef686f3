// SPDX-License-Identifier: Apache-2.0
#include "graph/rank/dominant_eigenvector.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/rank/rank_blocks.h"
#include "graph/resident_graph.h"

namespace crivello::graph {

Result<DominantEigenvector> FindDominantEigenvector(const Graph& transpose,
                                                    const DominantEigenvectorOptions& options,
                                                    Progress& progress) {
  CRV_ASSIGN(const auto resident, ResidentGraph::Prepare(transpose, options.memory_bytes));
  const uint64_t nodes = transpose.nodes();
  progress.Start("computing the dominant eigenvector", 0);
  ParallelBlocks parallel(options.threads);
  DominantEigenvector result;
  std::vector<double> x(nodes, nodes == 0 ? 0 : 1 / static_cast<double>(nodes)), next(nodes);
  while (result.passes < options.max_passes) {
    if (options.stop.stop_requested()) return Status::Unavailable("computing eigenvector was interrupted");
    // next = xA; since x sums to 1, the sum of next is the current estimate of the eigenvalue.
    CRV_ASSIGN(const PassSums product, RunRankBlocks(parallel, nodes, [&](NodeRange range, PassSums& sums) {
                 const auto cursor = resident.graph().Scan(range.begin, range.end);
                 while (cursor->Next()) {
                   const double sum = SumOf(x.data(), cursor->successors());
                   next[cursor->node()] = sum;
                   sums.total += sum;
                 }
                 return cursor->status();
               }));
    result.passes++;
    progress.Advance(1);
    result.eigenvalue = product.total;
    if (result.eigenvalue == 0) break;
    const double eigenvalue = result.eigenvalue, shift = options.shift * eigenvalue;
    CRV_ASSIGN(const PassSums difference,
               RunRankBlocks(parallel, nodes, [&](NodeRange range, PassSums& sums) {
                 for (uint64_t node = range.begin; node < range.end; node++) {
                   sums.step += std::abs(next[node] - eigenvalue * x[node]);
                   next[node] = (next[node] + shift * x[node]) / (eigenvalue + shift);
                 }
                 return Status::Ok();
               }));
    result.error = difference.step / eigenvalue;
    if (result.error <= options.tolerance) {
      // A graph with a cycle has an eigenvalue of at least 1; a smaller value is converging to 0.
      result.converged = eigenvalue > 0.5;
      break;
    }
    std::swap(x, next);
  }
  result.values = std::move(x);
  progress.Finish();
  return result;
}

}  // namespace crivello::graph
