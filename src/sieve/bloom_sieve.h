// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/file_system.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// A sieve that remembers signatures in a Bloom filter: constant memory, decides at once, and loses keys.  A
// key whose bits are all set by others is taken for known and never comes out: with the probability that the
// filter was made for once it holds as many keys as expected, with less before, and with more and more after;
// past its size the sieve still works, and loses ever more.  BloomSieveLosses() is the sum of that.
//
// The keys that came through lie in a queue of logs (key_queue.h).  "filter" is the filter as it was at some
// time (bloom-filter or blocked-bloom); what came later is in the logs, from which opening adds it.  It is
// saved anew, whole, when logs of as many bytes as it has were released, which are then removed: so saving
// doubles at most what is written.  Before, the queue is synced, or a crash could leave a key known and not
// queued.
//
// Thread-safe; one lock, held during I/O.  One process at a time in a folder.
struct BloomSieveOptions {
  uint64_t expected_keys = 10000000;
  unsigned error_bits = 20;  // the error with that many keys is 2^-error_bits: 1 to 60, or 24 if blocked
  bool blocked = false;      // one cache miss a key, some more memory (succinct/bloom_layout.h)
  uint64_t log_bytes = 64 << 20;
};

// Once there is a filter on the disk its size and layout hold; InvalidArgument if that layout is not the one
// asked for.
Result<std::unique_ptr<Sieve>> OpenBloomSieve(const std::string& folder, BloomSieveOptions options = {},
                                              FileSystem& fs = PosixFileSystem());

// How many keys such a sieve loses, on average, when so many different ones are offered.
double BloomSieveLosses(const BloomSieveOptions& options, uint64_t keys);

}  // namespace crivello::sieve
