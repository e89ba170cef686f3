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
  // Never destroyed: threads may ask for the time until the process is gone.
  static const System* const system = new System;
  return *system;
}

}  // namespace crivello
