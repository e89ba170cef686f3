// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/file_system.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// The lecture notes' offline sieve: three files, and no data structure in memory at all.  Z holds the
// signatures seen so far, sorted; A accumulates what is offered; F is the queue of what came through.  When A
// has reached its length, or on Flush(), it is sorted and deduplicated on the disk, merged with Z in one
// sequential pass, and what is new goes to F in order of first arrival (offline_merge.h).
//
// Offer: the append of a key to a log.  Merge: A read twice and sorted outside memory, Z read and written
// once; on a thread of its own, while a second A fills.  Memory: memory_bytes for the sort while a merge
// runs, and next to nothing otherwise, whatever the number of keys.  Disk: Z (at worst twice, during a
// merge), two As, and F.
//
// Durable by two things: A is a log, and everything else is named by a manifest that is replaced atomically
// once the new Z and the new part of F are on the disk.  A key is in A until it is decided, so a crash at any
// point only repeats a merge.  One process at a time.  Formats: docs/formats/sieve-offline.md.
struct OfflineSieveOptions {
  uint64_t memory_bytes = 64u << 20;
  // The length of A at which it is merged: what is offered costs its share of a pass over Z, so A should be
  // no small part of Z.
  uint64_t batch_bytes = 1u << 30;
  FileSystem* fs = nullptr;  // null: the machine's own
};

// Makes the folder if it is missing.
Result<std::unique_ptr<Sieve>> OpenOfflineSieve(const std::string& folder,
                                                const OfflineSieveOptions& options);

}  // namespace crivello::sieve
