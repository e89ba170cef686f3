// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace crivello::text {

// Caches the stems of recent words: text repeats its words, and Snowball takes about 150 ns per word. A stem
// is stored as the length of the prefix that it shares with its word, plus a few bytes, so that the two slots
// of a hash share a cache line; the older one is evicted. Words and stems that do not fit are not cached. One
// thread at a time. 256 KB.
class StemCache {
 public:
  static constexpr size_t kMaxWordBytes = 23;

  StemCache() : entries_(2 * kSets) {}

  // Writes the stem of a word to `out`, at most `room` bytes, and returns the length. Calls stem(word) if the
  // word is not cached. REQUIRES: room >= 32; the whole room may be overwritten.
  template <typename MakeStem>
  size_t Get(std::string_view word, char* out, size_t room, MakeStem&& stem) {
    if (word.size() > kMaxWordBytes || word.empty()) return Copy(stem(word), out, room);
    const Key key(word);
    Entry* set = &entries_[2 * (key.Hash() >> (64 - kSetBits))];
    if (set[0].Is(key)) return set[0].CopyTo(out);
    if (set[1].Is(key)) return set[1].CopyTo(out);
    const std::string_view made = stem(word);
    Entry entry;
    if (!entry.Assign(key, word, made)) return Copy(made, out, room);
    set[1] = set[0];
    set[0] = entry;
    return entry.CopyTo(out);
  }

 private:
  static constexpr int kSetBits = 12;
  static constexpr size_t kSets = size_t{1} << kSetBits;

  // A word as three numbers, with its length in the last byte, so no word is zero like an empty entry. In
  // memory these are the word's bytes.
  static_assert(std::endian::native == std::endian::little);
  struct Key {
    Key() = default;
    explicit Key(std::string_view word) {
      const size_t n = word.size();
      parts[0] = Load(word.data(), std::min<size_t>(n, 8));
      if (n > 8) parts[1] = Load(word.data() + 8, std::min<size_t>(n - 8, 8));
      if (n > 16) parts[2] = Load(word.data() + 16, n - 16);
      parts[2] |= uint64_t{n} << 56;
    }
    // Loads one to eight bytes and none after them.
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

  static size_t Copy(std::string_view stem, char* out, size_t room) {
    const size_t size = std::min(stem.size(), room);
    std::memcpy(out, stem.data(), size);
    return size;
  }

  struct alignas(32) Entry {
    Key key;
    uint8_t kept = 0;   // bytes of the word to keep
    uint8_t added = 0;  // bytes to append
    char bytes[6] = {};

    bool Assign(const Key& of, std::string_view word, std::string_view stem) {
      const auto differ = std::mismatch(word.begin(), word.end(), stem.begin(), stem.end());
      const auto same = static_cast<size_t>(differ.first - word.begin());
      if (stem.size() - same > sizeof bytes) return false;
      key = of;
      kept = static_cast<uint8_t>(same);
      added = static_cast<uint8_t>(stem.size() - same);
      std::memcpy(bytes, stem.data() + same, added);
      return true;
    }
    bool Is(const Key& other) const {
      return ((key.parts[0] ^ other.parts[0]) | (key.parts[1] ^ other.parts[1]) |
              (key.parts[2] ^ other.parts[2])) == 0;
    }
    size_t CopyTo(char* out) const {
      std::memcpy(out, key.parts, sizeof key.parts);
      std::memcpy(out + kept, bytes, sizeof bytes);
      return size_t{kept} + added;
    }
  };

  std::vector<Entry> entries_;
};

}  // namespace crivello::text
