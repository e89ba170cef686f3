// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/file_system.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// A sieve that keeps all signatures in memory: exact, decides immediately, and costs a cache miss and a log
// entry per key. But its memory grows with the crawl, by 11 to 22 bytes per key. For small crawls, and as the
// reference for testing the others.
//
// The keys that came through are in a queue of logs (key_queue.h). The logs also store the signatures:
// opening reads back those in the logs and those in "seen" (sieve-seen), to which the signatures of a fully
// released log are moved before it is removed. So Sync() syncs one file, and a key is never known without
// being queued.
//
// Thread-safe; one lock, held during I/O. Only one process at a time may use a folder.
struct MemorySieveOptions {
  uint64_t log_bytes = 64 << 20;  // of the queue
};
Result<std::unique_ptr<Sieve>> OpenMemorySieve(const std::string& folder, MemorySieveOptions options = {},
                                               FileSystem& fs = PosixFileSystem());

}  // namespace crivello::sieve
