// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace crivello::dedup {

// The two loops that dominate MinHash, in an obvious and a SIMD version; both give the same values.

// minima[i] = min(minima[i], ((h a[i] + b[i]) mod 2^64) mod (2^61 - 1)) for each hash h.
// REQUIRES: a, b and minima have the same size.
struct MinHashRows {
  const uint64_t* a;
  const uint64_t* b;
  uint64_t* minima;
  size_t count;
};
void UpdateMinimaPlainly(std::span<const uint64_t> hashes, MinHashRows rows);
void UpdateMinima(std::span<const uint64_t> hashes, MinHashRows rows);

// The first eight bytes of the SHA-1 of each message, as a little-endian number. Messages of up to
// kMostSha1LaneBytes are hashed in parallel, one per lane; longer ones one by one.
constexpr size_t kMostSha1LaneBytes = 119;  // two blocks of 64 bytes, minus padding and length
void HashBySha1Plainly(std::span<const std::string_view> messages, uint64_t* hashes);
void HashBySha1(std::span<const std::string_view> messages, uint64_t* hashes);

}  // namespace crivello::dedup
