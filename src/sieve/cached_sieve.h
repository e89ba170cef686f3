// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "sieve/sieve.h"

namespace crivello::sieve {

// A sieve behind a cache of the last signatures (signature_cache.h): a key that was offered a while ago, as
// most links are, costs one cache miss and reaches neither the sieve's lock nor its files.  What comes
// through, its order, and what holds across a crash are those of `sieve`: a key is in the cache only after
// the sieve has taken it in, so the next Sync() makes both offers durable.
std::unique_ptr<Sieve> WithCache(std::unique_ptr<Sieve> sieve, uint64_t cache_bytes);

}  // namespace crivello::sieve
