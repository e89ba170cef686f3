// SPDX-License-Identifier: Apache-2.0
// Any bytes as an epoch file: what is read is written back the same.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cluster/fence/epoch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto claim = cluster::DecodeClaim("fuzz", bytes); claim.ok()) {
    if (cluster::EncodeClaim(*claim) != bytes) std::abort();
  }
  if (const auto epoch = cluster::ParseEpochFileName(bytes)) {
    if (cluster::EpochFileName(*epoch) != bytes) std::abort();
  }
  return 0;
}
