// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::bits {

// PFOR-DELTA (Zukowski, Héman, Nes, Boncz: Super-scalar RAM-CPU cache compression, 2006). Blocks of 128
// integers, most of them written in b bits each, at a speed limited only by memory. The few integers that
// need more bits, the exceptions, are stored separately. For the gaps of posting lists and for counts, where
// it is smaller and faster than byte codes.
//
// As in NewPFD (Yan, Ding, Suel, 2009), the block has the low b bits of every integer, and an exception is
// its position and its high bits. So the block itself has no markers, and no extra exceptions are needed to
// link distant ones. Each block uses the b that makes it smallest.
//
// A block can only be decoded as a whole. But blocks are independent, so a reader that knows where one begins
// can decode it, or several: the code of 128k integers followed by another code is the code of both
// sequences. Integers have 32 bits, enough for document gaps, counts and positions; wider ones would leave
// half of each vector idle. Format: docs/formats/pfor.md. Functions are thread-safe.

// How the encoder chooses b.
enum class PForRule : uint8_t {
  kCost,           // the smallest block, including exceptions; of equal ones, the one with fewer exceptions
  kNinetyPercent,  // the least b for nine in ten integers: the rule of the paper, for comparison
};

// Appends the code of `in`; the reader must know the number of integers. A few ns per integer.
void PForEncode(std::span<const uint32_t> in, std::vector<uint8_t>* out, PForRule rule = PForRule::kCost);

// Fills `out` and returns the number of bytes read, or Corruption. Reads nothing outside `in`; ignores bytes
// after the code.
Result<size_t> PForDecode(Bytes in, std::span<uint32_t> out);

// The same if gaps were encoded: out[i] is `base` plus the sum of the first i + 1 gaps, mod 2^32.
Result<size_t> PForDecodeDeltas(Bytes in, uint32_t base, std::span<uint32_t> out);

// An upper bound, at most 32, for the width of all integers in the first block of `in`, whatever it decodes
// to. With it, a reader of untrusted gaps can make sure that their sum does not overflow.
size_t PForMaxBits(Bytes in);

}  // namespace crivello::bits
