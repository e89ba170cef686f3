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
// integers of 1 to 4 bytes each, whose lengths, two bits each, stand together in front.  Four lengths are a
// byte, and that byte chooses the shuffle that spreads up to 16 bytes over four integers: no branch depends
// on the data.
//
// Costs 10 bits an integer at least; decodes several billion integers a second, from bytes in cache.  The
// bytes are those of the authors' library, libstreamvbyte (streamvbyte_encode); unlike it we read only what
// we are given.  Format: docs/formats/stream-vbyte.md.  Functions are thread-safe.

constexpr size_t StreamVByteMaxBytes(size_t count) { return (count + 3) / 4 + 4 * count; }

// Appends the code of `in`; the reader must know how many integers they are.
void StreamVByteEncode(std::span<const uint32_t> in, std::vector<uint8_t>* out);

// Fills `out` and returns the number of bytes read, or Corruption if `in` is too short.  Any bytes that are
// long enough are the code of something; bytes that follow are left alone.
Result<size_t> StreamVByteDecode(Bytes in, std::span<uint32_t> out);

// The same bytes and integers without vectors.
void StreamVByteEncodeScalar(std::span<const uint32_t> in, std::vector<uint8_t>* out);
Result<size_t> StreamVByteDecodeScalar(Bytes in, std::span<uint32_t> out);

}  // namespace crivello::bits
