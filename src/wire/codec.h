// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/record.h"
#include "base/status.h"

namespace crivello::wire {

// The encoding of all messages.  A struct lists its fields once, in a static function
//
//   static void Fields(auto& visit, auto& self) { visit(self.url, self.count); }
//
// which both directions use; fields are sent in this order, without names.  By type:
//
//   bool, unsigned numbers, enums   LEB128
//   signed numbers                  zigzag, LEB128
//   float, double                   the bits, as eight bytes (of the double)
//   std::string                     length, bytes
//   std::optional                   0, or 1 and the value
//   std::vector, std::map           number of elements, elements
//   std::array, std::pair, structs  their parts
//
// Encoding never fails.  Decoding accepts any bytes: memory is bounded by a small multiple of their number,
// because an element takes at least one byte, and recursive structs are at most kMaxDepth deep.

inline constexpr int kMaxDepth = 32;

class Encoder {
 public:
  template <typename... Values>
  void operator()(const Values&... values) {
    (Put(values), ...);
  }
  std::string bytes() && { return std::move(writer_).bytes(); }

 private:
  template <typename T>
  void Put(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      writer_.Number(static_cast<uint64_t>(value));
    } else if constexpr (std::unsigned_integral<T>) {
      writer_.Number(value);
    } else if constexpr (std::signed_integral<T>) {
      writer_.Signed(value);
    } else if constexpr (std::floating_point<T>) {
      writer_.Word(std::bit_cast<uint64_t>(static_cast<double>(value)));
    } else {
      T::Fields(*this, value);
    }
  }
  void Put(const std::string& text) { writer_.Text(text); }
  template <typename T>
  void Put(const std::optional<T>& value) {
    writer_.Number(value ? 1 : 0);
    if (value) Put(*value);
  }
  template <typename T>
  void Put(const std::vector<T>& values) {
    writer_.Number(values.size());
    for (const auto& value : values) Put(static_cast<const T&>(value));
  }
  template <typename T, size_t kSize>
  void Put(const std::array<T, kSize>& values) {
    for (const T& value : values) Put(value);
  }
  template <typename A, typename B>
  void Put(const std::pair<A, B>& pair) {
    Put(pair.first);
    Put(pair.second);
  }
  template <typename K, typename V>
  void Put(const std::map<K, V>& values) {
    writer_.Number(values.size());
    for (const auto& [key, value] : values) {
      Put(key);
      Put(value);
    }
  }

  RecordWriter writer_;
};

// The bytes must outlive it.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : reader_(bytes) {}

  template <typename... Values>
  void operator()(Values&... values) {
    (Get(&values), ...);
  }
  // Whether all fields were present and in range, and nothing is left.
  bool finished() const { return good_ && reader_.finished(); }

 private:
  void Fail() { good_ = false; }
  bool going() const { return good_ && reader_.ok(); }

  template <typename T>
  void Get(T* value) {
    if constexpr (std::is_enum_v<T>) {
      // Every enum in a message has a kLast.
      *value = static_cast<T>(reader_.NumberAtMost(static_cast<uint64_t>(T::kLast)));
    } else if constexpr (std::is_same_v<T, bool>) {
      *value = reader_.NumberAtMost(1) != 0;
    } else if constexpr (std::unsigned_integral<T>) {
      *value = static_cast<T>(reader_.NumberAtMost(static_cast<T>(~T{0})));
    } else if constexpr (std::signed_integral<T>) {
      const int64_t number = reader_.Signed();
      *value = static_cast<T>(number);
      if (*value != number) Fail();
    } else if constexpr (std::floating_point<T>) {
      const auto number = std::bit_cast<double>(reader_.Word());
      *value = static_cast<T>(number);
    } else {
      if (++depth_ > kMaxDepth) Fail();
      if (going()) T::Fields(*this, *value);
      --depth_;
    }
  }
  void Get(std::string* text) { *text = std::string(reader_.Text()); }
  template <typename T>
  void Get(std::optional<T>* value) {
    value->reset();
    if (reader_.NumberAtMost(1) != 0) Get(&value->emplace());
  }
  template <typename T>
  void Get(std::vector<T>* values) {
    values->clear();
    for (uint64_t left = Count(); left > 0 && going(); --left) {
      if constexpr (std::is_same_v<T, bool>) {
        bool value = false;
        Get(&value);
        values->push_back(value);
      } else {
        Get(&values->emplace_back());
      }
    }
  }
  template <typename T, size_t kSize>
  void Get(std::array<T, kSize>* values) {
    for (T& value : *values) Get(&value);
  }
  template <typename A, typename B>
  void Get(std::pair<A, B>* pair) {
    Get(&pair->first);
    Get(&pair->second);
  }
  template <typename K, typename V>
  void Get(std::map<K, V>* values) {
    values->clear();
    for (uint64_t left = Count(); left > 0 && going(); --left) {
      K key = {};
      Get(&key);
      // Sorted, so that each value has only one encoding.
      if (!values->empty() && !(values->rbegin()->first < key)) Fail();
      Get(&values->emplace_hint(values->end(), std::move(key), V{})->second);
    }
  }
  // Each element takes at least one byte, so there cannot be more than that.
  uint64_t Count() { return reader_.NumberAtMost(reader_.left()); }

  RecordReader reader_;
  int depth_ = 0;
  bool good_ = true;
};

template <typename T>
std::string Encode(const T& value) {
  Encoder encoder;
  encoder(value);
  return std::move(encoder).bytes();
}

// Corruption, with the name of the message, if the bytes are not exactly one T.
template <typename T>
Result<T> Decode(std::string_view bytes) {
  T value = {};
  Decoder decoder(bytes);
  decoder(value);
  if (!decoder.finished()) {
    return Status::Corruption(std::string("received a message that is not a well-formed '") + T::kName + "'");
  }
  return value;
}

}  // namespace crivello::wire
