// SPDX-License-Identifier: Apache-2.0
#include "collection/host_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "frontier/host_queues.h"
#include "store/ledger.h"
#include "web/page/robots.h"
#include "web/url/row_key.h"

namespace crivello::collection {
namespace {

using store::EventKind;

bool IsTrouble(EventKind kind) {
  switch (kind) {
    case EventKind::kFailed:
    case EventKind::kGivenUp:
    case EventKind::kRefusedByRobots:
    case EventKind::kTrap:
    case EventKind::kFiltered:
    case EventKind::kBudget:
    case EventKind::kHostGivenUp:
    case EventKind::kNotConverted:
      return true;
    default:
      return false;
  }
}

class Surveyor {
 public:
  Surveyor(Collection& store, const SurveyOptions& options) : store_(store), options_(options) {}

  Result<HostSurvey> Survey() {
    CRV_ASSIGN(std::vector<HostReport> reports, ReportHosts(store_));
    for (HostReport& report : reports) {
      places_.emplace(report.host, static_cast<uint32_t>(survey_.hosts.size()));
      survey_.hosts.emplace_back().report = std::move(report);
    }
    for (Tablet* const tablet : store_.tablets()) {
      CRV_TRY(ReadStates(*tablet));
      CRV_TRY(ReadRows(*tablet));
      CRV_TRY(ReadLedger(*tablet));
    }
    for (const auto& [pair, count] : links_) survey_.links.push_back({pair.first, pair.second, count});
    std::sort(survey_.troubles.begin(), survey_.troubles.end(), Later);
    return std::move(survey_);
  }

 private:
  static bool Later(const HostSurvey::Trouble& a, const HostSurvey::Trouble& b) {
    return std::tie(b.time, a.url, a.kind) < std::tie(a.time, b.url, b.kind);
  }

  HostSurvey::Host* Find(std::string_view host) {
    const auto found = places_.find(std::string(host));
    return found == places_.end() ? nullptr : &survey_.hosts[found->second];
  }

  Status ReadStates(Tablet& tablet) {
    Status failure;
    CRV_TRY(tablet.queues().ForEachHost([&](uint64_t, const frontier::HostState& state) {
      HostSurvey::Host* const host = Find(state.name);
      if (host == nullptr) return true;  // it is newer than the report
      host->crawl_delay = state.crawl_delay;
      host->next_fetch = state.next_fetch;
      host->failures = state.failures;
      if (state.robots.empty()) return true;
      const auto verdict = RobotsVerdict(tablet.robots(), state.robots.front().origin);
      if (verdict.ok()) {
        host->robots = *verdict;
        return true;
      }
      failure = verdict.status();
      return false;
    }));
    return failure;
  }

  static Result<std::string> RobotsVerdict(RobotsKeeper& keeper, const std::string& origin) {
    CRV_ASSIGN(const auto rules, keeper.Find(origin));
    if (rules == nullptr) return std::string("not fetched yet");
    if (rules->record.unreachable()) return std::string("unavailable");
    switch (rules->record.access) {
      case web::RobotsAccess::kAllowAll:
        return fmt::format("none ({})", rules->record.status);
      case web::RobotsAccess::kDisallowAll:
        return fmt::format("forbids all ({})", rules->record.status);
      case web::RobotsAccess::kParse:
      case web::RobotsAccess::kFollowRedirect:
        break;
    }
    return std::string(rules->robots.Check("/").allowed ? "has rules" : "forbids the first page");
  }

  Status ReadRows(Tablet& tablet) {
    store::RowCursor rows = tablet.table().Scan();
    for (; rows.valid(); rows.NextRow()) {
      CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(rows.key()));
      CRV_ASSIGN(store::FetchCell fetch, rows.fetch());
      if (fetch.status >= 400) {
        const std::string kind = fmt::format("status-{}", fetch.status);
        const store::Row row = {
            .key = std::string(rows.key()), .time = rows.time(), .fetch = std::move(fetch)};
        AddTrouble(url.href(), kind, rows.time(), store::Explain(store::EventOfRow(row)));
      }
      const auto place = places_.find(std::string(url.hostname()));
      if (place == places_.end() || survey_.hosts[place->second].sampled >= options_.sampled_pages) continue;
      CRV_TRY(Sample(tablet.table(), std::string(rows.key()), rows.time(), place->second));
    }
    return rows.status();
  }

  Status Sample(const store::Table& table, const std::string& key, store::VersionTime time, uint32_t place) {
    HostSurvey::Host& host = survey_.hosts[place];
    ++host.sampled;
    CRV_ASSIGN(const auto text, table.Text(key, time));
    if (text && !(*text)->language.empty()) ++host.languages[std::string((*text)->language)];
    CRV_ASSIGN(const auto links, table.Links(key, time));
    if (!links) return Status::Ok();
    for (const store::OutLink& link : *links) {
      web::Url to;
      if (!to.Parse(link.url)) continue;
      const auto other = places_.find(std::string(to.hostname()));
      if (other != places_.end() && other->second != place) ++links_[{place, other->second}];
    }
    return Status::Ok();
  }

  Status ReadLedger(Tablet& tablet) {
    return tablet.ledger().ForEach([&](std::string_view key, const store::Event& event) {
      if (!IsTrouble(event.kind)) return;
      const auto url = web::UrlOfRowKey(key);
      if (url.ok()) {
        AddTrouble(url->href(), std::string(store::EventKindName(event.kind)), event.time,
                   store::Explain(event));
      }
    });
  }

  // A heap of the latest ones so far, with the earliest of them in front.
  void AddTrouble(std::string url, const std::string& kind, int64_t time, std::string sentence) {
    ++survey_.trouble_counts[kind];
    std::vector<HostSurvey::Trouble>& latest = survey_.troubles;
    latest.push_back({std::move(url), time, kind, std::move(sentence)});
    std::push_heap(latest.begin(), latest.end(), Later);
    if (latest.size() <= options_.troubles) return;
    std::pop_heap(latest.begin(), latest.end(), Later);
    latest.pop_back();
  }

  Collection& store_;
  const SurveyOptions options_;
  HostSurvey survey_;
  std::unordered_map<std::string, uint32_t> places_;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> links_;
};

}  // namespace

Result<HostSurvey> SurveyHosts(Collection& store, const SurveyOptions& options) {
  return Surveyor(store, options).Survey();
}

}  // namespace crivello::collection
