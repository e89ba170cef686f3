// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::bits {

// PFOR-DELTA (Zukowski, Héman, Nes, Boncz: Super-scalar RAM-CPU cache compression, 2006): blocks of 128
// integers of which most are written in b bits each, at a speed that only memory limits, and the few that
// need more, the exceptions, apart.  For the gaps of posting lists and for counts, where it is smaller than
// byte codes and faster.
//
// As in NewPFD (Yan, Ding, Suel, 2009) every integer has its low b bits in the block, and an exception is its
// position and its high bits: nothing need be said by the block itself, and no exceptions are made up to link
// distant ones.  Each block has its own b, the one that makes it smallest.
//
// Decoding is all or nothing for a block; but blocks stand alone, so that a reader that knows where one
// begins may decode it, or as many as it likes: the code of 128k integers followed by another is the code of
// both.  Integers have 32 bits: document gaps, counts and positions all fit, and half of each vector would be
// idle on wider ones. Format: docs/formats/pfor.md.  Functions are thread-safe.

// How the encoder chooses b.
enum class PForRule : uint8_t {
  kCost,           // the smallest block, exceptions included; of equals, the one with fewer exceptions
  kNinetyPercent,  // the least b that nine in ten fit: the rule of the paper, to compare
};

// Appends the code of `in`; the reader must know how many integers they are.  Some ns an integer.
void PForEncode(std::span<const uint32_t> in, std::vector<uint8_t>* out, PForRule rule = PForRule::kCost);

// Fills `out` and returns the number of bytes read, or Corruption.  Reads nothing outside `in`; bytes that
// follow the code are left alone.
Result<size_t> PForDecode(Bytes in, std::span<uint32_t> out);

// The same when what was encoded are gaps: out[i] is `base` plus the first i + 1 of them, mod 2^32.
Result<size_t> PForDecodeDeltas(Bytes in, uint32_t base, std::span<uint32_t> out);

// A width that no integer of the block that begins `in` exceeds, whatever it decodes to: what a reader of
// foreign gaps needs to know that their sum did not wrap around.  32 at most.
size_t PForMaxBits(Bytes in);

}  // namespace crivello::bits
