// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/random.h"
#include "store/warc_encoder.h"

namespace crivello::store {

// A record that stands in the place of one that was removed from an archive: of exactly `length` bytes as
// stored, so that all other records keep their offsets.  It is a gzip member, zstd frame or plain record of
// its own, of WARC type metadata, without a URL, that any reader of WARC reads and passes over: its block
// says that something was removed, and is filled up with spaces, uncompressed.
//
// Nothing of the old record is in it, but its length.  A length below kMinTombstoneBytes, which no record
// that this program writes has, gives zero bytes: readers tell a damaged place there.  Linear in the length.
//
// Of a plain record the length is that of its fields and block, without the empty lines behind it, as
// WarcRecord::stored_bytes has it.
inline constexpr uint64_t kMinTombstoneBytes = 224;
std::string MakeTombstone(WarcCompression compression, uint64_t length, int64_t date, Random& random);

// Whether a record is one.
bool IsTombstone(const WarcRecord& record);

}  // namespace crivello::store
