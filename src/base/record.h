// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace crivello {

// The small records in key-value stores and logs: numbers in LEB128 (seven bits per byte, low ones first),
// strings preceded by their length. The reader never fails midway: missing fields read as zero and empty, and
// ok() reports it at the end.

// One thread at a time.
class RecordWriter {
 public:
  RecordWriter() : out_(&own_) {}
  // Appends to the caller's string, which must outlive the writer.
  explicit RecordWriter(std::string* out) : out_(out) {}
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  void Number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_->push_back(static_cast<char>(value | 0x80));
    out_->push_back(static_cast<char>(value));
  }
  // Also for negative numbers; those near zero are short (zigzag).
  void Signed(int64_t value) {
    Number((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
  }
  void Text(std::string_view text) {
    Number(text.size());
    out_->append(text);
  }
  // Eight bytes, little-endian: for hashes, which are rarely small.
  void Word(uint64_t value) {
    for (int i = 0; i < 8; ++i) out_->push_back(static_cast<char>(value >> (8 * i)));
  }
  // Without the length: the reader knows it, or it is the last field of a record.
  void Raw(std::string_view bytes) { out_->append(bytes); }

  const std::string& bytes() const& { return *out_; }
  std::string bytes() && { return std::move(*out_); }
  void Clear() { out_->clear(); }

 private:
  std::string own_;
  std::string* const out_;
};

// Views point into the bytes being read.
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
      if (byte < 0x80) return byte == 0 && shift > 0 ? Fail() : value;  // only the shortest form is valid
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
  std::string_view Text() { return Raw(Number()); }
  std::string_view Raw(uint64_t size) {
    if (size > rest_.size()) {
      Fail();
      return {};
    }
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
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
  size_t left() const { return rest_.size(); }
  // Nothing was missing, and nothing is left over.
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
