// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/status.h"
#include "collection/collection.h"

namespace crivello::care {

// Rebuilds the index of a collection.  An index is derived from rows, so code that deletes or remakes rows
// needs to rebuild it, but this folder does not know the index.  The engine implements this interface.
class IndexKeeper {
 public:
  virtual ~IndexKeeper() = default;
  // Builds the index from all rows of `store`, in their current state or a later one.  When it returns, no
  // file of the index contains anything that was in no row at the call.  Does nothing if there is no index.
  virtual Status Rebuild(collection::Collection& store, Progress& progress) = 0;
};

}  // namespace crivello::care
