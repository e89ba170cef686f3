// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::bits {

// Asymmetric numeral systems, range variant (Duda, 2013; interleaved as in Giesen: Interleaved entropy
// coders, 2014). A sequence costs its entropy, as in arithmetic coding, and decoding an integer takes one
// table lookup and one multiplication. For data at rest, where space matters more than the last factor of ten
// in speed.
//
// The code contains a static model of its data. The encoder tries several alphabets and precisions and
// uses those for which model and data together are smallest. Symbols are the integers below 2^k, and above
// that ranges of integers that share their four highest bits; the bits below these are written verbatim.
// So any 32-bit integers can be coded, and 16 to 2216 symbols describe the usual distributions of gaps and
// counts.
//
// The model costs 50 to 300 bytes, the states 8 or 32, so other codecs suit short sequences better.
// Encoding needs the whole sequence. Memory: 4 bytes per integer; for decoding 2^(d + 3) bytes, d at
// most 16. Format: docs/formats/rans.md; theory, on a natural number: rans_model.h. Functions are
// thread-safe.

// Appends the code of `in`; the reader must know the number of integers.
void RansEncode(std::span<const uint32_t> in, std::vector<uint8_t>* out);

// Fills `out` and returns the number of bytes read, or Corruption. Reads nothing outside `in`; ignores bytes
// after the code. The states must return to the encoder's start values, which detects most damage.
Result<size_t> RansDecode(Bytes in, std::span<uint32_t> out);

}  // namespace crivello::bits
