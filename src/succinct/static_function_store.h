// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "succinct/peeling.h"

namespace crivello::succinct {

// Stores the keys of a function until it is built, divided by the high bits of their signatures, in bounded
// memory. There are 256 buckets; a full one that cannot grow within the budget is written to its own file.
// The destructor removes the files. Add() is O(1); one thread at a time. After the last Add(), any number of
// threads may call the other functions.
class SignedValueStore {
 public:
  struct Options {
    uint64_t memory_bytes = uint64_t{1} << 30;  // for keys, at 24 bytes each; uses at least 1 MiB
    std::string temporary_directory = {};       // empty: the system's default
    FileSystem* fs = &PosixFileSystem();
  };

  // Count() and Load() accept powers of two up to this.
  static constexpr uint64_t kMaxShards = 4096;

  explicit SignedValueStore(Options options);
  ~SignedValueStore();
  SignedValueStore(const SignedValueStore&) = delete;
  SignedValueStore& operator=(const SignedValueStore&) = delete;

  Status Add(const SignedValue& key);
  uint64_t size() const { return size_; }
  bool spilled() const { return spilled_; }

  // The keys whose signature's high word, scaled to `shards`, is `shard`: their number, and the keys.
  // REQUIRES: shards is a power of two, at most kMaxShards.
  uint64_t Count(uint64_t shard, uint64_t shards) const;
  Result<std::vector<SignedValue>> Load(uint64_t shard, uint64_t shards) const;

 private:
  static constexpr uint64_t kBuckets = 256;

  struct Bucket {
    std::vector<SignedValue> keys;
    bool has_file = false;
  };
  std::string PathOf(uint64_t bucket) const;
  Status Spill(uint64_t bucket);

  Options options_;
  std::string path_prefix_;
  std::array<Bucket, kBuckets> buckets_;
  std::vector<uint64_t> counts_;  // by the highest bits, enough of them for kMaxShards
  uint64_t size_ = 0;
  uint64_t capacity_bytes_ = 0;
  bool spilled_ = false;
};

}  // namespace crivello::succinct
