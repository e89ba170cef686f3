// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/random.h"
#include "store/warc_encoder.h"

namespace crivello::store {

// A record that replaces one removed from an archive, of exactly `length` stored bytes, so that all other
// records keep their offsets. It is a gzip member, zstd frame or plain record of its own, of WARC type
// metadata and without a URL; any reader of WARC can read and skip it. Its block says that something was
// removed, and is padded with spaces, uncompressed.
//
// It reveals nothing of the old record except its length. A length below kMinTombstoneBytes, which no record
// written by this program has, gives zero bytes; readers report a damaged place there. Linear in the length.
//
// For a plain record the length covers its head and block, without the empty lines after it, like
// WarcRecord::stored_bytes.
inline constexpr uint64_t kMinTombstoneBytes = 224;
std::string MakeTombstone(WarcCompression compression, uint64_t length, int64_t date, Random& random);

// Whether a record is a tombstone.
bool IsTombstone(const WarcRecord& record);

}  // namespace crivello::store
