// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/description.h"
#include "base/image.h"
#include "succinct/bloom_layout.h"

namespace crivello::succinct {

// A Bloom filter: a set of keys that can grow. Contains() is true for every key that was added, and for any
// other with a probability, the error: it is as requested once as many keys as expected were added, and then
// rises gradually to 1. (Bloom: Space/time trade-offs in hash coding with allowable errors, 1970.)
//
// There are two layouts (bloom_layout.h). BloomFilter: 1.44 log2(1 / error) bits per key. Contains() stops at
// the first zero, so it costs about 2 cache misses if false and up to log2(1 / error) if true.
// BlockedBloomFilter: slightly more bits, one cache miss. For sets that do not grow, ApproximateDictionary is
// smaller than either.
//
// MutableBloomFilter and MutableBlockedBloomFilter own their bits and are the builders: Create() one, Add(),
// then use Contains() at once, or WriteFile() and map the file as BloomFilter or BlockedBloomFilter. Format:
// docs/formats/bloom-filter.md.

struct BloomOptions {
  uint64_t expected_keys = 1;
  double error = 0x1p-10;  // at most 1/2, at least 2^-60 (2^-24 if blocked)
  uint64_t seed = 0;       // of the signatures; filters to be merged must have the same
};

// The header, the same in images and in memory.
struct BloomHeader {
  static constexpr size_t kWords = 8;  // a cache line, so that the filter's lines are aligned

  BloomShape shape;
  uint64_t seed = 0;
  uint64_t adds = 0;  // calls of Add(), including repeated keys
  uint64_t expected_keys = 0;
};

// A filter in an image, which must outlive it; immutable; any number of threads may read. Every bit position
// is computed from the shape, which FromImage() checks, so no content can lead outside the image.
template <typename Layout>
class BasicBloomFilter {
 public:
  static constexpr FileKind kFileKind = Layout::kFileKind;

  static Result<BasicBloomFilter> FromImage(Bytes image);

  uint64_t bits() const { return header_.shape.bits; }
  unsigned probes() const { return header_.shape.probes; }
  uint64_t adds() const { return header_.adds; }

  Signature128 Sign(std::string_view key) const { return Hash128(key, header_.seed); }
  bool Contains(std::string_view key) const { return Contains(Sign(key)); }
  bool Contains(Signature128 signature) const {
    return Layout::AllProbes(header_.shape, signature,
                             [this](uint64_t bit) { return (words_[bit / 64] >> (bit % 64)) & 1; });
  }

  // Sets out[i] for keys[i]. The cache misses of 32 keys overlap, which helps if the filter exceeds the
  // cache, most for the blocked layout. REQUIRES: out.size() >= keys.size().
  void ContainsBatch(std::span<const std::string_view> keys, std::span<bool> out) const;
  void ContainsBatch(std::span<const Signature128> signatures, std::span<bool> out) const;

  // The share of ones, and the error computed from the actual ones: one pass over the bits.
  double Fill() const;
  double EstimatedError() const { return Layout::ErrorOf(header_.shape, {words_, bits() / 64}); }

  Description Describe() const;

 private:
  template <typename L>
  friend class BasicMutableBloomFilter;
  BasicBloomFilter(const BloomHeader& header, const uint64_t* words) : header_(header), words_(words) {}

  BloomHeader header_;
  const uint64_t* words_;
};

// A filter in memory that accepts keys. One thread at a time; any number may read while nobody adds.
template <typename Layout>
class BasicMutableBloomFilter {
 public:
  // InvalidArgument if no keys are expected or the error is out of bounds.
  static Result<BasicMutableBloomFilter> Create(BloomOptions options);
  // A copy of a filter, for adding keys.
  static Result<BasicMutableBloomFilter> FromImage(Bytes image);

  // Adds a key; returns whether it was probably there already. Costs as many cache misses as probes, or one.
  bool Add(std::string_view key) { return Add(Sign(key)); }
  bool Add(Signature128 signature);

  Signature128 Sign(std::string_view key) const { return Hash128(key, header_.seed); }
  bool Contains(std::string_view key) const { return view().Contains(key); }
  bool Contains(Signature128 signature) const { return view().Contains(signature); }

  // Adds all keys of `other`. InvalidArgument unless both have the same size, probes and seed.
  Status Merge(const BasicBloomFilter<Layout>& other);

  // This filter for reading, until it is moved or destroyed; adds() keeps its current value.
  BasicBloomFilter<Layout> view() const {
    return BasicBloomFilter<Layout>(header_, reinterpret_cast<const uint64_t*>(lines_.data()));
  }

  ImageWriter Build() const;
  Status WriteFile(const std::string& path, FileSystem& fs = PosixFileSystem()) const;

 private:
  struct alignas(64) Line {
    uint64_t words[BloomShape::kLineBits / 64];
  };

  explicit BasicMutableBloomFilter(const BloomHeader& header)
      : header_(header), lines_(header.shape.bits / BloomShape::kLineBits) {}

  BloomHeader header_;
  std::vector<Line> lines_;
};

using BloomFilter = BasicBloomFilter<BloomLayout>;
using MutableBloomFilter = BasicMutableBloomFilter<BloomLayout>;
using BlockedBloomFilter = BasicBloomFilter<BlockedBloomLayout>;
using MutableBlockedBloomFilter = BasicMutableBloomFilter<BlockedBloomLayout>;

template <typename Layout>
bool BasicMutableBloomFilter<Layout>::Add(Signature128 signature) {
  header_.adds++;
  uint64_t all = 1;
  Layout::AllProbes(header_.shape, signature, [&](uint64_t bit) {
    uint64_t& word = lines_[bit / BloomShape::kLineBits].words[bit % BloomShape::kLineBits / 64];
    all &= word >> (bit % 64);
    word |= uint64_t{1} << (bit % 64);
    return true;
  });
  return all != 0;
}

extern template class BasicBloomFilter<BloomLayout>;
extern template class BasicBloomFilter<BlockedBloomLayout>;
extern template class BasicMutableBloomFilter<BloomLayout>;
extern template class BasicMutableBloomFilter<BlockedBloomLayout>;

}  // namespace crivello::succinct
