// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/file_header.h"
#include "base/file_system.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// Keys on disk: a log (base/log.h) whose records are blocks of keys, so that thousands of keys share the cost
// of a checksum and header. Format: docs/formats/sieve-keys.md.
constexpr FileKind kKeyLogKind = {.name = "sieve-keys", .version = 1};
constexpr size_t kKeyBlockBytes = 128 << 10;  // a block is written when it has this many bytes

// Each key is its signature, the length of its bytes (7 bits per byte, low ones first, the top bit set in all
// but the last) and the bytes.
inline void AppendKey(std::vector<std::byte>& block, Key key) {
  const size_t at = block.size();
  size_t length = key.bytes.size();
  const size_t length_bytes = 1 + (length >= 1u << 7) + (length >= 1u << 14);
  static_assert(kMaxKeyBytes < 1u << 21);
  block.resize(at + sizeof key.signature + length_bytes + length);
  std::byte* out = block.data() + at;
  std::memcpy(out, &key.signature, sizeof key.signature);
  out += sizeof key.signature;
  for (; length >= 1u << 7; length >>= 7) *out++ = static_cast<std::byte>(0x80 | (length & 0x7f));
  *out++ = static_cast<std::byte>(length);
  if (!key.bytes.empty()) std::memcpy(out, key.bytes.data(), key.bytes.size());
}

// Walks the keys of a block, which may have any content.
class KeyBlockReader {
 public:
  explicit KeyBlockReader(Bytes block) : rest_(block) {}

  // Advances to the next key; false at the end, or where damage ends the block.
  bool Next() {
    if (rest_.size() < sizeof key_.signature) return false;
    std::memcpy(&key_.signature, rest_.data(), sizeof key_.signature);
    size_t at = sizeof key_.signature;
    size_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (at == rest_.size() || shift > 14) return false;
      const auto byte = std::to_integer<size_t>(rest_[at++]);
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (rest_.size() - at < length) return false;
    key_.bytes = AsText(rest_.subspan(at, length));
    rest_ = rest_.subspan(at + length);
    return true;
  }
  const Key& key() const { return key_; }
  // After Next() returned false: whether the whole block consisted of keys.
  bool whole() const { return rest_.empty(); }

 private:
  Bytes rest_;
  Key key_;
};

}  // namespace crivello::sieve
