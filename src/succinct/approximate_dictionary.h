// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/description.h"
#include "base/image.h"
#include "succinct/static_function.h"
#include "succinct/static_function_builder.h"

namespace crivello::succinct {

// A set of keys that is fixed when it is built. Contains() returns true for every key of the set, and for any
// other key with probability 2^-r. It is the static function that maps each key to its own signature of r
// bits: 1.08 r bits per key where a Bloom filter takes 1.44 r, and at most four cache misses instead of r;
// but no key can be added.

struct ApproximateDictionaryOptions {
  // Bits of a signature, 1 to kMaxSignatureBits: the error is 2^-r.
  unsigned signature_bits = 16;
  StaticFunctionOptions function = {};  // bits is ignored
};

// Builds an approximate dictionary, in memory like StaticFunctionBuilder. One thread at a time.
class ApproximateDictionaryBuilder {
 public:
  explicit ApproximateDictionaryBuilder(ApproximateDictionaryOptions options = {});

  // Add each key once: Build() rejects duplicates.
  Status Add(std::string_view key);
  uint64_t size() const { return function_.size(); }
  Result<ImageWriter> Build() const;
  Status WriteFile(const std::string& path, FileSystem& fs = PosixFileSystem()) const;

 private:
  Status CheckOptions() const;

  unsigned signature_bits_;
  StaticFunctionBuilder function_;
};

// A view of its image, which must outlive it; immutable; any number of threads may read. The image is that of
// the static function. Format: docs/formats/approximate-dictionary.md.
class ApproximateDictionary {
 public:
  static constexpr FileKind kFileKind = {.name = "approx-dict", .version = 1};

  static Result<ApproximateDictionary> FromImage(Bytes image);

  uint64_t size() const { return function_.size(); }
  // The probability that Contains() returns true for a key that is not in the set.
  double error() const;

  bool Contains(std::string_view key) const {
    const Signature128 signature = function_.Sign(key);
    return size() != 0 && function_.Get(signature) == FreeSignature(signature, function_.bits());
  }
  // Sets out[i] for keys[i]; the cache misses of many keys overlap. REQUIRES: out.size() >= keys.size().
  void ContainsBatch(std::span<const std::string_view> keys, std::span<bool> out) const;

  Description Describe() const;

 private:
  explicit ApproximateDictionary(StaticFunction function) : function_(std::move(function)) {}

  StaticFunction function_;
};

}  // namespace crivello::succinct
