// SPDX-License-Identifier: Apache-2.0
#include "graph/rank/pagerank_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace crivello::graph {

Result<PageRankSystem> PageRankSystem::From(std::vector<Node> outdegree, const PageRankOptions& options) {
  if (!(options.alpha >= 0 && options.alpha < 1)) {
    return Status::InvalidArgument(
        fmt::format("alpha is {}: expected a number of at least 0 and less than 1", options.alpha));
  }
  PageRankSystem system;
  system.outdegree_ = std::move(outdegree);
  CRV_ASSIGN(system.preference_, PreferenceVector::From(options.preference, system.nodes()));
  system.uniform_ = system.nodes() == 0 ? 0 : 1 / static_cast<double>(system.nodes());
  system.alpha_ = options.alpha;
  system.dangling_ = options.dangling;
  return system;
}

std::vector<double> PageRankSystem::StartingGifts(double& kappa) const {
  std::vector<double> gifts(nodes());
  kappa = 0;
  for (uint64_t node = 0; node < nodes(); node++) {
    gifts[node] = preference_[node] / this->gifts(node);
    if (dangling(node)) kappa += gifts[node];
  }
  return gifts;
}

std::vector<double> PageRankSystem::RanksOf(std::vector<double> gifts) const {
  for (uint64_t node = 0; node < nodes(); node++) gifts[node] *= this->gifts(node);
  return gifts;
}

uint64_t PageRankSystem::ExpectedPasses(double tolerance) const {
  if (alpha_ == 0 || !(tolerance > 0)) return 1;
  return 1 + static_cast<uint64_t>(std::max(0.0, std::log(tolerance * (1 - alpha_)) / std::log(alpha_)));
}

}  // namespace crivello::graph
