// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/file_system.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// The sieve on a log-structured merge tree (RocksDB, src/kv): signatures in one family, the queue of what
// came through in another, in blocks under dense numbers, so that taking is a lookup and never a walk over
// the tombstones of what was taken before.
//
// Keys are decided in batches: one multi-get asks for all of them, and one write puts what is new into both
// families, so a key is known if and only if it is queued.  A key costs a lookup (mostly answered by Bloom
// filters in memory) and its share of the compactions.  Memory: memory_bytes for the database, and a batch.
//
// Thread-safe; one lock, held during I/O, while RocksDB compacts behind.  One process at a time.
// Keys and values: docs/formats/sieve-rocksdb.md.
struct RocksDbSieveOptions {
  uint64_t memory_bytes = 64u << 20;
  uint64_t batch_keys = 8192;  // decided together
  FileSystem* fs = nullptr;    // null: the machine's own
};
Result<std::unique_ptr<Sieve>> OpenRocksDbSieve(const std::string& folder,
                                                const RocksDbSieveOptions& options);

}  // namespace crivello::sieve
