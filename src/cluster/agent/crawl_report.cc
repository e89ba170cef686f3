// SPDX-License-Identifier: Apache-2.0
#include "cluster/agent/crawl_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "base/record.h"

namespace crivello::cluster {
namespace {

constexpr uint64_t kOrderVersion = 1;
constexpr std::string_view kIdle = "idle";
constexpr std::string_view kBusy = "busy";

std::vector<std::string_view> SplitAt(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// Zero for what is not a number: the caller compares what it writes itself with what it read.
uint64_t ReportNumber(std::string_view field) {
  uint64_t number = 0;
  std::from_chars(field.data(), field.data() + field.size(), number);
  return number;
}

}  // namespace

std::string EncodeCrawlReport(const CrawlReport& report) {
  std::string text = fmt::format("crawl 1 {} {} {} {} {} {}\n", report.agent, report.lease_milliseconds,
                                 report.seeds, report.pages, report.queued, report.all_tablets);
  for (const CrawlReport::Tablet& tablet : report.tablets) {
    text += fmt::format("{} {} {} {} {}\n", tablet.tablet, tablet.epoch, tablet.idle ? kIdle : kBusy,
                        tablet.sequence, tablet.lag_urls);
  }
  return text;
}

Result<CrawlReport> DecodeCrawlReport(std::string_view bytes) {
  const Status damaged = Status::Corruption("invalid report of a crawl");
  CrawlReport report;
  bool is_first = true;
  for (const std::string_view line : SplitAt(bytes, '\n')) {
    const auto fields = SplitAt(line, ' ');
    if (std::exchange(is_first, false)) {
      if (fields.size() != 8) return damaged;
      report.agent = fields[2];
      report.lease_milliseconds = ReportNumber(fields[3]);
      report.seeds = ReportNumber(fields[4]);
      report.pages = ReportNumber(fields[5]);
      report.queued = ReportNumber(fields[6]);
      report.all_tablets = ReportNumber(fields[7]);
    } else if (!line.empty()) {
      if (fields.size() != 5) return damaged;
      report.tablets.push_back({.tablet = std::string(fields[0]),
                                .epoch = ReportNumber(fields[1]),
                                .idle = fields[2] == kIdle,
                                .sequence = ReportNumber(fields[3]),
                                .lag_urls = ReportNumber(fields[4])});
    }
  }
  if (EncodeCrawlReport(report) != bytes) return damaged;
  return report;
}

std::string EncodeSeedOrder(const std::vector<std::string>& urls) {
  RecordWriter out;
  out.Number(kOrderVersion);
  for (const std::string& url : urls) out.Text(url);
  return std::move(out).bytes();
}

Result<std::vector<std::string>> DecodeSeedOrder(std::string_view bytes) {
  RecordReader in(bytes);
  const uint64_t version = in.Number();
  std::vector<std::string> urls;
  while (in.left() > 0) urls.emplace_back(in.Text());
  if (version != kOrderVersion || !in.finished()) return Status::Corruption("invalid order of seeds");
  return urls;
}

bool CrawlEndWatch::Take(const std::vector<CrawlReport>& reports, MonotonicTime asked,
                         MonotonicTime answered) {
  State state;
  std::map<std::string, bool> idle;
  uint64_t lease = 0;
  uint64_t seeds = 0;
  uint64_t all = 0;
  for (const CrawlReport& report : reports) {
    lease = std::max(lease, report.lease_milliseconds);
    all = std::max(all, report.all_tablets);
    seeds = std::max(seeds, report.seeds);
  }
  for (const CrawlReport& report : reports) {
    for (const CrawlReport::Tablet& tablet : report.tablets) {
      // Two may think that they have it: the one with the higher epoch does.
      auto& known = state[tablet.tablet];
      if (tablet.epoch < known.first) continue;
      known = {tablet.epoch, tablet.sequence};
      idle[tablet.tablet] = tablet.idle && tablet.lag_urls == 0 && report.seeds == seeds;
    }
  }
  const bool all_idle = all > 0 && idle.size() == all &&
                        std::all_of(idle.begin(), idle.end(), [](const auto& one) { return one.second; });
  if (!all_idle) {
    idle_ = std::nullopt;
    return false;
  }
  if (idle_ != state) {
    idle_ = std::move(state);
    since_ = answered;
    return false;
  }
  return asked - since_ >= std::chrono::milliseconds(lease);
}

}  // namespace crivello::cluster
