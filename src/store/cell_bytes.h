// SPDX-License-Identifier: Apache-2.0
// How the cells of the table and the lines of the ledger write their fields: varints of seven bits a byte,
// low ones first; texts after their length; 64-bit words little-endian.  For the .cc files of this folder.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace crivello::store {

inline void AppendVarint(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(value | 0x80));
  out->push_back(static_cast<char>(value));
}
inline void AppendText(std::string_view text, std::string* out) {
  AppendVarint(text.size(), out);
  out->append(text);
}
inline void AppendWord(uint64_t value, std::string* out) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out->append(bytes, sizeof value);
}
// Numbers of either sign: 0, -1, 1, -2 ... become 0, 1, 2, 3 ...
constexpr uint64_t ZigZag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}
constexpr int64_t UnZigZag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

// Reads them.  What does not fit makes it not ok(), and everything after is 0 or empty: the caller looks
// once, at the end.
class CellReader {
 public:
  explicit CellReader(std::string_view bytes) : rest_(bytes) {}

  uint64_t Varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) return Fail();
      const auto byte = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      if (shift == 63 && byte > 1) return Fail();
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return byte == 0 && shift > 0 ? Fail() : value;  // one way to write a number
    }
    return Fail();
  }
  // A varint that must not exceed `most`.
  uint64_t VarintUpTo(uint64_t most) {
    const uint64_t value = Varint();
    return value <= most ? value : Fail();
  }
  uint64_t Word() {
    uint64_t value = 0;
    const std::string_view bytes = Raw(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string_view Text() { return Raw(Varint()); }
  std::string_view Raw(uint64_t n) {
    if (n > rest_.size()) {
      Fail();
      return {};
    }
    const std::string_view bytes = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return bytes;
  }

  bool ok() const { return ok_; }
  bool done() const { return ok_ && rest_.empty(); }
  size_t left() const { return rest_.size(); }

 private:
  uint64_t Fail() {
    ok_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace crivello::store
