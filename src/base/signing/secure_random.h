// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/random.h"

namespace crivello {

// Words from the operating system's generator, which nobody can predict: for secrets and for names that
// nobody is to guess.  Some 0.3 µs each.  Thread-safe.
class SecureRandom final : public Random {
 public:
  uint64_t Next() override;
};

// As many random bytes.
std::string RandomBytes(Random& random, size_t bytes);

}  // namespace crivello
