// SPDX-License-Identifier: Apache-2.0
// Any bytes as a record of a tablet's journal: what was read is written back unchanged.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "collection/tablet_journal.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto state = collection::DecodeTabletState(AsBytes(bytes)); state.ok()) {
    if (collection::EncodeTabletState(*state) != bytes) std::abort();
  }
  return 0;
}
