// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::bits {

// The codecs that write many 32-bit integers at once, behind a common interface, for
// callers that choose one at run time (`crivello codes`, benchmarks, fuzzers). Other
// code should call pfor.h, stream_vbyte.h or rans.h directly. Immutable;
// thread-safe.
struct BlockCodec {
  std::string_view name;     // in kebab-case
  std::string_view summary;  // one line, for display
  // Appends the code of `in`.
  void (*encode)(std::span<const uint32_t> in, std::vector<uint8_t>* out);
  // Fills `out`, which must have the size of the encoded sequence; returns the number of bytes
  // read, or Corruption.
  Result<size_t> (*decode)(Bytes in, std::span<uint32_t> out);
};

std::span<const BlockCodec> AllBlockCodecs();
// NotFound if no codec has that name; the message lists the existing ones.
Result<BlockCodec> FindBlockCodec(std::string_view name);

}  // namespace crivello::bits
