// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include "base/hash.h"
#include "base/record.h"
#include "collection/page_schedule.h"

// Any input that parses can be written and read again.  The checksum is corrected first, since otherwise no
// input would pass it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  RecordWriter checksum;
  checksum.Word(Hash64(bytes));
  bytes += checksum.bytes();
  if (const auto host = collection::DecodeHostLoad(bytes)) {
    if (collection::EncodeHostLoad(*host) != bytes) std::abort();
  }
  const auto record = collection::DecodeScheduleRecord(bytes);
  if (!record) return 0;
  const auto again = collection::DecodeScheduleRecord(collection::EncodeScheduleRecord(*record));
  if (!again || !(again->stats == record->stats)) std::abort();
  return 0;
}
