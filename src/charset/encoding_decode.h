// SPDX-License-Identifier: Apache-2.0
// Decodes the web's encodings to UTF-8, as the Encoding standard requires: never an error; each malformed
// sequence becomes U+FFFD and is counted.
//
// Valid UTF-8 is returned unchanged, without a copy (checked by SIMD at about 10 GB/s); invalid UTF-8 is
// repaired by the rule of the maximal subpart. Single-byte encodings, UTF-16, x-user-defined and replacement
// use the standard's own tables. The East Asian ones use ICU's closest converters (gb18030, Big5-HKSCS,
// EUC-JP, ISO-2022-JP, ibm-943, windows-949), whose tables differ from the standard's in a few characters,
// documented in encoding_decode.cc.
//
// Thread-safe.  Time is linear; the output is at most 3 bytes for each byte of input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "charset/encoding.h"

namespace crivello::charset {

// Text in UTF-8: a view of the input if nothing had to change, otherwise its own string.
class DecodedText {
 public:
  // `input` must stay alive as long as text() is used.
  static DecodedText Borrowed(std::string_view input) {
    DecodedText text;
    text.borrowed_ = input;
    return text;
  }
  static DecodedText Owned(std::string text, uint64_t replacements) {
    DecodedText result;
    result.owned_ = std::move(text);
    result.owns_ = true;
    result.replacements_ = replacements;
    return result;
  }

  std::string_view text() const { return owns_ ? std::string_view(owned_) : borrowed_; }
  // True if text() points into the decoded bytes.
  bool borrowed() const { return !owns_; }
  // The number of malformed sequences, each replaced by one U+FFFD in the text.
  uint64_t replacements() const { return replacements_; }

 private:
  DecodedText() = default;
  std::string_view borrowed_;
  std::string owned_;
  uint64_t replacements_ = 0;
  bool owns_ = false;
};

// Decodes the bytes. Drops a byte order mark of `encoding` itself at the start.
DecodedText DecodeToUtf8(std::string_view bytes, Encoding encoding);

bool IsAscii(std::string_view bytes);

}  // namespace crivello::charset
