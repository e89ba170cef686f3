// SPDX-License-Identifier: Apache-2.0
#include "charset/charset.h"

#include "charset/charset_prescan.h"

namespace crivello::charset {

std::string_view CharsetSourceName(CharsetSource source) {
  switch (source) {
    case CharsetSource::kByteOrderMark:
      return "bom";
    case CharsetSource::kHttp:
      return "http";
    case CharsetSource::kMeta:
      return "meta";
    case CharsetSource::kDetected:
      return "detected";
    case CharsetSource::kDefault:
      return "default";
  }
  return "default";
}

CharsetDecision DecideCharset(std::string_view bytes, std::string_view http_label,
                              const CharsetOptions& options) {
  if (const auto encoding = SniffByteOrderMark(bytes)) return {*encoding, CharsetSource::kByteOrderMark, 1};
  if (const auto encoding = EncodingForLabel(http_label)) return {*encoding, CharsetSource::kHttp, 1};
  if (options.read_meta) {
    if (const auto encoding = PrescanEncoding(bytes, options.meta_bytes)) {
      return {*encoding, CharsetSource::kMeta, 0.9};
    }
  }
  if (options.detect) return DetectCharset(bytes, options);
  return {options.fallback, CharsetSource::kDefault, 0};
}

}  // namespace crivello::charset
