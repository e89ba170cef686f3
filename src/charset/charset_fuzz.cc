// SPDX-License-Identifier: Apache-2.0
// For any bytes an encoding is decided; for every encoding, the text is valid UTF-8 and its replacements are
// counted.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "charset/charset.h"
#include "charset/encoding_decode.h"
#include "charset/encoding_encode.h"
#include "charset/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::charset;
  if (size == 0) return 0;
  const auto encoding = static_cast<Encoding>(data[0] % kEncodingCount);
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (const Encoding one : {encoding, DecideCharset(bytes).encoding}) {
    const DecodedText text = DecodeToUtf8(bytes, one);
    if (!IsValidUtf8(text.text())) std::abort();
    if (text.text().size() > 3 * bytes.size() + 3) std::abort();
    size_t marks = 0;
    for (size_t at = 0; (at = text.text().find("\xef\xbf\xbd", at)) != std::string_view::npos; at += 3)
      marks++;
    if (text.replacements() > marks) std::abort();
  }
  std::string query;
  AppendEncodedQuery(bytes, encoding, &query);
  if (query.size() > 20 * bytes.size()) std::abort();
  const CharsetDecision decision = DetectCharset(bytes, {.detect_bytes = 4096});
  if (decision.confidence < 0 || decision.confidence > 1) std::abort();
  return 0;
}
