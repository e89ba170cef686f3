// SPDX-License-Identifier: Apache-2.0
#include "engine/service_pages.h"

#include <algorithm>
#include <utility>

#include "base/civil_time.h"

namespace crivello::engine {
namespace {

serve::PageVersion ServedVersion(wire::PageVersion from, int64_t now) {
  serve::PageVersion version;
  version.time_seconds = from.time / 1'000'000;
  version.status = static_cast<int>(from.status);
  version.type = std::move(from.type);
  version.location = std::move(from.location);
  version.unavailable = from.unavailable_after && *from.unavailable_after <= now;
  version.noarchive = from.noarchive || version.unavailable;
  version.usage = std::move(from.usage);
  if (from.text) {
    version.title = std::move(from.text->title);
    version.text = std::move(from.text->text);
    version.language = std::move(from.text->language);
  }
  if (from.links) {
    for (wire::PageLink& link : *from.links) {
      version.links.push_back({std::move(link.url), std::move(link.text)});
    }
  }
  return version;
}

}  // namespace

ServicePages::ServicePages(ServiceSource& source, const Clock& clock) : source_(source), clock_(clock) {
  thread_ = std::thread([this] { KeepCounts(); });
}

ServicePages::~ServicePages() {
  {
    MutexLock lock(mu_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

template <typename Request>
Result<typename Request::Answer> ServicePages::Ask(const Request& request) {
  SilentListener listener;
  while (true) {
    CRV_ASSIGN(const auto service, source_.Get());
    auto answer = service->Ask(request, listener);
    if (answer.status().code() != StatusCode::kUnavailable || !source_.Lost(service)) return answer;
  }
}

Result<std::vector<serve::PageVersion>> ServicePages::Versions(std::string_view url) {
  CRV_ASSIGN(wire::PageVersions answer,
             Ask(wire::GetRequest{.url = std::string(url), .all = true, .text = true, .links = true}));
  std::vector<serve::PageVersion> versions;
  const int64_t now = ToSeconds(clock_.Wall());
  for (wire::PageVersion& version : answer.versions) {
    versions.push_back(ServedVersion(std::move(version), now));
  }
  return versions;
}

Result<serve::PageRecord> ServicePages::Record(std::string_view url) {
  CRV_ASSIGN(wire::PageRecord record, Ask(wire::RecordRequest{.url = std::string(url)}));
  return serve::PageRecord{.time_seconds = record.time / 1'000'000,
                           .noarchive = record.noarchive,
                           .response = std::move(record.bytes)};
}

std::vector<bool> ServicePages::Archived(const std::vector<std::string>& urls) {
  auto answer = Ask(wire::ArchivedRequest{.urls = urls});
  if (!answer.ok() || answer->archived.size() != urls.size()) return std::vector<bool>(urls.size(), false);
  return std::move(answer->archived);
}

Result<std::vector<collection::Reason>> ServicePages::Why(std::string_view url) {
  CRV_ASSIGN(const wire::Reasons answer, Ask(wire::WhyRequest{.url = std::string(url)}));
  std::vector<collection::Reason> reasons;
  for (const wire::Reason& reason : answer.reasons) {
    reasons.push_back({reason.time, reason.kind, reason.sentence});
  }
  return reasons;
}

Result<serve::CollectionStats> ServicePages::Stats() {
  MutexLock lock(mu_);
  return CountsWithin(kCountsWait);
}

Result<serve::CollectionStats> ServicePages::LastStats() {
  MutexLock lock(mu_);
  return CountsWithin(counts_.ok() ? Duration::zero() : kFirstCountWait);
}

Result<serve::CollectionStats> ServicePages::CountsWithin(Duration limit) {
  if (clock_.Now() < count_again_) return counts_;
  wanted_ = true;
  changed_.notify_all();
  changed_.wait_for(mu_, limit, [this]() CRV_REQUIRES(mu_) { return !wanted_; });
  return counts_;
}

void ServicePages::KeepCounts() {
  mu_.lock();
  while (true) {
    changed_.wait(mu_, [this]() CRV_REQUIRES(mu_) { return wanted_ || stopping_; });
    if (stopping_) break;
    mu_.unlock();
    const MonotonicTime began = clock_.Now();
    const auto counts = Ask(wire::CountsRequest());
    const MonotonicTime ended = clock_.Now();
    mu_.lock();
    wanted_ = false;
    count_again_ = ended + std::max<Duration>(kCountsKept, kCountsKeptTimes * (ended - began));
    if (counts.ok()) {
      counts_ =
          serve::CollectionStats{.pages = counts->pages, .hosts = counts->hosts, .queued = counts->queued};
    } else if (!counts_.ok()) {
      counts_ = counts.status();
    }
    changed_.notify_all();
  }
  mu_.unlock();
}

}  // namespace crivello::engine
