// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::bits {

// Stream VByte (Lemire, Kurz, Rupp: Stream VByte: faster byte-oriented integer compression, 2018): 32-bit
// integers of 1 to 4 bytes each. Their lengths, two bits each, are stored together at the front. Four lengths
// form a byte, which selects the shuffle that spreads up to 16 bytes over four integers: no branch depends on
// the data.
//
// Costs at least 10 bits per integer; decodes several billion integers per second from cache. The bytes are
// the same as those of the authors' library, libstreamvbyte (streamvbyte_encode), but unlike it we never read
// beyond the input. Format: docs/formats/stream-vbyte.md. Functions are thread-safe.

constexpr size_t StreamVByteMaxBytes(size_t count) { return (count + 3) / 4 + 4 * count; }

// Appends the code of `in`; the reader must know the number of integers.
void StreamVByteEncode(std::span<const uint32_t> in, std::vector<uint8_t>* out);

// Fills `out` and returns the number of bytes read, or Corruption if `in` is too short. Any bytes that are
// long enough are a valid code; ignores bytes after the code.
Result<size_t> StreamVByteDecode(Bytes in, std::span<uint32_t> out);

// The same results without vectors.
void StreamVByteEncodeScalar(std::span<const uint32_t> in, std::vector<uint8_t>* out);
Result<size_t> StreamVByteDecodeScalar(Bytes in, std::span<uint32_t> out);

}  // namespace crivello::bits
