// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "cluster/assign/assignment.h"

namespace crivello::cluster {

// A random permutation of 0 ... n-1, element by element: Fisher and Yates' shuffle, run as far as it is asked
// for.  The k-th element is final once it is drawn.  Only displaced elements are kept, so k elements
// cost O(k^2) for small k without ever making the whole vector; from kMaxSparse on the vector is made, and an
// element costs O(1).  One thread at a time.
class LazyPermutation {
 public:
  LazyPermutation(uint64_t seed, uint32_t n) : random_(seed), n_(n) {}
  // REQUIRES: fewer than n calls so far.
  uint32_t Next();

 private:
  static constexpr uint32_t kMaxSparse = 32;
  uint32_t At(uint32_t place) const;

  SeededRandom random_;
  const uint32_t n_;
  uint32_t drawn_ = 0;
  // Places after drawn_ whose element is not their own number; later entries overrule earlier ones.
  std::pair<uint32_t, uint32_t> displaced_[kMaxSparse];
  std::vector<uint32_t> all_;  // once more than kMaxSparse were drawn
};

// A key is the seed of a random permutation of the universe; the first agent in it that is present owns the
// key.
class RandomPermutations final : public Assignment {
 public:
  // REQUIRES: agents are sorted and unique.  An empty universe is that of the agents.
  static Result<std::unique_ptr<Assignment>> Make(std::vector<std::string> agents,
                                                  std::vector<std::string> universe);
  uint32_t Owner(uint64_t key) const override;
  std::vector<uint32_t> Chain(uint64_t key, size_t length) const override;
  uint64_t memory_bytes() const override { return present_.size() * sizeof(uint32_t); }

 private:
  static constexpr uint32_t kAbsent = UINT32_MAX;

  RandomPermutations(std::vector<std::string> agents, std::vector<uint32_t> present)
      : Assignment(std::move(agents)), present_(std::move(present)) {}

  const std::vector<uint32_t> present_;  // by place in the universe: the agent, or kAbsent
};

}  // namespace crivello::cluster
