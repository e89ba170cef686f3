// SPDX-License-Identifier: Apache-2.0
// Any bytes as docx, odt and epub, and as the detected format, give errors or documents within the
// limits.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "text/formats/convert.h"
#include "text/formats/office.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::text;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const OfficeLimits limits = {
      .archive = {.max_entries = 64, .max_entry_bytes = 1 << 20, .max_unpacked_bytes = 1 << 21},
      .max_text_bytes = 65536};
  for (const auto convert : {&ConvertDocx, &ConvertOdt, &ConvertEpub}) {
    const auto document = convert(bytes, limits);
    if (document.ok() && document->MainText().size() > 3 * 65536) std::abort();
  }
  SniffFormat(bytes, "text/plain", "x.md");
  return 0;
}
