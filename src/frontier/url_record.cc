// SPDX-License-Identifier: Apache-2.0
#include "frontier/url_record.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/record.h"

namespace crivello::frontier {
namespace {

// The first byte: one bit of version, three of class, one that says whether there is a page, two of kind.
constexpr uint32_t kRecordVersion = 1;
constexpr uint32_t kHasVia = 4;
constexpr int64_t kMaxRecordSeconds =
    (int64_t{1} << 33) - 1;  // the year 2242: in nanoseconds it fits a WallTime

}  // namespace

Via Via::Of(std::string_view url, std::string_view page) {
  if (page.size() > kMaxBytes) return {};
  const auto [end, _] = std::mismatch(page.begin(), page.end(), url.begin(), url.end());
  const auto shared = static_cast<size_t>(end - page.begin());
  return {static_cast<uint32_t>(shared), page.substr(shared)};
}

std::string Via::Page(std::string_view url) const {
  std::string page(url.substr(0, shared));
  page.append(rest);
  return page;
}

void AppendUrlRecord(const UrlRecord& record, std::string* out) {
  const auto found = std::chrono::duration_cast<std::chrono::seconds>(record.found.time_since_epoch());
  RecordWriter writer(out);
  writer.Number(kRecordVersion << 6 | uint32_t{record.priority} << 3 | (record.via.empty() ? 0 : kHasVia) |
                static_cast<uint32_t>(record.kind));
  writer.Number(record.depth);
  writer.Number(static_cast<uint64_t>(std::clamp<int64_t>(found.count(), 0, kMaxRecordSeconds)));
  if (!record.via.empty()) {
    writer.Number(record.via.shared);
    writer.Text(record.via.rest);
  }
  writer.Raw(record.url);
}

std::optional<UrlRecord> ParseUrlRecord(std::string_view bytes) {
  RecordReader reader(bytes);
  const uint64_t head = reader.NumberAtMost(127);
  const uint64_t depth = reader.NumberAtMost(std::numeric_limits<uint32_t>::max());
  const uint64_t found = reader.NumberAtMost(kMaxRecordSeconds);
  Via via;
  if ((head & kHasVia) != 0) {
    via.shared = static_cast<uint32_t>(reader.NumberAtMost(Via::kMaxBytes));
    via.rest = reader.Text();
  }
  const std::string_view url = reader.Rest();
  if (!reader.ok() || head >> 6 != kRecordVersion || (head & 3) > static_cast<int>(UrlKind::kSitemap))
    return std::nullopt;
  if (!SplitUrl(url) || via.shared > url.size() || via.shared + via.rest.size() > Via::kMaxBytes)
    return std::nullopt;
  return UrlRecord{.url = url,
                   .kind = static_cast<UrlKind>(head & 3),
                   .priority = static_cast<uint8_t>(head >> 3 & 7),
                   .depth = static_cast<uint32_t>(depth),
                   .found = WallTime(std::chrono::seconds(found)),
                   .via = via};
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
  const size_t end = host.find(']');  // colons inside an IPv6 address do not count
  return end == std::string_view::npos ? std::string_view() : host.substr(0, end + 1);
}

std::optional<UrlParts> SplitUrl(std::string_view url) {
  constexpr size_t kShortestScheme = 7;  // "http://"; for "https://" the last "/" is simply not checked
  const size_t path = url.find('/', kShortestScheme + (url.starts_with("https") ? 1 : 0));
  if (path == std::string_view::npos) return std::nullopt;
  const std::string_view origin = url.substr(0, path);
  const std::string_view host = HostOfOrigin(origin);
  if (host.empty()) return std::nullopt;
  return UrlParts{.origin = origin, .host = host, .path = url.substr(path)};
}

}  // namespace crivello::frontier
