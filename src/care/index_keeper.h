// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/status.h"
#include "collection/collection.h"

namespace crivello::care {

// Rebuilds the index of a collection.  An index is derived from rows, so work that deletes rows or makes them
// again needs someone who knows the index; this folder does not.  The engine implements it.
class IndexKeeper {
 public:
  virtual ~IndexKeeper() = default;
  // Builds the index from all rows of `store`, as they are at this call or later.  When it returns, no file
  // of the index holds what was in no row at the call.  Does nothing if there is no index to rebuild.
  virtual Status Rebuild(collection::Collection& store, Progress& progress) = 0;
};

}  // namespace crivello::care
