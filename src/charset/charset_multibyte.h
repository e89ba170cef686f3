// SPDX-License-Identifier: Apache-2.0
// Checks whether bytes can be text in one of the East Asian encodings, by the structure of sequences.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "charset/encoding.h"

namespace crivello::charset::internal {

struct MultiByteCount {
  Encoding encoding = Encoding::kGbk;
  uint64_t characters = 0;  // valid sequences of more than one byte
  uint64_t errors = 0;      // sequences that are invalid in the encoding
  uint64_t common = 0;      // those characters that are in the zones where most of a text is
  double common_share() const {
    return characters == 0 ? 0 : static_cast<double>(common) / static_cast<double>(characters);
  }
};

// Shift_JIS, EUC-JP, EUC-KR, GBK and Big5, one pass each, linear.
std::array<MultiByteCount, 5> CountMultiByte(std::string_view bytes);

}  // namespace crivello::charset::internal
