// SPDX-License-Identifier: Apache-2.0
// The encodings of the Encoding standard (https://encoding.spec.whatwg.org/): their names, and the labels
// that pages and servers use for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace crivello::charset {

// In the order of the standard; the single-byte ones are consecutive.
enum class Encoding : uint8_t {
  kUtf8,
  kIbm866,
  kIso8859_2,
  kIso8859_3,
  kIso8859_4,
  kIso8859_5,
  kIso8859_6,
  kIso8859_7,
  kIso8859_8,
  kIso8859_8I,
  kIso8859_10,
  kIso8859_13,
  kIso8859_14,
  kIso8859_15,
  kIso8859_16,
  kKoi8R,
  kKoi8U,
  kMacintosh,
  kWindows874,
  kWindows1250,
  kWindows1251,
  kWindows1252,
  kWindows1253,
  kWindows1254,
  kWindows1255,
  kWindows1256,
  kWindows1257,
  kWindows1258,
  kMacCyrillic,
  kGbk,
  kGb18030,
  kBig5,
  kEucJp,
  kIso2022Jp,
  kShiftJis,
  kEucKr,
  kReplacement,
  kUtf16Be,
  kUtf16Le,
  kUserDefined,
};
inline constexpr int kEncodingCount = 40;

inline bool IsSingleByte(Encoding e) { return e >= Encoding::kIbm866 && e <= Encoding::kMacCyrillic; }

// "UTF-8", "windows-1252", "Shift_JIS": the standard's spelling, for display and files.
std::string_view EncodingName(Encoding encoding);

// "Get an encoding": ignores case and surrounding white space of the label. A binary search of 228 labels.
// nullopt for a label that is not in the standard.
std::optional<Encoding> EncodingForLabel(std::string_view label);

}  // namespace crivello::charset
