// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"

namespace crivello::collection {

// Locks a folder (of a collection, a tablet, backups) for this process, by the file `lock` in it, to which it
// writes the number of the process.  Closing the returned descriptor releases the lock.  Unavailable, with
// the number of the process that holds it.
Result<int> LockFolder(const std::string& directory);

// The same for a reader.  Any number of readers can hold it while nobody holds the other lock.  Changes
// nothing. Returns -1 if there is no file to lock or it may not be read; then this user cannot write either.
Result<int> LockFolderToRead(const std::string& directory);

}  // namespace crivello::collection
