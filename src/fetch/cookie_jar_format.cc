// SPDX-License-Identifier: Apache-2.0
// Serialisation of the jar: docs/formats/cookies.md.
#include <cstring>

#include "fetch/cookie_jar.h"

namespace crivello::fetch {
namespace {

constexpr char kVersion = 1;
constexpr uint8_t kSecure = 1;
constexpr size_t kFixedBytes = 15;  // expires, flags, three lengths

template <typename T>
void Put(T value, std::string& out) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

template <typename T>
T TakeField(std::string_view& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

std::string_view TakeText(size_t size, std::string_view& bytes) {
  const std::string_view text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return text;
}

}  // namespace

std::string CookieJar::Serialize(int64_t now) const {
  std::string bytes;
  bytes.push_back(kVersion);
  for (const Cookie& cookie : cookies_) {
    if (cookie.expires <= now) continue;
    Put(cookie.expires, bytes);
    Put(cookie.secure ? kSecure : uint8_t{0}, bytes);
    Put(static_cast<uint16_t>(cookie.name.size()), bytes);
    Put(static_cast<uint16_t>(cookie.value.size()), bytes);
    Put(static_cast<uint16_t>(cookie.path.size()), bytes);
    bytes.append(cookie.name).append(cookie.value).append(cookie.path);
  }
  return bytes;
}

Result<CookieJar> CookieJar::Parse(std::string_view bytes, size_t max_bytes) {
  if (bytes.empty() || bytes[0] != kVersion)
    return Status::Corruption("cookies: unknown version: expected 1");
  bytes.remove_prefix(1);
  CookieJar jar(max_bytes);
  while (!bytes.empty()) {
    if (bytes.size() < kFixedBytes) return Status::Corruption("cookies: truncated");
    Cookie cookie;
    cookie.expires = TakeField<int64_t>(bytes);
    const auto flags = TakeField<uint8_t>(bytes);
    const auto name = TakeField<uint16_t>(bytes);
    const auto value = TakeField<uint16_t>(bytes);
    const auto path = TakeField<uint16_t>(bytes);
    if (bytes.size() < size_t{name} + value + path) return Status::Corruption("cookies: truncated");
    if (flags > kSecure) return Status::Corruption("cookies: unknown flags");
    cookie.secure = flags == kSecure;
    cookie.name = TakeText(name, bytes);
    cookie.value = TakeText(value, bytes);
    cookie.path = TakeText(path, bytes);
    for (const std::string* text : {&cookie.name, &cookie.value, &cookie.path}) {
      if (text->find_first_of(std::string_view("\r\n\0", 3)) != text->npos) {
        return Status::Corruption("cookies: corrupt: a value contains a line break");
      }
    }
    jar.cookies_.push_back(std::move(cookie));
  }
  jar.Shrink(INT64_MIN);
  return jar;
}

}  // namespace crivello::fetch
