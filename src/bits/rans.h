// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::bits {

// Asymmetric numeral systems, range variant (Duda, 2013; interleaved after Giesen: Interleaved entropy
// coders, 2014): the sequence costs its entropy, as with arithmetic coding, and decodes at the speed of a
// table look-up and a multiplication an integer.  For data at rest, where space matters more than the last
// factor of ten in speed.
//
// The code carries its own static model, of what is in it; the encoder tries several alphabets and precisions
// and keeps the one with which model and data together are smallest.  Symbols are integers below 2^k, and
// above that ranges of them, which share their four highest bits; the bits below are written as they are.  So
// any 32-bit integers can be coded, and 16 to 2216 symbols tell what distributions of gaps and counts there
// are.
//
// The model costs 50 to 300 bytes, and the states 8 or 32, so that short sequences belong to other codecs.
// Encoding needs the whole sequence; memory is 4 bytes an integer, and 2^(d + 3), d at most 16, when
// decoding.  Format: docs/formats/rans.md; the theory, on a natural number, is rans_model.h.  Functions are
// thread-safe.

// Appends the code of `in`; the reader must know how many integers they are.
void RansEncode(std::span<const uint32_t> in, std::vector<uint8_t>* out);

// Fills `out` and returns the number of bytes read, or Corruption.  Reads nothing outside `in`; bytes that
// follow the code are left alone.  The states must come back to where the encoder began: most damage shows.
Result<size_t> RansDecode(Bytes in, std::span<uint32_t> out);

}  // namespace crivello::bits
