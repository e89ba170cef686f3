// SPDX-License-Identifier: Apache-2.0
#include "cluster/assign/random_permutations.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace crivello::cluster {

uint32_t LazyPermutation::At(uint32_t place) const {
  for (uint32_t i = drawn_; i-- > 0;) {
    if (displaced_[i].first == place) return displaced_[i].second;
  }
  return place;
}

uint32_t LazyPermutation::Next() {
  const uint32_t other = drawn_ + static_cast<uint32_t>(random_.Below(n_ - drawn_));
  if (drawn_ == kMaxSparse && all_.empty()) {
    all_.resize(n_);
    std::iota(all_.begin(), all_.end(), 0u);
    for (const auto& [place, element] : displaced_) all_[place] = element;
  }
  if (!all_.empty()) {
    std::swap(all_[drawn_], all_[other]);
    return all_[drawn_++];
  }
  const uint32_t element = At(other);
  displaced_[drawn_] = {other, At(drawn_)};
  drawn_++;
  return element;
}

Result<std::unique_ptr<Assignment>> RandomPermutations::Make(std::vector<std::string> agents,
                                                             std::vector<std::string> universe) {
  if (universe.empty()) universe = agents;
  std::sort(universe.begin(), universe.end());
  universe.erase(std::unique(universe.begin(), universe.end()), universe.end());
  std::vector<uint32_t> present(universe.size(), kAbsent);
  for (uint32_t i = 0; i < agents.size(); i++) {
    const auto at = std::lower_bound(universe.begin(), universe.end(), agents[i]);
    if (at == universe.end() || *at != agents[i]) {
      return Status::InvalidArgument(
          fmt::format("agent '{}' is not one of the {} of the universe", agents[i], universe.size()));
    }
    present[static_cast<size_t>(at - universe.begin())] = i;
  }
  return std::unique_ptr<Assignment>(new RandomPermutations(std::move(agents), std::move(present)));
}

uint32_t RandomPermutations::Owner(uint64_t key) const {
  LazyPermutation order(key, static_cast<uint32_t>(present_.size()));
  for (;;) {
    const uint32_t agent = present_[order.Next()];
    if (agent != kAbsent) return agent;
  }
}

std::vector<uint32_t> RandomPermutations::Chain(uint64_t key, size_t length) const {
  LazyPermutation order(key, static_cast<uint32_t>(present_.size()));
  std::vector<uint32_t> chain;
  length = std::min(length, agents().size());
  while (chain.size() < length) {
    const uint32_t agent = present_[order.Next()];
    if (agent != kAbsent) chain.push_back(agent);
  }
  return chain;
}

}  // namespace crivello::cluster
