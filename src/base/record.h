// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crivello {

// The small records that lie in key-value stores and logs: numbers in LEB128 (seven bits a byte, low ones
// first), strings after their length.  The reader never fails halfway: what is missing reads as zero and
// empty, and ok() tells at the end.

class RecordWriter {
 public:
  void Number(uint64_t value) {
    while (value >= 0x80) {
      bytes_.push_back(static_cast<char>(value | 0x80));
      value >>= 7;
    }
    bytes_.push_back(static_cast<char>(value));
  }
  // Negative ones too, those near zero being short (zigzag).
  void Signed(int64_t value) {
    Number((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
  }
  void Text(std::string_view text) {
    Number(text.size());
    bytes_.append(text);
  }
  // Eight bytes, little-endian: for hashes, which have no small values.
  void Word(uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i)));
  }
  // Without its length: the last field of a record.
  void Rest(std::string_view text) { bytes_.append(text); }

  const std::string& bytes() const& { return bytes_; }
  std::string bytes() && { return std::move(bytes_); }
  void Clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

// Views point into the bytes that are read.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : rest_(bytes) {}

  uint64_t Number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      if (shift == 63 && byte > 1) break;
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return Fail();
  }
  // A number that must not exceed `limit`.
  uint64_t NumberAtMost(uint64_t limit) {
    const uint64_t value = Number();
    return value <= limit ? value : Fail();
  }
  int64_t Signed() {
    const uint64_t value = Number();
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }
  std::string_view Text() {
    const uint64_t size = Number();
    if (size > rest_.size()) Fail();
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(text.size());
    return text;
  }
  uint64_t Word() {
    if (rest_.size() < 8) return Fail();
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; ++i)
      value |= static_cast<uint64_t>(static_cast<uint8_t>(rest_[i])) << (8 * i);
    rest_.remove_prefix(8);
    return value;
  }
  std::string_view Rest() {
    const std::string_view text = rest_;
    rest_ = {};
    return text;
  }

  bool ok() const { return ok_; }
  // Nothing was missing, and nothing is left.
  bool finished() const { return ok_ && rest_.empty(); }

 private:
  uint64_t Fail() {
    ok_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace crivello
