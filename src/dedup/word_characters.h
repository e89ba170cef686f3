// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unicode/uchar.h>

namespace crivello::dedup {

// Scripts without spaces: Thai to Myanmar, Khmer, the Han and Kana blocks, and the planes of ideographs.
constexpr bool StandsAlone(UChar32 c) {
  return (c >= 0x0e00 && c < 0x0f00) || (c >= 0x1000 && c < 0x10a0) || (c >= 0x1780 && c < 0x1800) ||
         (c >= 0x2e80 && c < 0xa000) || (c >= 0xf900 && c < 0xfb00) || (c >= 0x20000 && c < 0x40000);
}

inline bool IsMark(UChar32 c) { return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

}  // namespace crivello::dedup
