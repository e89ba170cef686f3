// SPDX-License-Identifier: Apache-2.0
// The tables that tools/make-encoding-tables makes; for encoding*.cc and charset*.cc only.
#pragma once

#include <array>
#include <string_view>

#include "charset/encoding.h"

namespace crivello::charset::internal {

struct EncodingLabel {
  std::string_view label;
  Encoding encoding;
};
extern const std::array<EncodingLabel, 228> kEncodingLabels;
extern const std::array<std::string_view, kEncodingCount> kEncodingNames;

inline constexpr Encoding kFirstSingleByte = Encoding::kIbm866;
extern const std::array<std::array<char16_t, 128>, 28> kSingleByte;

// The code points of bytes 80 to FF, 0 where there is none.  REQUIRES: IsSingleByte(encoding).
inline const std::array<char16_t, 128>& SingleByteTable(Encoding encoding) {
  return kSingleByte[static_cast<size_t>(encoding) - static_cast<size_t>(kFirstSingleByte)];
}

}  // namespace crivello::charset::internal
