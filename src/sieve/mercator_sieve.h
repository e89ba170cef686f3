// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/file_system.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// The sieve of Mercator (Heydon, Najork: Mercator: A scalable, extensible Web crawler, 1999), the default:
// exact, in constant memory, with sequential I/O only.
//
// Offered keys gather in a batch: their signatures in memory (S), the keys in a log on disk (A).  A full
// batch is decided: S is sorted indirectly and stably, repeats are dropped, and so is what is in Z, the file
// of all signatures ever seen; what is left is marked, and joins Z.  The marked keys come out by scanning A,
// which is in order of arrival.  Meanwhile the next batch fills: an Offer waits only if that one is full too.
//
// Z is a few runs without common keys, each at least kGrowth times what came after it.  So a batch is looked
// up in all of them (a walk over the pages that its keys may be in), but the largest is written anew only
// when the others have grown to a quarter of it, and not at each batch.
//
// Durability.  A is a log, so Sync() syncs one file; threads that wait for it share one sync.  The manifest
// (mercator_manifest.h) is replaced when a batch has been decided, and when keys have been released; all
// other files are whole before it names them, and are removed after it names them no more.  A crash
// therefore repeats a decision from its log, or finds it done.
//
// Threads: any may call; Offer and Sync wait for no decision unless two batches are full.  One thread of its
// own decides.  If that fails (a full disk), the calls that need its work say so, and each makes it try
// again.
//
// One process at a time in a folder.  Files: docs/formats/sieve-manifest.md.
struct MercatorSieveOptions {
  // For all: some MiB for buffers, 32 bytes for each key of a batch.
  uint64_t memory_bytes = 256 << 20;
  // The most keys in a batch; 0 is as many as the memory allows.
  uint64_t batch_keys = 0;
};

// What a folder holds, as far as it can be told without opening it: nothing is changed.  REQUIRES: nobody has
// it open.  Reads the keys that are not yet decided.
Result<SieveStanding> PeekMercatorSieve(const std::string& folder);

Result<std::unique_ptr<Sieve>> OpenMercatorSieve(const std::string& folder, MercatorSieveOptions options = {},
                                                 FileSystem& fs = PosixFileSystem());

}  // namespace crivello::sieve
