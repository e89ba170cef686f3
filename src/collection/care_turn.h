// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

#include "base/status.h"

namespace crivello::collection {

// Who forgets pages, copies or checks a whole collection does so alone: a backup must not hold on to files
// that are to go, nor a check look for records while they become blank.  Thread-safe.
class CareTurns {
  struct End {
    void operator()(std::atomic<bool>* taken) const { taken->store(false); }
  };

 public:
  using Turn = std::unique_ptr<std::atomic<bool>, End>;

  // Lasts until what is returned goes, which must be before this does.  Unavailable if another has it:
  // whoever asks decides whether to wait, for such work takes minutes.
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
