// SPDX-License-Identifier: Apache-2.0
#include "crawl/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/civil_time.h"
#include "frontier/host_queues.h"
#include "store/ledger.h"
#include "web/row_key.h"
#include "web/signature.h"

namespace crivello::crawl {
namespace {

Reason ReasonOf(const store::Event& event) {
  return {event.time, std::string(store::EventKindName(event.kind)), store::Explain(event)};
}

int64_t Seconds(WallTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::string HostSentence(const frontier::HostState& host) {
  if (host.given_up) return fmt::format("its host {} is given up: {}", host.name, host.last_error);
  std::string text = fmt::format("its host {} has {} URLs queued, {} fetched, {} failed", host.name,
                                 host.queued(), host.fetched, host.failed);
  if (host.failures > 0) {
    text += fmt::format("; it has failed {} times in a row ({}) and is left alone until {}", host.failures,
                        host.last_error, FormatRfc3339(Seconds(host.next_fetch)));
  }
  return text;
}

}  // namespace

Result<std::vector<Reason>> Why(CrawlStore& store, const web::Url& url) {
  CRV_ASSIGN(const std::string key, web::RowKey(url));
  CrawlStore::Tablet& tablet = store.TabletOfHost(url.hostname());
  std::vector<Reason> reasons;
  const auto& seeds = store.seeds();
  const bool seed = std::find(seeds.begin(), seeds.end(), url.href()) != seeds.end();
  CRV_ASSIGN(const std::vector<store::Event> events, tablet.ledger.Get(key));
  for (const store::Event& event : events) reasons.push_back(ReasonOf(event));
  CRV_ASSIGN(const std::vector<store::Row> rows, tablet.table.Get(key, {.versions = UINT64_MAX}));
  for (const store::Row& row : rows) reasons.push_back(ReasonOf(store::EventOfRow(row)));
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const Reason& a, const Reason& b) { return a.time < b.time; });
  if (seed) reasons.insert(reasons.begin(), {0, "seed", "it is a seed"});
  if (reasons.empty()) {
    reasons.push_back({0, "not-seen",
                       "nothing was decided about it: it is queued, or was never found, or is out of scope"});
  }

  CRV_ASSIGN(const auto rules, tablet.robots.Find(url.origin()));
  if (rules != nullptr) {
    const web::Robots::Verdict verdict = rules->robots.Check(url.path_and_query());
    const std::string rule =
        verdict.line == 0 ? "" : fmt::format(" by line {} ({})", verdict.line, verdict.rule);
    reasons.push_back({0, "robots",
                       fmt::format("robots.txt (answered {}) {} it{}", rules->record.status,
                                   verdict.allowed ? "allows" : "forbids", rule)});
  }
  CRV_ASSIGN(const auto host, tablet.tablet->queues().Load(web::HostHash(url.hostname())));
  if (host) reasons.push_back({0, "host", HostSentence(*host)});
  return reasons;
}

}  // namespace crivello::crawl
