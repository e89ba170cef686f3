// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "sieve/sieve.h"

namespace crivello::sieve {

// A sieve behind a cache of recent signatures (signature_cache.h). A key that was offered recently, like most
// links, costs one cache miss and never reaches the sieve's lock or files. The keys that come through, their
// order, and the guarantees across a crash are those of `sieve`: a key is cached only after the sieve has
// accepted it, so the next Sync() makes both offers durable.
std::unique_ptr<Sieve> WithCache(std::unique_ptr<Sieve> sieve, uint64_t cache_bytes);

}  // namespace crivello::sieve
