// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace crivello::dedup {

// The checksums of the lecture notes, for teaching: two texts with the same one are not sure to be equal.
// The crawl compares digests of 64 and 128 bits (page_digest.h, text_digest.h).

// The sum of the bytes: the same for every order of them.
uint64_t ByteSum(std::string_view bytes);

// The cyclic redundancy check of Ethernet, zip and gzip (polynomial 0x04c11db7, reflected), which depends on
// the positions of the bytes.  `before` is the check of the bytes in front, so that steps can be shown.
uint32_t Crc32(std::string_view bytes, uint32_t before = 0);

}  // namespace crivello::dedup
