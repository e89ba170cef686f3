// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/file_system.h"

namespace crivello::graph {

// Reads a little-endian bit stream, which WebGraph in Rust can write: bit i is bit i mod 8 of byte i / 8,
// counted from the least significant, and a number of n bits has its lowest bit first.
//
// Safe on any bytes, like bits::BitReader: a read past the end returns 0 and makes the reader fail
// permanently.  A value type.  It is not optimised, because such graphs are rare.
class LittleBitReader {
 public:
  explicit LittleBitReader(Bytes bytes) : bytes_(bytes) {}

  uint64_t size() const { return 8 * uint64_t{bytes_.size()}; }
  uint64_t position() const { return position_; }
  bool ok() const { return ok_; }
  void Fail() {
    ok_ = false;
    position_ = size();
  }
  void SeekTo(uint64_t bit) {
    if (!ok_) return;
    if (bit > size()) return Fail();
    position_ = bit;
  }

  // REQUIRES: n <= 64.
  uint64_t ReadBits(unsigned n) {
    if (n > size() - position_) {
      Fail();
      return 0;
    }
    uint64_t value = 0;
    unsigned have = 0;
    while (have < n) {
      const unsigned skip = position_ % 8;
      const unsigned take = n - have < 8 - skip ? n - have : 8 - skip;
      const uint64_t byte = static_cast<uint8_t>(bytes_[position_ / 8]);
      value |= (byte >> skip & ((1u << take) - 1)) << have;
      have += take;
      position_ += take;
    }
    return value;
  }
  // The number of zeros before a one.
  uint64_t ReadUnary() {
    const uint64_t start = position_;
    while (position_ < size()) {
      const unsigned byte = static_cast<uint8_t>(bytes_[position_ / 8]);
      const unsigned rest = byte >> position_ % 8;
      if (rest != 0) {
        position_ += static_cast<unsigned>(std::countr_zero(rest)) + 1;
        return position_ - 1 - start;
      }
      position_ += 8 - position_ % 8;
    }
    Fail();
    return 0;
  }

 private:
  Bytes bytes_;
  uint64_t position_ = 0;
  bool ok_ = true;
};

}  // namespace crivello::graph
