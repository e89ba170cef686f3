// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// The ways to keep the promise of sieve.h.
struct SieveKind {
  std::string_view name;
  std::string_view about;
};
std::span<const SieveKind> SieveKinds();

struct SieveOptions {
  // What it may use, an eighth of it for the cache in front; the sieve in memory takes what its keys need.
  uint64_t memory_bytes = 256u << 20;
  // Bloom only: how many keys it is made for; the memory then gives the error, of 2^-20 at best.
  uint64_t expected_keys = 10'000'000;
  FileSystem* fs = nullptr;  // null: the machine's own
};

// Opens the sieve in `folder`, making it if it is missing, behind a cache of recent keys (cached_sieve.h).
// InvalidArgument if there is no such kind.
Result<std::unique_ptr<Sieve>> MakeSieve(std::string_view kind, const std::string& folder,
                                         const SieveOptions& options);

// What a sieve's folder holds, without opening it, if that can be told: by now of a mercator sieve only.
// Nothing is changed.  REQUIRES: nobody has it open.
Result<std::optional<SieveStanding>> PeekSieve(std::string_view kind, const std::string& folder);

// How many of `keys` different keys such a sieve loses, on average: none, unless it is a Bloom filter.
double ExpectedLosses(std::string_view kind, const SieveOptions& options, uint64_t keys);

}  // namespace crivello::sieve
