// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/record.h"
#include "revisit/host_schedule.h"

// Any input that parses is written back as the same bytes.  The checksum is corrected first, since otherwise
// no input would pass it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  RecordWriter checksum;
  checksum.Word(Hash64(bytes));
  bytes += checksum.bytes();
  const auto pages = revisit::DecodeHostSchedule(bytes);
  if (pages && revisit::EncodeHostSchedule(*pages) != bytes) std::abort();
  return 0;
}
