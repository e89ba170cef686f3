// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>
#include <string_view>

#include "frontier/agenda.h"

// Whatever parses is unchanged after a round trip through writing and reading.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::frontier;
  const auto entry = DecodeAgendaEntry({reinterpret_cast<const char*>(data), size});
  if (!entry) return 0;
  const std::string again = EncodeAgendaEntry(*entry);
  if (DecodeAgendaEntry(again) != entry) std::abort();
  return 0;
}
