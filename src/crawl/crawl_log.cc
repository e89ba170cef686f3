// SPDX-License-Identifier: Apache-2.0
#include "crawl/crawl_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "base/civil_time.h"

namespace crivello::crawl {
namespace {

constexpr int kLogNoConnection = -2;
constexpr int kLogNoAddress = -1;
constexpr int kLogRobots = -9998;

std::string Millisecond(int64_t microseconds, bool digits_only) {
  const CivilTime time = CivilFromSeconds(microseconds / 1'000'000);
  const int64_t milliseconds = microseconds / 1000 % 1000;
  if (digits_only) {
    return fmt::format("{:04}{:02}{:02}{:02}{:02}{:02}{:03}", time.year, time.month, time.day, time.hour,
                       time.minute, time.second, milliseconds);
  }
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", time.year, time.month, time.day, time.hour,
                     time.minute, time.second, milliseconds);
}

// What would end a column becomes an escape.
std::string Column(std::string_view text) {
  std::string column;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    column += byte <= 0x20 || byte == 0x7f ? fmt::format("%{:02X}", byte) : std::string(1, c);
  }
  return column.empty() ? "-" : column;
}

std::string DiscoveryPath(const frontier::Visit& visit) {
  constexpr uint32_t kLongest = 50;
  std::string path(std::min<uint32_t>(visit.depth, kLongest), 'L');
  if (visit.depth > kLongest) path = fmt::format("{}+{}", visit.depth - kLongest, path);
  return path.empty() ? "-" : path;
}

int StatusOf(const Settled& settled) {
  if (settled.fetch.status != 0) return settled.fetch.status;
  if (settled.not_modified) return 304;
  for (const store::Event& event : settled.events) {
    if (event.kind == store::EventKind::kRefusedByRobots) return kLogRobots;
    if (event.text.find("no-address") != std::string::npos) return kLogNoAddress;
  }
  return kLogNoConnection;
}

}  // namespace

std::string CrawlLogLine(const Settled& settled) {
  const store::FetchCell& fetch = settled.fetch;
  std::string annotations;
  for (const store::Event& event : settled.events) {
    if (!annotations.empty()) annotations += ',';
    annotations += store::EventKindName(event.kind);
  }
  const int64_t end = settled.time + int64_t{fetch.milliseconds} * 1000;
  const std::string digest = settled.has_row ? Sha1Text(fetch.payload) : "-";
  return fmt::format("{} {:>5} {:>10} {} {} {} {} - {}+{} {} - {}\n", Millisecond(end, false),
                     StatusOf(settled), settled.has_row ? std::to_string(fetch.body_bytes) : "-",
                     Column(settled.visit.url), DiscoveryPath(settled.visit), Column(settled.visit.via),
                     Column(fetch.content_type), Millisecond(settled.time, true), fetch.milliseconds, digest,
                     Column(annotations));
}

Result<std::unique_ptr<CrawlLog>> CrawlLog::Open(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "ae");
  if (file == nullptr) return Status::FromErrno("open", path, errno);
  return std::unique_ptr<CrawlLog>(new CrawlLog(file));
}

CrawlLog::~CrawlLog() { std::fclose(file_); }

void CrawlLog::Write(const std::vector<Settled>& group) {
  for (const Settled& settled : group) {
    const bool fetched = settled.has_row || settled.not_modified || !settled.events.empty();
    if (settled.visit.kind == frontier::UrlKind::kRobots || !fetched) continue;
    const std::string line = CrawlLogLine(settled);
    std::fwrite(line.data(), 1, line.size(), file_);
  }
  std::fflush(file_);
}

}  // namespace crivello::crawl
