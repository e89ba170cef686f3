// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/description.h"
#include "base/hash.h"
#include "base/image.h"
#include "succinct/compact_array.h"
#include "succinct/peeling.h"
#include "succinct/rank_bits.h"

namespace crivello::succinct {

// How many bits of a key's signature a function uses neither for the shard nor for the slots: free for users
// who sign keys.
constexpr unsigned kMaxSignatureBits = 40;
inline uint64_t FreeSignature(Signature128 signature, unsigned bits) {
  return signature.high & PackedMask(bits);
}

// A static function from keys, which are not stored, to values of b bits. For a key that it was not built
// with it returns an arbitrary value, and cannot detect that. Built by StaticFunctionBuilder.
//
// A key is hashed once, to 128 bits. The high word chooses a shard, the low one the 2, 3 or 4 slots in that
// shard whose xor is the value (peeling.h). The default graph, kFuse4, takes 1.075 b to 1.085 b bits per key
// in total, from 600 thousand keys on; docs/decisions/002-static-functions.md compares the graphs.
//
// A compacted function stores only the nonzero slots, at most one per key, and one bit per slot that marks
// them (with rank, to find them): b + 1.03 c bits per key for c slots per key. But each slot then costs up to
// three cache misses instead of one.
//
// Get() is O(1): a hash of the key and 2, 3 or 4 independent reads. GetBatch() overlaps the cache misses of
// many keys. A view of its image, which must outlive it; immutable; any number of threads may read.
// FromImage() checks lengths and every shard, O(shards), so nothing outside the image is ever read. Format:
// docs/formats/static-function.md.
class StaticFunction {
 public:
  static constexpr FileKind kFileKind = {.name = "static-function", .version = 1};

  static Result<StaticFunction> FromImage(Bytes image);

  // The number of keys, and the bits per value.
  uint64_t size() const { return size_; }
  unsigned bits() const { return values_.width(); }
  GraphKind graph() const { return graph_; }
  bool compacted() const { return compacted_; }

  // The signature of a key: all that Get() needs.
  Signature128 Sign(std::string_view key) const { return Hash128(key, seed_); }

  uint64_t Get(std::string_view key) const { return Get(Sign(key)); }
  uint64_t Get(Signature128 signature) const;
  // Sets out[i] to the value of keys[i]. REQUIRES: out.size() >= keys.size().
  void GetBatch(std::span<const std::string_view> keys, std::span<uint64_t> out) const;
  void GetBatch(std::span<const Signature128> signatures, std::span<uint64_t> out) const;

  Description Describe() const;

 private:
  StaticFunction() = default;

  template <GraphKind kind>
  auto SlotsOf(Signature128 signature) const;
  uint64_t PlaceOf(uint64_t slot) const;
  uint64_t XorCompacted(std::span<const uint64_t> slots) const;
  template <GraphKind kind>
  uint64_t GetFrom(Signature128 signature) const;
  template <GraphKind kind, typename SignatureAt>
  void GetBlock(size_t count, const SignatureAt& signature_at, uint64_t* out) const;
  template <typename SignatureAt>
  void GetBlocks(size_t count, const SignatureAt& signature_at, uint64_t* out) const;

  uint64_t size_ = 0;
  uint64_t seed_ = 0;
  GraphKind graph_ = GraphKind::kFuse4;
  bool compacted_ = false;
  uint64_t shard_count_ = 0;
  uint64_t slots_ = 0;
  uint64_t image_bytes_ = 0;
  CompactArray values_;
  std::span<const uint64_t> shards_;
  RankBits nonzero_;  // if compacted: which slots are in values_
};

}  // namespace crivello::succinct
