// SPDX-License-Identifier: Apache-2.0
#include "succinct/static_function_store.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "base/mapped_file.h"

namespace crivello::succinct {
namespace {

constexpr size_t kFirstCapacity = 64;
constexpr uint64_t kLeastMemory = uint64_t{1} << 20;  // the initial capacities take a third of it

std::string UniquePrefix(std::string directory) {
  static std::atomic<uint64_t> count = 0;
  if (directory.empty()) directory = std::filesystem::temp_directory_path().string();
  return directory + "/crivello-keys-" + std::to_string(::getpid()) + "-" +
         std::to_string(count.fetch_add(1)) + "-";
}

}  // namespace

SignedValueStore::SignedValueStore(Options options)
    : options_(std::move(options)),
      path_prefix_(UniquePrefix(options_.temporary_directory)),
      counts_(kMaxShards) {
  options_.memory_bytes = std::max(options_.memory_bytes, kLeastMemory);
}

SignedValueStore::~SignedValueStore() {
  for (uint64_t b = 0; b < kBuckets; b++) {
    if (buckets_[b].has_file) options_.fs->Remove(PathOf(b)).IgnoreError();  // left over, it is only garbage
  }
}

std::string SignedValueStore::PathOf(uint64_t bucket) const { return path_prefix_ + std::to_string(bucket); }

Status SignedValueStore::Add(const SignedValue& key) {
  const uint64_t b = ScaleTo(key.signature.high, kBuckets);
  std::vector<SignedValue>& keys = buckets_[b].keys;
  if (keys.size() == keys.capacity()) {
    const size_t more = std::max(keys.capacity(), kFirstCapacity);
    if (keys.empty() || capacity_bytes_ + more * sizeof(SignedValue) <= options_.memory_bytes) {
      capacity_bytes_ += more * sizeof(SignedValue);
      keys.reserve(keys.capacity() + more);
    } else {
      CRV_TRY(Spill(b));
    }
  }
  keys.push_back(key);
  counts_[ScaleTo(key.signature.high, kMaxShards)]++;
  size_++;
  return Status::Ok();
}

// The file is a dump of the structs: only this same object reads it back.
Status SignedValueStore::Spill(uint64_t bucket) {
  Bucket& b = buckets_[bucket];
  CRV_ASSIGN(const auto file, options_.fs->OpenForAppend(PathOf(bucket), {.truncate = !b.has_file}));
  b.has_file = true;
  spilled_ = true;
  CRV_TRY(file->Append(std::as_bytes(std::span(b.keys))));
  b.keys.clear();
  return Status::Ok();
}

uint64_t SignedValueStore::Count(uint64_t shard, uint64_t shards) const {
  const uint64_t each = kMaxShards / shards;
  uint64_t count = 0;
  for (uint64_t i = shard * each; i < (shard + 1) * each; i++) count += counts_[i];
  return count;
}

Result<std::vector<SignedValue>> SignedValueStore::Load(uint64_t shard, uint64_t shards) const {
  std::vector<SignedValue> result;
  result.reserve(Count(shard, shards));
  const auto take = [&](std::span<const SignedValue> keys) {
    if (shards <= kBuckets) {
      result.insert(result.end(), keys.begin(), keys.end());
      return;
    }
    for (const SignedValue& key : keys) {
      if (ScaleTo(key.signature.high, shards) == shard) result.push_back(key);
    }
  };
  const uint64_t first = shard * kBuckets / shards;
  const uint64_t last = std::max((shard + 1) * kBuckets / shards, first + 1);
  for (uint64_t b = first; b < last; b++) {
    if (buckets_[b].has_file) {
      CRV_ASSIGN(const MappedFile file, MappedFile::Open(PathOf(b), AccessPattern::kSequential));
      const Bytes bytes = file.bytes();
      take({reinterpret_cast<const SignedValue*>(bytes.data()), bytes.size() / sizeof(SignedValue)});
    }
    take(buckets_[b].keys);
  }
  if (result.size() != Count(shard, shards)) {
    return Status::IoError("temporary files " + path_prefix_ + "*: modified while the function was built");
  }
  return result;
}

}  // namespace crivello::succinct
