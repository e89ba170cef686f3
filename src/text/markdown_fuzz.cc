// SPDX-License-Identifier: Apache-2.0
// Any bytes, as Markdown and as plain text: documents within their limits.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "text/plain_text.h"

namespace {

void Check(const crivello::text::Document& document) {
  size_t bytes = 0;
  for (const auto& block : document.blocks) {
    bytes += block.text.size();
    if (block.text.empty() || block.linked > block.text.size()) std::abort();
  }
  if (bytes > 65536) std::abort();
  for (const auto& link : document.links) {
    if (link.block != ~0u && link.block >= document.blocks.size()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::text;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Check(ConvertMarkdown(text, 65536));
  Check(ConvertPlainText(text, {.max_text_bytes = 65536, .join_hyphens = size % 2 == 0}));
  return 0;
}
