// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/file_system.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// A sieve that remembers signatures in a Bloom filter: constant memory, immediate decisions, but it loses
// keys. A key whose bits were all set by others counts as known and never comes out. With the expected number
// of keys the probability is the filter's design error, before that less, later more; beyond its size the
// sieve still works, but loses ever more. BloomSieveLosses() is the sum of these losses.
//
// The keys that came through are in a queue of logs (key_queue.h). The file "filter" is a past state of the
// filter (bloom-filter or blocked-bloom); later keys are in the logs, and opening adds them. The filter is
// saved again, as a whole, once released logs have as many bytes as it has, and those logs are then removed:
// so saving at most doubles the bytes written. The queue is synced first; otherwise a crash could leave a key
// known but not queued.
//
// Thread-safe; one lock, held during I/O. Only one process at a time may use a folder.
struct BloomSieveOptions {
  uint64_t expected_keys = 10000000;
  unsigned error_bits = 20;  // the error with that many keys is 2^-error_bits: 1 to 60, or 24 if blocked
  bool blocked = false;      // one cache miss per key, slightly more memory (succinct/bloom_layout.h)
  uint64_t log_bytes = 64 << 20;
};

// If there is a filter on disk, its size and layout are used; InvalidArgument if its layout is not the
// requested one.
Result<std::unique_ptr<Sieve>> OpenBloomSieve(const std::string& folder, BloomSieveOptions options = {},
                                              FileSystem& fs = PosixFileSystem());

// The expected number of keys that such a sieve loses when `keys` different ones are offered.
double BloomSieveLosses(const BloomSieveOptions& options, uint64_t keys);

}  // namespace crivello::sieve
