// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::bits {

// The codecs that write many 32-bit integers at once, behind one face: for whoever chooses among them at run
// time
// (`crivello codes`, benchmarks, fuzzers).  Code that knows what it wants calls pfor.h, stream_vbyte.h or
// rans.h. Immutable; thread-safe.
struct BlockCodec {
  std::string_view name;     // in kebab-case
  std::string_view summary;  // a line for people
  // Appends the code of `in`.
  void (*encode)(std::span<const uint32_t> in, std::vector<uint8_t>* out);
  // Fills `out`, whose size must be that of what was encoded; returns the number of bytes read, or
  // Corruption.
  Result<size_t> (*decode)(Bytes in, std::span<uint32_t> out);
};

std::span<const BlockCodec> AllBlockCodecs();
// NotFound if there is none of that name; the message lists those that are.
Result<BlockCodec> FindBlockCodec(std::string_view name);

}  // namespace crivello::bits
