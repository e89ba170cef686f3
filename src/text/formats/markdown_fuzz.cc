// SPDX-License-Identifier: Apache-2.0
// Any bytes, as Markdown and as plain text, give sound documents within the limits.
#include <cstdint>
#include <string_view>

#include "text/formats/document_check.h"
#include "text/formats/plain_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::text;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  RequireSound(ConvertMarkdown(text, 65536), 65536);
  RequireSound(ConvertPlainText(text, {.max_text_bytes = 65536, .join_hyphens = size % 2 == 0}), 65536);
  return 0;
}
