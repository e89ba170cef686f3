// SPDX-License-Identifier: Apache-2.0
#include "cluster/assign/modulo.h"

#include <algorithm>
#include <numeric>

#include "base/hash.h"

namespace crivello::cluster {

uint32_t Modulo::Owner(uint64_t key) const { return static_cast<uint32_t>(Mix64(key) % agents().size()); }

std::vector<uint32_t> Modulo::Chain(uint64_t key, size_t length) const {
  std::vector<uint32_t> left(agents().size());
  std::iota(left.begin(), left.end(), 0u);
  std::vector<uint32_t> chain;
  length = std::min(length, left.size());
  while (chain.size() < length) {
    const auto at = static_cast<ptrdiff_t>(Mix64(key) % left.size());
    chain.push_back(left[static_cast<size_t>(at)]);
    left.erase(left.begin() + at);
  }
  return chain;
}

}  // namespace crivello::cluster
