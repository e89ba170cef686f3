// SPDX-License-Identifier: Apache-2.0
#include "sieve/sieve_factory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numbers>
#include <utility>

#include "sieve/bloom_sieve.h"
#include "sieve/cached_sieve.h"
#include "sieve/memory_sieve.h"
#include "sieve/mercator_sieve.h"
#include "sieve/offline_sieve.h"
#include "sieve/rocksdb_sieve.h"

namespace crivello::sieve {
namespace {

using Open = Result<std::unique_ptr<Sieve>> (*)(const std::string& folder, const SieveOptions& options,
                                                FileSystem& fs);

struct Way {
  SieveKind kind;
  Open open;
};

// A filter with d bits per key, half of them set, has error 2^-(d ln 2); a blocked one needs slightly more.
BloomSieveOptions BloomOptions(const SieveOptions& options, bool blocked) {
  constexpr double kMaxErrorBits = 20;
  const double bits_per_key = 8 * static_cast<double>(options.memory_bytes) /
                              static_cast<double>(std::max<uint64_t>(options.expected_keys, 1));
  const double error_bits = bits_per_key * std::numbers::ln2 * (blocked ? 0.9 : 1);
  return {.expected_keys = options.expected_keys,
          .error_bits = static_cast<unsigned>(std::clamp(error_bits, 1.0, kMaxErrorBits)),
          .blocked = blocked};
}

// The cache takes an eighth of the memory.
uint64_t CacheBytes(const SieveOptions& options) { return options.memory_bytes / 8; }

constexpr Way kWays[] = {
    {{"memory", "all signatures in memory; exact, grows with the crawl"},
     [](const std::string& folder, const SieveOptions&, FileSystem& fs) {
       return OpenMemorySieve(folder, {}, fs);
     }},
    {{"bloom", "a Bloom filter in memory; loses keys"},
     [](const std::string& folder, const SieveOptions& options, FileSystem& fs) {
       return OpenBloomSieve(folder, BloomOptions(options, false), fs);
     }},
    {{"blocked-bloom", "a Bloom filter with one cache miss per key; loses a few more keys"},
     [](const std::string& folder, const SieveOptions& options, FileSystem& fs) {
       return OpenBloomSieve(folder, BloomOptions(options, true), fs);
     }},
    {{"rocksdb", "signatures in a log-structured merge tree"},
     [](const std::string& folder, const SieveOptions& options, FileSystem& fs) {
       return OpenRocksDbSieve(folder, {.memory_bytes = options.memory_bytes, .fs = &fs});
     }},
    {{"offline", "sorts and merges files on disk"},
     [](const std::string& folder, const SieveOptions& options, FileSystem& fs) {
       return OpenOfflineSieve(folder, {.memory_bytes = options.memory_bytes, .fs = &fs});
     }},
    {{"mercator", "sorts batches in memory and merges them with sorted files (default)"},
     [](const std::string& folder, const SieveOptions& options, FileSystem& fs) {
       return OpenMercatorSieve(folder, {.memory_bytes = options.memory_bytes}, fs);
     }},
};
constexpr auto kKinds = [] {
  std::array<SieveKind, std::size(kWays)> kinds;
  std::transform(std::begin(kWays), std::end(kWays), kinds.begin(), [](const Way& way) { return way.kind; });
  return kinds;
}();

}  // namespace

std::span<const SieveKind> SieveKinds() { return kKinds; }

Result<std::unique_ptr<Sieve>> MakeSieve(std::string_view kind, const std::string& folder,
                                         const SieveOptions& options) {
  FileSystem& fs = options.fs != nullptr ? *options.fs : PosixFileSystem();
  std::string names;
  for (const Way& way : kWays) {
    if (way.kind.name == kind) {
      SieveOptions behind = options;
      behind.memory_bytes -= CacheBytes(options);
      CRV_ASSIGN(std::unique_ptr<Sieve> sieve, way.open(folder, behind, fs));
      return WithCache(std::move(sieve), CacheBytes(options));
    }
    names += fmt::format("{}{}", names.empty() ? "" : ", ", way.kind.name);
  }
  return Status::InvalidArgument(fmt::format("unknown sieve '{}'; choose one of {}", kind, names));
}

Result<std::optional<SieveStanding>> PeekSieve(std::string_view kind, const std::string& folder) {
  if (kind != "mercator") return std::optional<SieveStanding>();
  CRV_ASSIGN(const SieveStanding standing, PeekMercatorSieve(folder));
  return std::optional<SieveStanding>(standing);
}

double ExpectedLosses(std::string_view kind, const SieveOptions& options, uint64_t keys) {
  const bool blocked = kind == "blocked-bloom";
  SieveOptions behind = options;
  behind.memory_bytes -= CacheBytes(options);
  return blocked || kind == "bloom" ? BloomSieveLosses(BloomOptions(behind, blocked), keys) : 0;
}

}  // namespace crivello::sieve
