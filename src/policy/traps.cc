// SPDX-License-Identifier: Apache-2.0
#include "policy/traps.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "policy/url_shape.h"
#include "web/url/signature.h"

namespace crivello::policy {
namespace {

// Keeps a host within kMaxHostBytes; powers of two, because vectors grow to these.
constexpr size_t kMaxCalendars = 64;
constexpr size_t kMaxSessions = 1024;
constexpr size_t kMaxFacets = 512;
static_assert(kMaxCalendars * 8 + kMaxFacets * 8 + kMaxSessions * 4 <= TrapMemory::kMaxHostBytes - 1024);

}  // namespace

std::string_view TrapRuleName(TrapRule rule) {
  constexpr std::array<std::string_view, kTrapRules> kNames = {
      "long-url", "deep-path", "repeated-segments", "many-parameters", "repeated-parameters",
      "far-date", "calendar",  "session-id",        "facets"};
  return kNames[static_cast<size_t>(rule)];
}

std::optional<TrapRule> CheckUrl(const web::Url& url, const TrapOptions& options) {
  if (url.href().size() > options.max_url_bytes) return TrapRule::kLongUrl;
  const std::string_view path = url.pathname();
  const uint32_t segments = CountSegments(path);
  if (segments > options.max_segments) return TrapRule::kDeepPath;
  if (segments >= 3 && HasRepeatedSegments(path)) return TrapRule::kRepeatedSegments;
  if (const auto query = url.query()) {
    const uint32_t parameters = CountParameters(*query);
    if (parameters > options.max_parameters) return TrapRule::kManyParameters;
    if (parameters >= 3 && HasRepeatedParameters(*query)) return TrapRule::kRepeatedParameters;
  }
  if (options.this_year > 0) {
    const auto date = DateOf(url);
    if (date && date->year > options.this_year + 1) return TrapRule::kFarDate;
  }
  return std::nullopt;
}

TrapMemory::TrapMemory(TrapOptions options, uint64_t budget_bytes)
    : options_(options), budget_bytes_(budget_bytes) {}

bool TrapMemory::VisitDate(uint32_t calendar, Host* host) const {
  auto& calendars = host->calendars;
  auto at = std::lower_bound(calendars.begin(), calendars.end(), std::pair(calendar, 0u));
  if (at == calendars.end() || at->first != calendar) {
    if (calendars.size() == kMaxCalendars) return false;
    at = calendars.insert(at, {calendar, 0});
  }
  if (at->second >= options_.max_dates) return false;
  at->second++;
  return true;
}

bool TrapMemory::VisitSession(uint32_t url, Host* host) const {
  auto& sessions = host->sessions;
  const auto at = std::lower_bound(sessions.begin(), sessions.end(), url);
  if ((at != sessions.end() && *at == url) || sessions.size() == kMaxSessions) return false;
  sessions.insert(at, url);
  return true;
}

bool TrapMemory::VisitFacets(uint32_t path, uint32_t names, Host* host) const {
  auto& facets = host->facets;
  const auto at = std::lower_bound(facets.begin(), facets.end(), std::pair(path, names));
  if (at != facets.end() && *at == std::pair(path, names)) return true;
  const auto first = std::lower_bound(facets.begin(), at, std::pair(path, 0u));
  const auto last = std::upper_bound(at, facets.end(), std::pair(path, UINT32_MAX));
  if (last - first >= static_cast<std::ptrdiff_t>(options_.max_facets)) return false;
  // A host with very many paths with parameters is not such a trap; only its first paths are watched.
  if (facets.size() < kMaxFacets) facets.insert(at, {path, names});
  return true;
}

std::optional<TrapRule> TrapMemory::Visit(const web::Url& url) {
  const auto date = DateOf(url);
  const auto session = WithoutSessionId(url);
  const auto names = ParameterNames(url);
  if (!date && !session && !names) return std::nullopt;
  const uint64_t name = web::HostHash(url.hostname());

  MutexLock lock(mu_);
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) {
    hosts_.push_front({});
    hosts_.front().name = name;
    by_name_[name] = hosts_.begin();
  } else {
    hosts_.splice(hosts_.begin(), hosts_, found->second);
  }
  Host& host = hosts_.front();
  std::optional<TrapRule> rule;
  if (session && !VisitSession(*session, &host)) {
    rule = TrapRule::kSessionId;
  } else if (date && !VisitDate(date->calendar, &host)) {
    rule = TrapRule::kCalendar;
  } else if (names && !VisitFacets(static_cast<uint32_t>(Hash64(url.pathname()) >> 32), *names, &host)) {
    rule = TrapRule::kFacets;
  }
  KeepBudget();
  return rule;
}

void TrapMemory::KeepBudget() {
  Host& host = hosts_.front();
  constexpr uint64_t kHostBytes = sizeof(Host) + 96;  // with its share of the list and the table
  const uint64_t bytes = kHostBytes + host.calendars.capacity() * sizeof host.calendars[0] +
                         host.sessions.capacity() * sizeof host.sessions[0] +
                         host.facets.capacity() * sizeof host.facets[0];
  bytes_ += bytes - host.bytes;
  host.bytes = bytes;
  while (bytes_ > budget_bytes_ && hosts_.size() > 1) {
    bytes_ -= hosts_.back().bytes;
    by_name_.erase(hosts_.back().name);
    hosts_.pop_back();
  }
}

uint64_t TrapMemory::MemoryBytes() const {
  MutexLock lock(mu_);
  return bytes_;
}

}  // namespace crivello::policy
