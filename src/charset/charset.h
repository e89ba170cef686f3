// SPDX-License-Identifier: Apache-2.0
// Which encoding a document is in: the HTML standard's order (byte order mark, the server's label, the page's
// own <meta> or XML declaration), then detection from the bytes, then a default.
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
  double confidence = 0;  // 0 to 1; 1 where the standard says "certain"
};

struct CharsetOptions {
  bool read_meta = true;
  // How far a <meta> is looked for.  The standard demands 1024 and lets a later one change the encoding.
  size_t meta_bytes = 64 << 10;
  bool detect = true;
  // How much is read to detect; a page whose language shows later than this is not worth the time.
  size_t detect_bytes = 256 << 10;
  // "hu", "pt-BR": the language that Content-Language or the like states, a hint among equals.
  std::string_view language = {};
  Encoding fallback = Encoding::kWindows1252;
};

// The encoding of a document that came with the charset `http_label` ("" if none).  Linear in what is read.
// Thread-safe.
CharsetDecision DecideCharset(std::string_view bytes, std::string_view http_label = {},
                              const CharsetOptions& options = {});

// What the bytes alone tell, whatever they claim; kDefault with confidence 0 if they are plain ASCII.
CharsetDecision DetectCharset(std::string_view bytes, const CharsetOptions& options = {});

}  // namespace crivello::charset
