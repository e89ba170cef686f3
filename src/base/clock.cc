// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

namespace crivello {
namespace {

class System final : public Clock {
 public:
  MonotonicTime Now() const override { return std::chrono::steady_clock::now(); }
  WallTime Wall() const override { return std::chrono::system_clock::now(); }
};

}  // namespace

const Clock& SystemClock() {
  static const System system;
  return system;
}

}  // namespace crivello
