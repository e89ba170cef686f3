// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/file_system.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// The sieve of Mercator (Heydon, Najork: Mercator: A scalable, extensible Web crawler, 1999), the default:
// exact, in constant memory, with only sequential I/O.
//
// Offered keys form a batch: their signatures in memory (S), the keys in a log on disk (A). To decide a full
// batch, S is sorted indirectly and stably; repeats and signatures in Z, the file of all signatures ever
// seen, are dropped; the rest are marked and join Z. Then A, which is in order of arrival, is scanned and the
// marked keys come out. Meanwhile the next batch fills; Offer waits only if that is full too.
//
// Z consists of a few runs without common keys, each at least kGrowth times as large as all later ones. So a
// batch is looked up in all of them (a walk over the pages that may contain its keys), but the largest run is
// rewritten only when the others have grown to a quarter of it, not for each batch.
//
// Durability. A is a log, so Sync() syncs one file; threads that wait for it share one sync. The manifest
// (mercator_manifest.h) is replaced after a batch has been decided and after keys have been released. All
// other files are complete before it names them, and are removed only after it no longer does. So after a
// crash a decision is either complete or repeated from its log.
//
// Threads: any may call. Offer and Sync do not wait for a decision unless two batches are full. A dedicated
// thread decides. If that fails (a full disk), calls that need its result return the error, and each makes it
// try again.
//
// Only one process at a time may use a folder. Files: docs/formats/sieve-manifest.md.
struct MercatorSieveOptions {
  // In total: a few MiB for buffers, 32 bytes for each key of a batch.
  uint64_t memory_bytes = 256 << 20;
  // The maximum number of keys in a batch; 0: as many as the memory allows.
  uint64_t batch_keys = 0;
};

// The state of a sieve's folder, as far as it is known without opening it; changes nothing. REQUIRES: nobody
// has it open. Reads the undecided keys.
Result<SieveStanding> PeekMercatorSieve(const std::string& folder);

Result<std::unique_ptr<Sieve>> OpenMercatorSieve(const std::string& folder, MercatorSieveOptions options = {},
                                                 FileSystem& fs = PosixFileSystem());

}  // namespace crivello::sieve
