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
  std::vector<std::string> examples = {};  // URLs of the first few
};

// Deletes pages from every file of the collection that this process has open.  Thread-safe.
class ForgetControl {
 public:
  virtual ~ForgetControl() = default;

  struct State {
    bool running = false;
    // Oldest first.  Entries that are not done are in progress.  If nothing is running, the next deletion
    // completes them, or the next start of the program.
    std::vector<collection::ForgottenEntry> entries = {};
    Status ended = {};  // the outcome of the last one in this process
  };
  virtual State state() const = 0;
  // What would be deleted; changes nothing.
  virtual Result<ForgetPreview> Preview(const collection::ForgetTarget& target) = 0;
  // Starts, and does not wait for the end, which takes as long as rewriting the collection and its index.
  // Unavailable if other maintenance of the collection is in progress: only one runs at a time.
  virtual Status Begin(const collection::ForgetTarget& target, const std::string& reason) = 0;
};

}  // namespace crivello::serve
