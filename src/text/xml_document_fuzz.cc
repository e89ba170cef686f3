// SPDX-License-Identifier: Apache-2.0
// Any bytes: an error, or a document within its limits whose links stand in blocks that are there.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "text/xml_document.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::text;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto document = ConvertXmlDocument(text, 65536);
  if (!document.ok()) return 0;
  size_t bytes = 0;
  for (const Block& block : document->blocks) {
    bytes += block.text.size();
    if (block.text.empty() || block.linked > block.text.size()) std::abort();
  }
  if (bytes > 65536) std::abort();
  for (const DocumentLink& link : document->links) {
    if (link.block != ~0u && link.block >= document->blocks.size()) std::abort();
  }
  return 0;
}
