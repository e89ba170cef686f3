// SPDX-License-Identifier: Apache-2.0
#include "cluster/assign/min_hashing.h"

#include <algorithm>
#include <utility>

namespace crivello::cluster {
namespace {

constexpr uint64_t kAgentSeed = 0x6d696e2d68617368;  // "min-hash"

}  // namespace

MinHashing::MinHashing(std::vector<std::string> names, int hash_bits)
    : Assignment(std::move(names)), shift_(64 - hash_bits) {
  for (const std::string& name : agents()) hashes_.push_back(Hash64(name, kAgentSeed));
}

uint32_t MinHashing::Owner(uint64_t key) const {
  uint32_t best = 0;
  uint64_t least = Score(key, 0);
  for (uint32_t agent = 1; agent < hashes_.size(); agent++) {
    const uint64_t score = Score(key, agent);
    if (score < least) {  // of equal ones the first in the order of names stays
      least = score;
      best = agent;
    }
  }
  return best;
}

std::vector<uint32_t> MinHashing::Chain(uint64_t key, size_t length) const {
  std::vector<std::pair<uint64_t, uint32_t>> scored;
  for (uint32_t agent = 0; agent < hashes_.size(); agent++) scored.emplace_back(Score(key, agent), agent);
  length = std::min(length, scored.size());
  std::partial_sort(scored.begin(), scored.begin() + static_cast<ptrdiff_t>(length), scored.end());
  std::vector<uint32_t> chain;
  for (size_t i = 0; i < length; i++) chain.push_back(scored[i].second);
  return chain;
}

}  // namespace crivello::cluster
