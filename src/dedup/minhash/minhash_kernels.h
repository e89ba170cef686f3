// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace crivello::dedup {

// The two loops that MinHash spends its time in, obvious and by SIMD; both give the same values.

// minima[i] = min(minima[i], ((h a[i] + b[i]) mod 2^64) mod (2^61 - 1)) for each hash h.
// REQUIRES: the same size of a, b and minima.
struct MinHashRows {
  const uint64_t* a;
  const uint64_t* b;
  uint64_t* minima;
  size_t count;
};
void UpdateMinimaPlainly(std::span<const uint64_t> hashes, MinHashRows rows);
void UpdateMinima(std::span<const uint64_t> hashes, MinHashRows rows);

// The first eight bytes of the SHA-1 of each message, as a little-endian number.  Messages of up to
// kMostSha1LaneBytes are hashed side by side, one in each lane; longer ones one after the other.
constexpr size_t kMostSha1LaneBytes = 119;  // two blocks of 64 bytes, less padding and length
void HashBySha1Plainly(std::span<const std::string_view> messages, uint64_t* hashes);
void HashBySha1(std::span<const std::string_view> messages, uint64_t* hashes);

}  // namespace crivello::dedup
