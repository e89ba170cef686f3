// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "frontier/host_queues_format.h"
#include "frontier/host_state.h"

// Arbitrary bytes are read as a state, as counts and as a journal, within bounds; a state that was read is
// unchanged after a round trip.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::frontier;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto state = DecodeHostState(bytes)) {
    if (DecodeHostState(EncodeHostState(*state)) != state) std::abort();
  }
  if (const auto counts = DecodeCounts(bytes)) {
    if (DecodeCounts(EncodeCounts(*counts))->changes != counts->changes) std::abort();
  }
  ReadJournal(bytes, [](uint64_t, std::string_view record) { DecodeHostState(record); });
  return 0;
}
