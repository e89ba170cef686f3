// SPDX-License-Identifier: Apache-2.0
// Bytes in one of the web's encodings to UTF-8, as the Encoding standard decodes them: never an error, each
// malformed sequence becomes U+FFFD and is counted.
//
// UTF-8 that is valid is returned as it stands, without a copy (checked by SIMD at some 10 GB/s); what is not
// is repaired by the rule of the maximal subpart.  Single-byte encodings, UTF-16, x-user-defined and
// replacement follow the standard's own tables.  The East Asian ones go through ICU's nearest converters
// (gb18030, Big5-HKSCS, EUC-JP, ISO-2022-JP, ibm-943, windows-949), whose tables differ from the standard's
// in a few characters: docs are in encoding_decode.cc.
//
// Thread-safe.  Time is linear; the output is at most 3 bytes for each byte of input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "charset/encoding.h"

namespace crivello::charset {

// Text in UTF-8: a view of the input where nothing had to change, else a string of its own.
class DecodedText {
 public:
  // Bytes that stay alive as long as text() is used.
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
  // True if text() looks into the bytes that were decoded.
  bool borrowed() const { return !owns_; }
  // Malformed sequences, each of which is one U+FFFD of the text.
  uint64_t replacements() const { return replacements_; }

 private:
  DecodedText() = default;
  std::string_view borrowed_;
  std::string owned_;
  uint64_t replacements_ = 0;
  bool owns_ = false;
};

// Decodes; a byte order mark of `encoding` itself at the start is dropped.
DecodedText DecodeToUtf8(std::string_view bytes, Encoding encoding);

bool IsAscii(std::string_view bytes);

}  // namespace crivello::charset
