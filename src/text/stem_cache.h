// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
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
  static constexpr size_t kMaxStemBytes = 39;

  StemCache() : entries_(2 * kSets) {}

  // Writes the stem of a word to `out`, at most `room` bytes of it; how many.  stem(word) is called if it is
  // not known.  REQUIRES: room >= kMaxStemBytes, all of which may be written.
  template <typename MakeStem>
  size_t Get(std::string_view word, char* out, size_t room, MakeStem&& stem) {
    if (word.size() > kMaxWordBytes || word.empty()) {
      const std::string_view made = stem(word);
      const size_t size = std::min(made.size(), room);
      std::memcpy(out, made.data(), size);
      return size;
    }
    const Key key(word);
    Entry* set = &entries_[2 * (key.Hash() >> (64 - kSetBits))];
    if (!set[0].Is(key)) {
      if (set[1].Is(key)) return set[1].CopyTo(out);
      const std::string_view made = stem(word);
      if (made.size() > kMaxStemBytes) {
        const size_t size = std::min(made.size(), room);
        std::memcpy(out, made.data(), size);
        return size;
      }
      set[1] = set[0];
      set[0].key = key;
      std::memcpy(set[0].bytes, made.data(), made.size());
      set[0].size = static_cast<uint8_t>(made.size());
    }
    return set[0].CopyTo(out);
  }

 private:
  static constexpr int kSetBits = 12;
  static constexpr size_t kSets = size_t{1} << kSetBits;

  // A word in three numbers, its length in the last byte: no word is zero, as an empty entry is.
  struct Key {
    Key() = default;
    explicit Key(std::string_view word) {
      const size_t n = word.size();
      parts[0] = Load(word.data(), std::min<size_t>(n, 8));
      if (n > 8) parts[1] = Load(word.data() + 8, std::min<size_t>(n - 8, 8));
      if (n > 16) parts[2] = Load(word.data() + 16, n - 16);
      parts[2] |= uint64_t{n} << 56;
    }
    // One to eight bytes, none behind them.
    static uint64_t Load(const char* p, size_t n) {
      if (n == 8) return Load<uint64_t>(p);
      if (n >= 4) return Load<uint32_t>(p) | uint64_t{Load<uint32_t>(p + n - 4)} << (8 * (n - 4));
      return uint64_t{Load<uint8_t>(p)} | uint64_t{Load<uint8_t>(p + n / 2)} << (8 * (n / 2)) |
             uint64_t{Load<uint8_t>(p + n - 1)} << (8 * (n - 1));
    }
    template <typename Word>
    static Word Load(const char* p) {
      Word word;
      std::memcpy(&word, p, sizeof word);
      return word;
    }
    uint64_t Hash() const {
      uint64_t h = (parts[0] ^ parts[1] * 0xC2B2AE3D27D4EB4F ^ parts[2] * 0x165667B19E3779F9);
      h ^= h >> 32;
      return h * 0x9E3779B97F4A7C15;
    }

    uint64_t parts[3] = {};
  };

  struct alignas(64) Entry {
    Key key;
    uint8_t size = 0;
    char bytes[kMaxStemBytes] = {};

    bool Is(const Key& other) const {
      return ((key.parts[0] ^ other.parts[0]) | (key.parts[1] ^ other.parts[1]) |
              (key.parts[2] ^ other.parts[2])) == 0;
    }
    size_t CopyTo(char* out) const {
      std::memcpy(out, bytes, kMaxStemBytes);
      return size;
    }
  };

  std::vector<Entry> entries_;
};

}  // namespace crivello::text
