// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace crivello::text {

// The stems of the words seen lately: text repeats its words, and Snowball takes some 150 ns for one.
// Two places for each hash, the older one gives way.  Words and stems that do not fit an entry are not kept.
// One thread at a time.  512 KB.
class StemCache {
 public:
  static constexpr size_t kMaxWordBytes = 23;
  static constexpr size_t kMaxStemBytes = 31;

  StemCache() : entries_(2 * kSets) {}

  // The stem of a word; stem(word) is called if it is not known.  Good until the next call.
  template <typename MakeStem>
  std::string_view Get(std::string_view word, MakeStem&& stem) {
    if (word.size() > kMaxWordBytes) return stem(word);
    Key key;
    std::memcpy(key.bytes, word.data(), word.size());
    key.bytes[kMaxWordBytes] = static_cast<char>(word.size());
    uint64_t parts[3];
    std::memcpy(parts, key.bytes, sizeof parts);
    const uint64_t mixed = (parts[0] ^ (parts[1] * kOdd1) ^ (parts[2] * kOdd2)) * kOdd1;
    Entry* set = &entries_[2 * (mixed >> (64 - kSetBits))];
    if (set[0].Is(key)) return set[0].stem();
    if (set[1].Is(key)) {
      std::swap(set[0], set[1]);
      return set[0].stem();
    }
    const std::string_view made = stem(word);
    if (made.size() > kMaxStemBytes) return made;
    set[1] = set[0];
    set[0].key = key;
    std::memcpy(set[0].bytes, made.data(), made.size());
    set[0].size = static_cast<uint8_t>(made.size());
    return set[0].stem();
  }

 private:
  static constexpr int kSetBits = 12;
  static constexpr size_t kSets = size_t{1} << kSetBits;
  static constexpr uint64_t kOdd1 = 0x9E3779B97F4A7C15;
  static constexpr uint64_t kOdd2 = 0xC2B2AE3D27D4EB4F;

  // A word, zeros, its length: no word is all zeros, so an empty entry is none.
  struct Key {
    char bytes[kMaxWordBytes + 1] = {};
  };
  struct Entry {
    Key key;
    uint8_t size = 0;
    char bytes[kMaxStemBytes];

    bool Is(const Key& other) const { return std::memcmp(key.bytes, other.bytes, sizeof key.bytes) == 0; }
    std::string_view stem() const { return {bytes, size}; }
  };

  std::vector<Entry> entries_;
};

}  // namespace crivello::text
