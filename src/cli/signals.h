// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

#include "base/clock.h"

namespace crivello::cli {

// Lets one thread wait for Ctrl-C and a service manager's word.  Made before other threads are started, so
// that none of them is interrupted.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Whether one came within that time.
  bool WaitFor(Duration limit);

 private:
  sigset_t awaited_;
  sigset_t before_;
};

}  // namespace crivello::cli
