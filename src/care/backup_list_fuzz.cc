// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as the list of a backup: what is read is unchanged after a round trip.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "care/backup.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using crivello::care::BackupList;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto list = BackupList::Decode(bytes); list.ok()) {
    if (BackupList::Decode(list->Encode())->files != list->files) std::abort();
  }
  return 0;
}
