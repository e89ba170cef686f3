// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"

namespace crivello::collection {

// Locks a folder (of a collection, a tablet, backups) for this process, by the file `lock` in it, which gets
// the number of the process; the lock goes when the descriptor that is returned is closed.  Unavailable, with
// the number of the process that has it.
Result<int> LockFolder(const std::string& directory);

// The same for one that only reads: any number of them, while nobody holds the other lock.  Changes nothing.
// -1 where there is no file to be locked, or where it may not even be read: then nobody here can write,
// either.
Result<int> LockFolderToRead(const std::string& directory);

}  // namespace crivello::collection
