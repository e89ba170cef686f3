// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace crivello::index {

// Numbers terms from 0 in order of first occurrence.  A hash table with open addressing, designed for the few
// instructions that can be spent on each word of a collection.
//
// A slot has the first 8 bytes of its term, so comparing a short term costs no other cache miss; the bytes of
// all terms are in one array.  A caller with many terms first prepares a Key for each, which prefetches its
// slot.  The hash (a 64 x 64 bit product, as in wyhash) has a seed of the table's own: numbers do not depend
// on it, and nobody can write pages whose words collide.
//
// Memory: 40 bytes per term plus its bytes.  Limits: 2^31 - 2 terms, 4 GiB of bytes.  One thread at a time.
class TermTable {
 public:
  TermTable();

  struct Key {
    std::string_view text;
    uint64_t first = 0;  // its first 8 bytes
    uint64_t hash = 0;
  };
  Key Prepare(std::string_view text) const {
    Key key = {text, 0, 0};
    uint64_t last = 0;
    if (text.size() > 8) {
      key.first = Load64(text.data());
      last = Load64(text.data() + text.size() - 8);
      if (text.size() > 16) last ^= HashMiddle(text);
    } else {
      key.first = LoadShort(text);
    }
    key.hash = Multiply(key.first ^ seed_[0], last ^ seed_[1] ^ text.size());
    __builtin_prefetch(&slots_[key.hash & mask_]);
    return key;
  }
  // The number of a term; a new term gets the number size().
  uint32_t NumberOf(const Key& key) {
    const uint32_t tag = TagOf(key);
    for (uint64_t at = key.hash & mask_;; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.first == key.first && slot.tag == tag) {
        if (key.text.size() <= 8 || IsTerm(slot.number, key.text)) return slot.number;
      } else if (slot.tag == kFree) {
        return Insert(key, at);
      }
    }
  }
  uint32_t NumberOf(std::string_view text) { return NumberOf(Prepare(text)); }

  uint32_t size() const { return static_cast<uint32_t>(ends_.size()); }
  std::string_view term(uint32_t number) const {
    const uint32_t begin = number > 0 ? ends_[number - 1] : 0;
    return {bytes_.data() + begin, ends_[number] - begin};
  }
  uint64_t memory_bytes() const {
    return sizeof(Slot) * slots_.capacity() + sizeof(uint32_t) * ends_.capacity() + bytes_.capacity();
  }
  // Removes all terms, and keeps the memory if there were many.
  void Clear();

 private:
  static constexpr uint32_t kFree = 0;
  struct Slot {
    uint64_t first = 0;
    uint32_t tag = kFree;  // its length, capped, and bits of the hash
    uint32_t number = 0;
  };

  static uint64_t Load64(const char* from) {
    uint64_t word;
    std::memcpy(&word, from, sizeof(word));
    return word;
  }
  // Loads up to 8 bytes, padded with zeros, by overlapping loads.
  static uint64_t LoadShort(std::string_view text) {
    const char* from = text.data();
    const size_t size = text.size();
    if (size >= 4) {
      uint32_t low, high;
      std::memcpy(&low, from, 4);
      std::memcpy(&high, from + size - 4, 4);
      return low | uint64_t{high} << 8 * (size - 4);
    }
    if (size == 0) return 0;
    const auto byte = [from](size_t i) { return uint64_t{static_cast<uint8_t>(from[i])} << 8 * i; };
    return byte(0) | byte(size / 2) | byte(size - 1);
  }
  static uint64_t Multiply(uint64_t a, uint64_t b) {
    const Uint128 product = static_cast<Uint128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }
  static uint32_t TagOf(const Key& key) {
    const auto size = static_cast<uint32_t>(key.text.size() < 255 ? key.text.size() + 1 : 255);
    return static_cast<uint32_t>(key.hash >> 40) << 8 | size;
  }

  uint64_t HashMiddle(std::string_view text) const;
  bool IsTerm(uint32_t number, std::string_view text) const { return term(number) == text; }
  uint32_t Insert(const Key& key, uint64_t at);
  void Grow();

  uint64_t seed_[2];
  uint64_t mask_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> ends_;  // of the terms in bytes_
  std::vector<char> bytes_;
};

}  // namespace crivello::index
