// SPDX-License-Identifier: Apache-2.0
#include "frontier/url_record.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/record.h"

namespace crivello::frontier {
namespace {

// The first byte: a bit of version, three of class, three of kind.
constexpr uint32_t kVersion = 1;
constexpr int64_t kMaxSeconds = (int64_t{1} << 33) - 1;  // the year 2242: in nanoseconds it fits a WallTime

}  // namespace

void AppendUrlRecord(const UrlRecord& record, std::string* out) {
  const auto found = std::chrono::duration_cast<std::chrono::seconds>(record.found.time_since_epoch());
  RecordWriter writer;
  writer.Number(kVersion << 6 | uint32_t{record.priority} << 3 | static_cast<uint32_t>(record.kind));
  writer.Number(record.depth);
  writer.Number(static_cast<uint64_t>(std::clamp<int64_t>(found.count(), 0, kMaxSeconds)));
  writer.Raw(record.url);
  out->append(writer.bytes());
}

std::optional<UrlRecord> ParseUrlRecord(std::string_view bytes) {
  RecordReader reader(bytes);
  const uint64_t head = reader.NumberAtMost(127);
  const uint64_t depth = reader.NumberAtMost(std::numeric_limits<uint32_t>::max());
  const uint64_t found = reader.NumberAtMost(kMaxSeconds);
  const std::string_view url = reader.Rest();
  if (!reader.ok() || head >> 6 != kVersion || (head & 7) > static_cast<int>(UrlKind::kSitemap))
    return std::nullopt;
  if (!SplitUrl(url)) return std::nullopt;
  return UrlRecord{.url = url,
                   .kind = static_cast<UrlKind>(head & 7),
                   .priority = static_cast<uint8_t>(head >> 3 & 7),
                   .depth = static_cast<uint32_t>(depth),
                   .found = WallTime(std::chrono::seconds(found))};
}

std::string_view UrlParts::directory() const {
  const std::string_view plain = path.substr(0, path.find('?'));
  return plain.substr(0, plain.rfind('/') + 1);
}

std::string_view HostOfOrigin(std::string_view origin) {
  const size_t scheme = origin.starts_with("https://") ? 8 : origin.starts_with("http://") ? 7 : 0;
  if (scheme == 0) return {};
  const std::string_view host = origin.substr(scheme);
  if (!host.starts_with('[')) return host.substr(0, host.find(':'));
  const size_t end = host.find(']');  // an IPv6 address has colons of its own
  return end == std::string_view::npos ? std::string_view() : host.substr(0, end + 1);
}

std::optional<UrlParts> SplitUrl(std::string_view url) {
  const size_t authority = url.find("://");
  if (authority == std::string_view::npos) return std::nullopt;
  const size_t path = url.find('/', authority + 3);
  if (path == std::string_view::npos) return std::nullopt;
  const std::string_view origin = url.substr(0, path);
  const std::string_view host = HostOfOrigin(origin);
  if (host.empty()) return std::nullopt;
  return UrlParts{.origin = origin, .host = host, .path = url.substr(path)};
}

}  // namespace crivello::frontier
