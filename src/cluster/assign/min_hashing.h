// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.h"
#include "cluster/assign/assignment.h"

namespace crivello::cluster {

// The agent with the smallest hash of (key, agent) owns the key (also known as rendezvous hashing; Thaler,
// Ravishankar, "Using name-based mappings to increase hit rates", 1998).
class MinHashing final : public Assignment {
 public:
  // REQUIRES: agents are sorted and unique; 1 <= hash_bits <= 64.
  explicit MinHashing(std::vector<std::string> agents, int hash_bits = 64);
  uint32_t Owner(uint64_t key) const override;
  std::vector<uint32_t> Chain(uint64_t key, size_t length) const override;
  uint64_t memory_bytes() const override { return hashes_.size() * sizeof(uint64_t); }

  // The hash of a key and an agent.
  uint64_t Score(uint64_t key, uint32_t agent) const { return Mix64(Mix64(key) ^ hashes_[agent]) >> shift_; }

 private:
  std::vector<uint64_t> hashes_;  // of the names
  const int shift_;
};

}  // namespace crivello::cluster
