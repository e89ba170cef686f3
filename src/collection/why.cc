// SPDX-License-Identifier: Apache-2.0
#include "collection/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/civil_time.h"
#include "collection/schedule_report.h"
#include "frontier/host_queues.h"
#include "policy/exclusions.h"
#include "policy/scope.h"
#include "policy/traps.h"
#include "store/ledger.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::collection {
namespace {

Reason ReasonOf(const store::Event& event) {
  return {event.time, std::string(store::EventKindName(event.kind)), store::Explain(event)};
}

std::string HostSentence(const frontier::HostState& host) {
  if (host.given_up) return fmt::format("its host {} was given up: {}", host.name, host.last_error);
  std::string text = fmt::format("its host {} has {} URLs queued, {} fetched, {} failed", host.name,
                                 host.queued(), host.fetched, host.failed);
  if (host.failures > 0) {
    text += fmt::format("; it failed {} times in a row ({}) and is not contacted before {}", host.failures,
                        host.last_error, FormatRfc3339(ToSeconds(host.next_fetch)));
  }
  return text;
}

// What robots.txt says of the URL; nothing if it was never asked for.
Result<std::optional<Reason>> Robots(Tablet& tablet, const web::Url& url) {
  CRV_ASSIGN(const std::optional<RobotsRecord> record, tablet.robots().Load(url.origin()));
  CRV_ASSIGN(const auto rules, tablet.robots().Find(url.origin()));
  if (!record || rules == nullptr) return std::optional<Reason>();
  if (record->unreachable()) {
    return std::optional(Reason{
        0, "robots-unreachable",
        fmt::format("its robots.txt has been unavailable since {}, and nothing is fetched without it: {}",
                    FormatRfc3339(record->unreachable_since), record->text)});
  }
  const web::Robots::Verdict verdict = rules->robots.Check(url.path_and_query());
  const std::string rule =
      verdict.line == 0 ? "" : fmt::format(" by line {} ({})", verdict.line, verdict.rule);
  return std::optional(Reason{0, "robots",
                              fmt::format("robots.txt (answered {}) {} it{}", record->status,
                                          verdict.allowed ? "allows" : "forbids", rule)});
}

// Whether the URL is in the queue of its host, and how many are before it: reads that queue.  If a crawl
// takes the URL meanwhile, nothing is said.
std::optional<Reason> Queued(const frontier::HostQueues& queues, uint64_t host,
                             const frontier::HostState& state, std::string_view url) {
  constexpr size_t kAtOnce = 1024;
  uint64_t before = 0;
  frontier::QueueCursor cursor = frontier::HostQueues::Start(state);
  while (true) {
    const auto items = queues.Read(host, cursor, kAtOnce);
    if (!items.ok() || items->empty()) return std::nullopt;
    for (const frontier::QueueItem& item : *items) {
      if (item.url == url) {
        return Reason{0, "queued", fmt::format("it is queued, behind {} others of its host", before)};
      }
      ++before;
    }
  }
}

// What follows from the URL, the seeds and the settings alone, and is therefore not stored.
Result<std::optional<Reason>> Recomputed(const Collection& store, const web::Url& url) {
  CRV_ASSIGN(const std::vector<policy::Exclusion> exclusions, policy::ReadExclusions(store.directory()));
  for (const policy::Exclusion& exclusion : exclusions) {
    CRV_ASSIGN(const policy::Filter filter, exclusion.ToFilter());
    if (!filter.Accepts({.url = &url})) continue;
    return std::optional(Reason{0, "excluded", "it matches an exclusion: " + exclusion.Line()});
  }
  const auto& settings = store.file().options;
  policy::ScopeKind kind = policy::ScopeKind::kHost;
  if (const auto crawl = settings.find("crawl"); crawl != settings.end()) {
    const auto scope = crawl->second.options.find("scope");
    if (scope != crawl->second.options.end() && !scope->second.values.empty()) {
      kind = policy::ScopeKindOf(scope->second.values.front()).value_or(kind);
    }
  }
  policy::Scope scope(kind);
  for (const std::string& seed : store.seeds()) {
    if (const auto parsed = web::CanonicalUrl(seed); parsed.ok()) scope.AddSeed(*parsed);
  }
  if (!scope.Contains(url)) {
    return std::optional(Reason{0, "out-of-scope",
                                fmt::format("it is out of scope: it does not share its {} with a seed "
                                            "(unless a crawl is given another scope)",
                                            policy::ScopeKindName(kind))});
  }
  const int year = CivilFromSeconds(ToSeconds(SystemClock().Wall())).year;
  if (const auto rule = policy::CheckUrl(url, {.this_year = year})) {
    return std::optional(Reason{
        0, "trap",
        store::Explain({.kind = store::EventKind::kTrap, .text = std::string(policy::TrapRuleName(*rule))})});
  }
  return std::optional<Reason>();
}

// Which cluster of near-duplicates the page is in, if any.
Result<std::optional<Reason>> NearDuplicates(const Tablet& tablet, const std::string& key,
                                             uint64_t text_digest) {
  CRV_ASSIGN(const std::optional<store::DupCell> cell, tablet.duplicates().Get(key, text_digest));
  if (!cell) return std::optional<Reason>();
  const uint64_t others = cell->members - 1;
  const std::string_view pages = others == 1 ? "page" : "pages";
  if (cell->representative == key) {
    return std::optional(
        Reason{0, "near-duplicates", fmt::format("it stands for {} {} nearly equal to it", others, pages)});
  }
  CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(cell->representative));
  return std::optional(Reason{
      0, "near-duplicate",
      fmt::format("it is nearly equal to {} other {}, for which {} stands", others, pages, url.href())});
}

// What the page itself asked for when it was last fetched, except what the sentence of its row says.
void AddRequests(const store::FetchCell& fetch, std::vector<Reason>* reasons) {
  if (fetch.unavailable_after) {
    const bool passed = fetch.IsUnavailable(ToSeconds(SystemClock().Wall()));
    reasons->push_back({0, "unavailable-after",
                        fmt::format("the page asks not to be shown after {} (unavailable_after): {}",
                                    FormatRfc3339(*fetch.unavailable_after),
                                    passed ? "it is neither shown in search nor fetched again"
                                           : "until then it is treated as any other page")});
  }
  if (fetch.usage.empty() && fetch.robots_usage.empty()) return;
  std::string sentence = "its preferences of use (Content-Usage) are ";
  if (fetch.robots_usage.empty() || fetch.usage.empty()) {
    sentence +=
        fetch.usage.empty() ? fetch.robots_usage + ", by robots.txt" : fetch.usage + ", by its response";
  } else {
    sentence += fmt::format("{}: its response says {}, robots.txt says {}", fetch.AllUsage(), fetch.usage,
                            fetch.robots_usage);
  }
  reasons->push_back({0, "content-usage", std::move(sentence)});
}

}  // namespace

Result<std::vector<Reason>> Why(Collection& store, const web::Url& url) {
  CRV_ASSIGN(const std::string key, web::RowKey(url));
  CRV_ASSIGN(Tablet* const found, store.TabletOfHost(url.hostname()));
  Tablet& tablet = *found;
  std::vector<Reason> reasons;
  const auto& seeds = store.seeds();
  const bool seed = std::find(seeds.begin(), seeds.end(), url.href()) != seeds.end();
  CRV_ASSIGN(const std::vector<store::Event> events, tablet.ledger().Get(key));
  for (const store::Event& event : events) reasons.push_back(ReasonOf(event));
  CRV_ASSIGN(const std::vector<store::Row> rows, tablet.table().Get(key, {.versions = UINT64_MAX}));
  for (const store::Row& row : rows) reasons.push_back(ReasonOf(store::EventOfRow(row)));
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const Reason& a, const Reason& b) { return a.time < b.time; });
  const auto forgotten = store.forgotten().current();
  if (const ForgottenEntry* entry = forgotten->Find(key)) {
    reasons.push_back({entry->begun * 1'000'000, "forgotten",
                       fmt::format("it was forgotten ({}) and is never fetched again: {}",
                                   entry->target.ToString(), entry->reason)});
  }
  if (!rows.empty()) {
    CRV_ASSIGN(std::optional<Reason> near, NearDuplicates(tablet, key, rows.front().fetch.text_digest));
    if (near) reasons.push_back(*std::move(near));
    AddRequests(rows.front().fetch, &reasons);
  }
  if (seed) reasons.insert(reasons.begin(), {0, "seed", "it is a seed"});
  const uint64_t hash = web::HostHash(url.hostname());
  CRV_ASSIGN(const auto host, tablet.queues().Load(hash));
  std::optional<Reason> now = host ? Queued(tablet.queues(), hash, *host, url.href()) : std::nullopt;
  if (!now && rows.empty()) {
    CRV_ASSIGN(now, Recomputed(store, url));
  }
  if (now) reasons.push_back(*std::move(now));
  if (reasons.empty()) {
    reasons.push_back({0, "not-seen", "no decision: no page that was processed links to it"});
  }

  CRV_ASSIGN(const std::optional<NextVisit> next, NextVisitOf(store, url));
  if (next && next->next != 0) {
    reasons.push_back({0, "schedule",
                       fmt::format("its next visit is due at {} ('crawl --continuous' makes it): {}",
                                   FormatRfc3339(next->next), next->reason)});
  }
  CRV_ASSIGN(std::optional<Reason> robots, Robots(tablet, url));
  if (robots) reasons.push_back(*std::move(robots));
  if (host) reasons.push_back({0, "host", HostSentence(*host)});
  return reasons;
}

}  // namespace crivello::collection
