// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/file_system.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// The lecture notes' offline sieve: three files, and no data structure in memory at all. Z holds the
// signatures seen so far, sorted; A collects offered keys; F is the queue of keys that came through. When A
// reaches its length, or on Flush(), it is sorted and deduplicated on disk and merged with Z in one
// sequential pass, and the new keys go to F in order of first arrival (offline_merge.h).
//
// Offer appends a key to a log. A merge reads A twice, sorts it outside memory, and reads and writes Z once,
// on a separate thread, while a second A fills. Memory: memory_bytes for the sort during a merge, almost
// nothing otherwise, regardless of the number of keys. Disk: Z (at worst twice, during a merge), two As, and
// F.
//
// Durability: A is a log, and everything else is named by a manifest that is replaced atomically once the new
// Z and the new part of F are on disk. A key stays in A until it is decided, so after a crash at any point a
// merge is only repeated. One process at a time. Formats: docs/formats/sieve-offline.md.
struct OfflineSieveOptions {
  uint64_t memory_bytes = 64u << 20;
  // The length of A at which it is merged. Every offer pays its share of a pass over Z, so A should not be
  // too small compared with Z.
  uint64_t batch_bytes = 1u << 30;
  FileSystem* fs = nullptr;  // null: the machine's file system
};

// Creates the folder if it is missing.
Result<std::unique_ptr<Sieve>> OpenOfflineSieve(const std::string& folder,
                                                const OfflineSieveOptions& options);

}  // namespace crivello::sieve
