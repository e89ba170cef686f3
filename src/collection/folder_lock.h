// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"

namespace crivello::collection {

// Locks a folder (of a collection, a tablet, backups) for this process, by the file `lock` in it, which gets
// the number of the process; the lock goes when the descriptor that is returned is closed.  Unavailable, with
// the number of the process that has it.
Result<int> LockFolder(const std::string& directory);

}  // namespace crivello::collection
