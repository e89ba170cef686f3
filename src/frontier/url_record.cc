// SPDX-License-Identifier: Apache-2.0
#include "frontier/url_record.h"

#include <algorithm>
#include <chrono>

namespace crivello::frontier {
namespace {

// The first byte: two bits of version, three of class, three of kind.
constexpr uint32_t kVersion = 1;

void AppendVarint(uint64_t value, std::string* out) {
  for (; value >= 128; value >>= 7) out->push_back(static_cast<char>(value | 128));
  out->push_back(static_cast<char>(value));
}

// Takes a number of at most `bits` bits off the front of `bytes`, in its shortest form alone.
std::optional<uint64_t> TakeVarint(std::string_view* bytes, int bits) {
  uint64_t value = 0;
  for (int shift = 0; shift < bits; shift += 7) {
    if (bytes->empty()) return std::nullopt;
    const auto byte = static_cast<uint8_t>(bytes->front());
    bytes->remove_prefix(1);
    if (bits - shift < 7 && (byte & 127) >> (bits - shift) != 0) return std::nullopt;
    value |= uint64_t{byte & 127u} << shift;
    if (byte < 128) return byte == 0 && shift > 0 ? std::nullopt : std::optional(value);
  }
  return std::nullopt;
}

}  // namespace

void AppendUrlRecord(const UrlRecord& record, std::string* out) {
  const int64_t found =
      std::chrono::duration_cast<std::chrono::seconds>(record.found.time_since_epoch()).count();
  out->push_back(
      static_cast<char>(kVersion << 6 | uint32_t{record.priority} << 3 | static_cast<uint32_t>(record.kind)));
  AppendVarint(record.depth, out);
  AppendVarint(static_cast<uint64_t>(std::max<int64_t>(found, 0)), out);
  out->append(record.url);
}

std::optional<UrlRecord> ParseUrlRecord(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  const auto head = static_cast<uint8_t>(bytes.front());
  bytes.remove_prefix(1);
  if (head >> 6 != kVersion || (head & 7) > static_cast<int>(UrlKind::kSitemap)) return std::nullopt;
  const auto depth = TakeVarint(&bytes, 32);
  const auto found = depth ? TakeVarint(&bytes, 33) : std::nullopt;
  if (!found || !SplitUrl(bytes)) return std::nullopt;
  return UrlRecord{.url = bytes,
                   .kind = static_cast<UrlKind>(head & 7),
                   .priority = static_cast<uint8_t>(head >> 3 & 7),
                   .depth = static_cast<uint32_t>(*depth),
                   .found = WallTime(std::chrono::seconds(*found))};
}

std::string_view UrlParts::directory() const {
  const std::string_view plain = path.substr(0, path.find('?'));
  return plain.substr(0, plain.rfind('/') + 1);
}

std::optional<UrlParts> SplitUrl(std::string_view url) {
  const size_t scheme = url.starts_with("https://") ? 8 : url.starts_with("http://") ? 7 : 0;
  if (scheme == 0) return std::nullopt;
  const size_t path = url.find('/', scheme);
  if (path == std::string_view::npos) return std::nullopt;
  std::string_view host = url.substr(scheme, path - scheme);
  if (host.starts_with('[')) {  // an IPv6 address has colons of its own
    const size_t end = host.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    host = host.substr(0, end + 1);
  } else {
    host = host.substr(0, host.find(':'));
  }
  if (host.empty()) return std::nullopt;
  return UrlParts{.origin = url.substr(0, path), .host = host, .path = url.substr(path)};
}

}  // namespace crivello::frontier
