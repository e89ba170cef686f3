// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cluster/assign/assignment.h"

namespace crivello::cluster {

// Each agent has C replicas at random places of a circle; the agent of the first replica at or after the hash
// of a key owns the key (Karger, Lehman, Leighton, Panigrahy, Levine, Lewin, "Consistent hashing and random
// trees", 1997).  The share of an agent among A of one weight has mean 1/A and a relative standard deviation
// of sqrt((A-1) / (AC+1)): the segments of an agent are C of AC uniform spacings.
//
// An agent of weight w has C * w replicas (rounded, at least one).  The replicas of a lighter one are a
// prefix of those of a heavier one, so raising a weight moves keys only to that agent.
class ConsistentHashing final : public Assignment {
 public:
  // REQUIRES: members are sorted by name and unique.  InvalidArgument for no replicas, and for more than
  // 2^26.
  static Result<std::unique_ptr<Assignment>> Make(const std::vector<Member>& members, uint32_t replicas,
                                                  int hash_bits = 64);
  uint32_t Owner(uint64_t key) const override;
  std::vector<uint32_t> Chain(uint64_t key, size_t length) const override;
  uint64_t memory_bytes() const override {
    return places_.size() * sizeof(uint64_t) + owners_.size() * sizeof(uint32_t);
  }

  // The part of the circle that leads to each agent; they add up to 1.
  std::vector<double> Shares() const;

 private:
  ConsistentHashing(std::vector<std::string> agents, int hash_bits)
      : Assignment(std::move(agents)), shift_(64 - hash_bits) {}
  // The replica that a key leads to.
  size_t Find(uint64_t key) const;

  const int shift_;
  // The replicas in the order of the circle; those at one place in the order of names.
  std::vector<uint64_t> places_;
  std::vector<uint32_t> owners_;
};

}  // namespace crivello::cluster
