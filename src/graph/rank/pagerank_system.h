// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "graph/rank/pagerank.h"
#include "graph/rank/rank_blocks.h"

namespace crivello::graph {

// The equation x = alpha x P + (1 - alpha) v of a graph, for algorithms that solve it.
//
// They store the gift of each node, which is the share of its rank that each successor gets: x / outdegree;
// for a dangling node, its rank.  So an arc costs no division.
class PageRankSystem {
 public:
  static Result<PageRankSystem> From(std::vector<Node> outdegree, const PageRankOptions& options);

  uint64_t nodes() const { return outdegree_.size(); }
  double alpha() const { return alpha_; }
  bool dangling(uint64_t node) const { return outdegree_[node] == 0; }
  double outdegree(uint64_t node) const { return outdegree_[node]; }
  // The rank of a node divided by its gift.
  double gifts(uint64_t node) const { return dangling(node) ? 1 : outdegree(node); }

  // The rank that a node gets apart from links, if dangling nodes together have the rank `kappa`.
  double Base(uint64_t node, double kappa) const {
    return alpha_ * kappa * DanglingShare(node) + (1 - alpha_) * preference_[node];
  }
  // The share of a node in the rank of dangling nodes.
  double DanglingShare(uint64_t node) const {
    switch (dangling_) {
      case DanglingNodes::kNone:
        return 0;
      case DanglingNodes::kUniform:
        return uniform_;
      case DanglingNodes::kPreference:
        return preference_[node];
    }
    return 0;
  }

  // The preference vector as gifts, for the first pass, and the rank of its dangling nodes.
  std::vector<double> StartingGifts(double& kappa) const;
  // Converts gifts to ranks.
  std::vector<double> RanksOf(std::vector<double> gifts) const;
  // A bound for ||x - x*||_1, given ||x - alpha x P - (1 - alpha) v||_1.
  double ErrorOf(double residual) const { return residual / (1 - alpha_); }
  // The approximate number of passes if each reduces the error by the factor alpha.
  uint64_t ExpectedPasses(double tolerance) const;

 private:
  std::vector<Node> outdegree_;
  PreferenceVector preference_;
  double uniform_ = 0;
  double alpha_ = 0;
  DanglingNodes dangling_ = DanglingNodes::kNone;
};

}  // namespace crivello::graph
