// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "collection/forgotten.h"

namespace crivello::serve {

// What forgetting a target would delete.
struct ForgetPreview {
  uint64_t rows = 0;                       // pages
  uint64_t versions = 0;                   // of them
  uint64_t bytes = 0;                      // of their bodies
  std::vector<std::string> examples = {};  // URLs of the first
};

// Deletes pages from every file of the collection that this process has open.  Thread-safe.
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
  virtual Result<ForgetPreview> Preview(const collection::ForgetTarget& target) = 0;
  // Begins, and does not wait for the end: that takes as long as writing the collection and its index anew.
  // Unavailable if other care of the collection is under way: one at a time.
  virtual Status Begin(const collection::ForgetTarget& target, const std::string& reason) = 0;
};

}  // namespace crivello::serve
