// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/file_system.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// The sieve on a log-structured merge tree (RocksDB, src/kv). Signatures are in one family, and the queue of
// keys that came through is in another, in blocks with dense numbers, so that taking is a lookup and never
// walks over the tombstones of taken keys.
//
// Keys are decided in batches: one multi-get looks up all of them, and one write adds the new ones to both
// families, so a key is known if and only if it is queued. A key costs a lookup (mostly answered by Bloom
// filters in memory) and its share of compactions. Memory: memory_bytes for the database, and a batch.
//
// Thread-safe; one lock, held during I/O; RocksDB compacts in the background. One process at a time.
// Keys and values: docs/formats/sieve-rocksdb.md.
struct RocksDbSieveOptions {
  uint64_t memory_bytes = 64u << 20;
  uint64_t batch_keys = 8192;  // keys decided together
  FileSystem* fs = nullptr;    // null: the machine's file system
};
Result<std::unique_ptr<Sieve>> OpenRocksDbSieve(const std::string& folder,
                                                const RocksDbSieveOptions& options);

}  // namespace crivello::sieve
