// SPDX-License-Identifier: Apache-2.0
// The keys of versions: a row key, a NUL, and the inverted time, big-endian, so that the newest comes first.
// A row key has no byte up to the space, so rows keep their order and the versions of a row are adjacent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crivello::store {

// Appends the time so that keys sort from the latest time to the earliest: 2^63 - 1 comes first.
inline void AppendInvertedTime(int64_t time, std::string* key) {
  const uint64_t word = ~(static_cast<uint64_t>(time) ^ (uint64_t{1} << 63));
  for (int shift = 56; shift >= 0; shift -= 8) key->push_back(static_cast<char>(word >> shift));
}

inline std::string VersionKey(std::string_view row, int64_t time) {
  std::string key;
  key.reserve(row.size() + 9);
  key.append(row).push_back('\0');
  AppendInvertedTime(time, &key);
  return key;
}

// The first key after all versions of a row.
inline std::string EndOfVersions(std::string_view row) { return std::string(row) + '\x01'; }

struct ParsedVersionKey {
  std::string_view row;
  int64_t time = 0;
};
inline std::optional<ParsedVersionKey> ParseVersionKey(std::string_view key) {
  constexpr size_t kTail = 9;
  if (key.size() <= kTail || key[key.size() - kTail] != '\0') return std::nullopt;
  uint64_t word = 0;
  for (const char c : key.substr(key.size() - kTail + 1)) word = word << 8 | static_cast<uint8_t>(c);
  const std::string_view row = key.substr(0, key.size() - kTail);
  if (row.find('\0') != std::string_view::npos) return std::nullopt;
  return ParsedVersionKey{row, static_cast<int64_t>(~word ^ (uint64_t{1} << 63))};
}

}  // namespace crivello::store
