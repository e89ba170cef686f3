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

// A load for measuring sieves: keys like those of a crawl, from a seed, cheap enough (some 30 ns) not to hide
// what is measured.

// The i-th key of a seed: a URL of 70 bytes, on one of a million hosts of which the lower-numbered are
// larger, and a signature of 12 bits of its host and 52 of itself.  All keys of a seed differ; signatures may
// collide, as signatures do.
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
  // Of the offers, those that repeat a key: three in four of these one of the last ten million new ones,
  // recent ones more often (its distance has an even logarithm), the others any key at all.
  double repeats = 0;
  // The sieve knows the keys 0 ... known - 1 of the seed already.
  uint64_t known = 0;
  uint64_t group = 100;             // keys in an Offer, as from a page
  uint64_t sync_every = 10000;      // offers; after each Sync() all that came through is taken
  uint64_t release_every = 100000;  // offers
};

struct SieveLoadResult {
  uint64_t offers = 0;
  uint64_t fresh = 0;      // offers that were no repeats
  uint64_t taken = 0;      // came out: fewer if keys were lost, or signatures collided
  double cpu_seconds = 0;  // of the whole process, user and system, making the keys included
  double wall_seconds = 0;
  SieveStats stats;
};

// Offers keys and takes what comes through, ending with a flush.  `on_progress` hears the number of offers
// so far now and then.
Result<SieveLoadResult> RunSieveLoad(Sieve& sieve, const SieveLoadOptions& options,
                                     const std::function<void(uint64_t offers)>& on_progress = {});
// The CPU time of making the keys of that load and not offering them.
double MeasureLoadOnly(const SieveLoadOptions& options);

// Makes the folder of a Mercator sieve that knows the keys 0 ... known - 1 of a seed, without offering them:
// sorts their signatures in parts and writes Z.  In memory: 256 MiB at most.
Status PrepareMercatorSieve(const std::string& folder, uint64_t seed, uint64_t known,
                            FileSystem& fs = PosixFileSystem());

// The same for an offline sieve.
Status PrepareOfflineSieve(const std::string& folder, uint64_t seed, uint64_t known,
                           FileSystem& fs = PosixFileSystem());

}  // namespace crivello::sieve
