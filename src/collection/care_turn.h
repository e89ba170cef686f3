// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

#include "base/status.h"

namespace crivello::collection {

// Lets only one task at a time forget pages, or copy or check a whole collection.  A backup must not keep
// files that are about to be deleted, and a check must not read records while they are erased.  Thread-safe.
class CareTurns {
  struct End {
    void operator()(std::atomic<bool>* taken) const { taken->store(false); }
  };

 public:
  using Turn = std::unique_ptr<std::atomic<bool>, End>;

  // The turn ends when the returned object is destroyed, which must be before this object is.  Unavailable if
  // another task has the turn; the caller decides whether to wait, because such tasks take minutes.
  Result<Turn> Take() {
    if (taken_.exchange(true)) {
      return Status::Unavailable(
          "the collection is being backed up or checked, or pages are being forgotten; try again later");
    }
    return Turn(&taken_);
  }

 private:
  std::atomic<bool> taken_ = false;
};

}  // namespace crivello::collection
