// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace crivello::index {

// The part of the wire format of Protocol Buffers that CIFF needs: messages of numbers and strings, where
// each field follows its number and type.

// Appends the fields of a message.  Omits zeros, as proto3 does.  One thread at a time.
class ProtobufWriter {
 public:
  explicit ProtobufWriter(std::string* out) : out_(out) {}

  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_->push_back(static_cast<char>(value | 0x80));
    out_->push_back(static_cast<char>(value));
  }
  void Number(unsigned field, uint64_t value) {
    if (value == 0) return;
    Varint(field << 3);
    Varint(value);
  }
  void Double(unsigned field, double value) {
    Varint(field << 3 | 1);
    const auto bits = std::bit_cast<uint64_t>(value);
    for (int i = 0; i < 8; i++) out_->push_back(static_cast<char>(bits >> (8 * i)));
  }
  // A string, or a message that was encoded elsewhere.
  void Text(unsigned field, std::string_view text) {
    Varint(field << 3 | 2);
    Varint(text.size());
    out_->append(text);
  }

 private:
  std::string* out_;
};

// Iterates over the fields of a message.  Stops at invalid input, with ok() false.
class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view message) : rest_(message) {}

  // Moves to the next field; false at the end.  number() or text() then has its value, according to its wire
  // type; a double is returned as the number of its bits.
  bool Next() {
    if (rest_.empty()) return false;
    const uint64_t tag = TakeVarint();
    field_ = tag >> 3;
    number_ = 0;
    text_ = {};
    switch (tag & 7) {
      case 0:
        number_ = TakeVarint();
        break;
      case 1:
        TakeFixed(8);
        break;
      case 2:
        text_ = TakeDelimited();
        break;
      case 5:
        TakeFixed(4);
        break;
      default:
        Fail();
    }
    return ok_;
  }
  uint64_t field() const { return field_; }
  uint64_t number() const { return number_; }
  std::string_view text() const { return text_; }
  bool ok() const { return ok_; }

  // A message prefixed with its length: a file is a sequence of these.
  std::string_view TakeDelimited() {
    const uint64_t size = TakeVarint();
    if (size > rest_.size()) {
      Fail();
      return {};
    }
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }
  size_t left() const { return rest_.size(); }

 private:
  uint64_t TakeVarint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    Fail();
    return 0;
  }
  void TakeFixed(size_t bytes) {
    if (bytes > rest_.size()) return Fail();
    for (size_t i = 0; i < bytes; i++)
      number_ |= static_cast<uint64_t>(static_cast<uint8_t>(rest_[i])) << (8 * i);
    rest_.remove_prefix(bytes);
  }
  void Fail() {
    ok_ = false;
    rest_ = {};
  }

  std::string_view rest_;
  uint64_t field_ = 0;
  uint64_t number_ = 0;
  std::string_view text_;
  bool ok_ = true;
};

}  // namespace crivello::index
