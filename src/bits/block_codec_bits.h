// SPDX-License-Identifier: Apache-2.0
// Fields of a few bits in the block codecs, packed from the lowest bit of each byte.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace crivello::bits::internal {

constexpr size_t kMaxFieldBits = 57;  // what a 64-bit load gives from any bit

constexpr uint64_t LowBits(uint64_t word, size_t bits) { return word & ((uint64_t{1} << bits) - 1); }
constexpr size_t BytesOf(size_t bits) { return bits / 8 + (bits % 8 != 0); }

// Appends fields to a byte vector. One thread at a time.
class FieldWriter {
 public:
  explicit FieldWriter(std::vector<uint8_t>* out) : out_(out) {}

  // REQUIRES: bits <= kMaxFieldBits, value < 2^bits.
  void Append(uint64_t value, size_t bits) {
    assert(bits <= kMaxFieldBits && value >> bits == 0);
    pending_ |= value << pending_bits_;
    for (pending_bits_ += bits; pending_bits_ >= 8; pending_bits_ -= 8) {
      out_->push_back(static_cast<uint8_t>(pending_));
      pending_ >>= 8;
    }
  }
  // Pads the last byte with zeros.
  void Finish() {
    if (pending_bits_ > 0) out_->push_back(static_cast<uint8_t>(pending_));
    pending_ = pending_bits_ = 0;
  }

 private:
  std::vector<uint8_t>* out_;
  uint64_t pending_ = 0;
  size_t pending_bits_ = 0;  // below 8 between calls
};

inline uint64_t Load64(const uint8_t* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, 8);
  return word;
}

// At least kMaxFieldBits bits starting at `bit`; beyond the end they are zero.
inline uint64_t FieldsAt(std::span<const uint8_t> bytes, size_t bit) {
  const size_t at = bit / 8;
  if (bytes.size() >= 8 && at <= bytes.size() - 8) [[likely]]
    return Load64(bytes.data() + at) >> bit % 8;
  uint64_t word = 0;
  if (at < bytes.size()) std::memcpy(&word, bytes.data() + at, bytes.size() - at);
  return word >> bit % 8;
}

}  // namespace crivello::bits::internal
