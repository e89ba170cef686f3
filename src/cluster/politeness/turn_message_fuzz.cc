// SPDX-License-Identifier: Apache-2.0
// Any bytes as a message about turns.  The checksum is put right, so that what is behind it is reached: what
// is read is written back the same.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/hash.h"
#include "base/record.h"
#include "cluster/politeness/turn_message.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  (void)cluster::DecodeTurns(bytes);
  RecordWriter summed;
  summed.Raw(bytes);
  summed.Word(Hash64(bytes));
  if (const auto message = cluster::DecodeTurns(summed.bytes()); message.ok()) {
    if (cluster::EncodeTurns(*message) != summed.bytes()) std::abort();
  }
  return 0;
}
