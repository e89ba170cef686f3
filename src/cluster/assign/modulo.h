// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/assign/assignment.h"

namespace crivello::cluster {

// h mod |A|: what one would write first.  When one agent joins A others, |A| / (|A| + 1) of the keys move.
class Modulo final : public Assignment {
 public:
  // REQUIRES: agents are sorted and unique.
  explicit Modulo(std::vector<std::string> agents) : Assignment(std::move(agents)) {}
  uint32_t Owner(uint64_t key) const override;
  std::vector<uint32_t> Chain(uint64_t key, size_t length) const override;
};

}  // namespace crivello::cluster
