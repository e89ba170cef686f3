// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as a record of a MANIFEST's witness: what decodes encodes to the same bytes.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "kv/manifest_end.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto end = kv::DecodeManifestEnd(AsBytes(bytes)); end.ok()) {
    if (kv::EncodeManifestEnd(*end) != bytes) std::abort();
  }
  return 0;
}
