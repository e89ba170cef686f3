// SPDX-License-Identifier: Apache-2.0
#include "dedup/exact/checksum.h"

#include <array>

namespace crivello::dedup {
namespace {

constexpr std::array<uint32_t, 256> MakeCrcTable() {
  constexpr uint32_t kReflected = 0xedb88320;
  std::array<uint32_t, 256> table = {};
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; bit++) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kReflected : 0);
    table[byte] = rest;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kCrcTable = MakeCrcTable();

}  // namespace

uint64_t ByteSum(std::string_view bytes) {
  uint64_t sum = 0;
  for (const char byte : bytes) sum += static_cast<uint8_t>(byte);
  return sum;
}

uint32_t Crc32(std::string_view bytes, uint32_t before) {
  uint32_t crc = ~before;
  for (const char byte : bytes) {
    crc = (crc >> 8) ^ kCrcTable[(crc ^ static_cast<uint8_t>(byte)) & 0xff];
  }
  return ~crc;
}

}  // namespace crivello::dedup
