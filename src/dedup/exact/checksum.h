// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace crivello::dedup {

// The checksums of the lecture notes, for teaching: two texts with equal checksums may still differ. The
// crawl compares digests of 64 and 128 bits (page_digest.h, text_digest.h).

// The sum of the bytes; does not depend on their order.
uint64_t ByteSum(std::string_view bytes);

// The cyclic redundancy check of Ethernet, zip and gzip (polynomial 0x04c11db7, reflected), which depends on
// byte positions. `before` is the check of the preceding bytes, to show the steps.
uint32_t Crc32(std::string_view bytes, uint32_t before = 0);

}  // namespace crivello::dedup
