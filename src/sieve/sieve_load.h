// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/hash.h"
#include "base/random.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// A synthetic load for measuring sieves: keys like those of a crawl, generated from a seed, cheap enough
// (about 30 ns) not to distort the measurement.

// The i-th key of a seed: a URL of 70 bytes on one of a million hosts, of which lower-numbered ones are
// larger. Its signature has 12 bits from the host and 52 from the URL. All keys of a seed differ; signatures
// may collide, as always.
class LoadKey {
 public:
  LoadKey(uint64_t seed, uint64_t i);
  Key key() const { return {.signature = signature_, .bytes = {text_.data(), text_.size()}}; }
  uint64_t signature() const { return signature_; }

  static uint64_t SignatureOf(uint64_t seed, uint64_t i);

 private:
  uint64_t signature_;
  std::array<char, 70> text_;
};

struct SieveLoadOptions {
  uint64_t seed = 1;
  uint64_t offers = 1000000;
  // The share of offers that repeat a key. Three in four of these repeat one of the last ten million new
  // keys, recent ones more often (the log of the distance is uniform); the others any earlier key.
  double repeats = 0;
  // The sieve already knows the keys 0 ... known - 1 of the seed.
  uint64_t known = 0;
  uint64_t group = 100;             // keys per Offer, as from a page
  uint64_t sync_every = 10000;      // in offers; after each Sync() all keys that came through are taken
  uint64_t release_every = 100000;  // in offers
};

struct SieveLoadResult {
  uint64_t offers = 0;
  uint64_t fresh = 0;      // offers that were not repeats
  uint64_t taken = 0;      // keys that came out: fewer if keys were lost, or signatures collided
  double cpu_seconds = 0;  // of the whole process, user and system, including key generation
  double wall_seconds = 0;
  SieveStats stats;
};

// Offers keys and takes what comes through, ending with a flush. Now and then calls `on_progress` with the
// number of offers so far.
Result<SieveLoadResult> RunSieveLoad(Sieve& sieve, const SieveLoadOptions& options,
                                     const std::function<void(uint64_t offers)>& on_progress = {});
// The CPU time of generating the keys of that load without offering them.
double MeasureLoadOnly(const SieveLoadOptions& options);

// Creates the folder of a Mercator sieve that knows the keys 0 ... known - 1 of a seed, without offering
// them: sorts their signatures in parts and writes Z. Memory: at most 256 MiB.
Status PrepareMercatorSieve(const std::string& folder, uint64_t seed, uint64_t known,
                            FileSystem& fs = PosixFileSystem());

// The same for an offline sieve.
Status PrepareOfflineSieve(const std::string& folder, uint64_t seed, uint64_t known,
                           FileSystem& fs = PosixFileSystem());

}  // namespace crivello::sieve
