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

// The implementations of sieve.h.
struct SieveKind {
  std::string_view name;
  std::string_view about;
};
std::span<const SieveKind> SieveKinds();

struct SieveOptions {
  // The memory limit, including an eighth for the cache; the sieve in memory takes as much as its keys need.
  uint64_t memory_bytes = 256u << 20;
  // Bloom only: the number of keys to design for. The memory then determines the error, at best 2^-20.
  uint64_t expected_keys = 10'000'000;
  FileSystem* fs = nullptr;  // null: the machine's file system
};

// Opens the sieve in `folder`, or creates it, behind a cache of recent keys (cached_sieve.h). InvalidArgument
// if there is no such kind.
Result<std::unique_ptr<Sieve>> MakeSieve(std::string_view kind, const std::string& folder,
                                         const SieveOptions& options);

// The state of a sieve's folder, without opening it; currently known only for a mercator sieve. Changes
// nothing. REQUIRES: nobody has it open.
Result<std::optional<SieveStanding>> PeekSieve(std::string_view kind, const std::string& folder);

// The expected number of keys that such a sieve loses of `keys` different ones: 0 except for Bloom filters.
double ExpectedLosses(std::string_view kind, const SieveOptions& options, uint64_t keys);

}  // namespace crivello::sieve
