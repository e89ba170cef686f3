// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/file_system.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// The sieve that keeps all signatures in memory: exact, decides at once, and costs a cache miss and a line of
// a log a key; but its memory grows with the crawl, 11 to 22 bytes a key.  For small crawls, and as the judge
// of the others.
//
// The keys that came through lie in a queue of logs (key_queue.h).  The logs are also the memory of their
// keys: what opening reads back is the signatures in them and those in "seen" (sieve-seen), to which a log
// that was released to its end leaves its signatures before it is removed.  So Sync() syncs one file, and
// there is no moment where a key is known and not queued.
//
// Thread-safe; one lock, held during I/O.  One process at a time in a folder.
struct MemorySieveOptions {
  uint64_t log_bytes = 64 << 20;  // of the queue
};
Result<std::unique_ptr<Sieve>> OpenMemorySieve(const std::string& folder, MemorySieveOptions options = {},
                                               FileSystem& fs = PosixFileSystem());

}  // namespace crivello::sieve
