// SPDX-License-Identifier: Apache-2.0
// Decides the encoding of a document, in the HTML standard's order (byte order mark, the server's label, the
// page's own <meta> or XML declaration), then by detection from the bytes, then a default.
//
//   const CharsetDecision charset = DecideCharset(body, content_type_charset);
//   const DecodedText text = DecodeToUtf8(body, charset.encoding);
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "charset/encoding.h"
#include "charset/encoding_decode.h"

namespace crivello::charset {

enum class CharsetSource : uint8_t { kByteOrderMark, kHttp, kMeta, kDetected, kDefault };
// "bom", "http", "meta", "detected", "default".
std::string_view CharsetSourceName(CharsetSource source);

struct CharsetDecision {
  Encoding encoding = Encoding::kWindows1252;
  CharsetSource source = CharsetSource::kDefault;
  double confidence = 0;  // 0 to 1; 1 if the standard says "certain"
};

struct CharsetOptions {
  bool read_meta = true;
  // How far to search for a <meta>. The standard demands 1024; a later <meta> changes the encoding.
  size_t meta_bytes = 64 << 10;
  bool detect = true;
  // How much to read for detection; a page whose language shows only later is not worth the time.
  size_t detect_bytes = 256 << 10;
  // "hu", "pt-BR": the language from Content-Language or the like; breaks ties.
  std::string_view language = {};
  Encoding fallback = Encoding::kWindows1252;
};

// Decides the encoding of a document served with the charset `http_label` ("" if none). Linear in what is
// read. Thread-safe.
CharsetDecision DecideCharset(std::string_view bytes, std::string_view http_label = {},
                              const CharsetOptions& options = {});

// Judges by the bytes alone, whatever they claim; kDefault with confidence 0 for plain ASCII.
CharsetDecision DetectCharset(std::string_view bytes, const CharsetOptions& options = {});

}  // namespace crivello::charset
