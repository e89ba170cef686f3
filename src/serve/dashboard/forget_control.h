// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "care/forget.h"

namespace crivello::serve {

// Taking pages out of the collection that this process has open (care/forget.h), for those who ask for it
// and watch it.  Thread-safe.
class ForgetControl {
 public:
  virtual ~ForgetControl() = default;

  struct State {
    bool running = false;
    // Oldest first.  Those that are not done are under way; if nothing is running, the next forgetting ends
    // them, or the next start of the program.
    std::vector<collection::ForgottenEntry> entries = {};
    Status ended = {};  // how the last one of this process did
  };
  virtual State state() const = 0;
  // What would go; changes nothing.
  virtual Result<care::ForgetPreview> Preview(const collection::ForgetTarget& target) = 0;
  // Begins, and does not wait for the end: that takes as long as writing the collection and its index anew.
  // Unavailable if other care of the collection is under way: one at a time.
  virtual Status Begin(const collection::ForgetTarget& target, const std::string& reason) = 0;
};

}  // namespace crivello::serve
