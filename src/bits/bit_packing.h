// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace crivello::bits {

// Packs blocks of 128 integers at a fixed number of bits b = 0..32 each, in 16b bytes: the layout of
// SIMD-BP128 (Lemire, Boytsov: Decoding billions of integers per second through vectorization, 2015).
//
// A block has four lanes, like a 128-bit vector. Integer i is in lane i % 4. A lane has its 32 integers in
// order, low bits first, in b little-endian 32-bit words; word w of lane l is the 32-bit word 4w + l of the
// block. So one shift and one mask give a row of four consecutive integers, without crossing lanes. Scalar
// code reads and writes the same bytes.
//
// Kernels are straight-line code, one for each b. They access exactly the 16b bytes and 128 integers, at any
// alignment, and trust their arguments: callers must have checked lengths. Immutable; thread-safe.
constexpr size_t kPackedBlock = 128;
constexpr size_t kMaxPackedBits = 32;
constexpr size_t PackedBytes(size_t bits) { return kPackedBlock / 8 * bits; }

struct BitPackingKernels {
  // Packs the low b bits of each integer.
  using Pack = void (*)(const uint32_t* in, uint8_t* out);
  using Unpack = void (*)(const uint8_t* in, uint32_t* out);
  // The integers are gaps: out[i] is base plus the sum of the first i + 1 gaps, mod 2^32.
  using UnpackDeltas = void (*)(const uint8_t* in, uint32_t base, uint32_t* out);
  // The same for integers that are already unpacked, in place.
  using PrefixSum = void (*)(uint32_t base, uint32_t* values);

  std::array<Pack, kMaxPackedBits + 1> pack;  // indexed by b, like the next two
  std::array<Unpack, kMaxPackedBits + 1> unpack;
  std::array<UnpackDeltas, kMaxPackedBits + 1> unpack_deltas;
  PrefixSum prefix_sum;
};

// The fastest kernels for this machine, chosen at run time; callers should fetch them once for many blocks.
const BitPackingKernels& VectorBitPacking();
// The same results without vectors.
const BitPackingKernels& ScalarBitPacking();

}  // namespace crivello::bits
