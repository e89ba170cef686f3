// SPDX-License-Identifier: Apache-2.0
// Any bytes give an error, or a sound document within the limits.
#include <cstdint>
#include <string_view>

#include "text/formats/document_check.h"
#include "text/formats/rtf.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::text;
  const auto document = ConvertRtf(std::string_view(reinterpret_cast<const char*>(data), size), 65536);
  if (document.ok()) RequireSound(*document, 65536);
  return 0;
}
