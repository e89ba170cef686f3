// SPDX-License-Identifier: Apache-2.0
#include "collection/report.h"

#include <map>

#include "base/file_system.h"
#include "collection/why.h"
#include "frontier/host_queues.h"
#include "policy/seed.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::collection {
namespace {

Status AddRows(Tablet& tablet, std::map<std::string, HostReport>* hosts) {
  store::RowCursor rows = tablet.table().Scan();
  for (; rows.valid(); rows.NextRow()) {
    CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(rows.key()));
    CRV_ASSIGN(const store::FetchCell cell, rows.fetch());
    HostReport& host = (*hosts)[std::string(url.hostname())];
    const size_t hundreds = cell.status / 100;
    ++host.pages;
    ++host.statuses[hundreds < host.statuses.size() ? hundreds : 0];
    host.bytes += cell.body_bytes;
    host.revisits += cell.revisit ? 1 : 0;
    host.truncated += cell.truncated ? 1 : 0;
  }
  return rows.status();
}

// As they lie on the disk: those in memory change under a crawl that is given more.
Result<std::vector<std::string>> SeedsOf(const Collection& store) {
  const Result<std::string> text = ReadFile(store.directory() + "/seeds.txt");
  if (text.status().code() == StatusCode::kNotFound) return std::vector<std::string>();
  CRV_TRY(text.status());
  return policy::ReadSeedLines(*text);
}

}  // namespace

Result<std::vector<HostReport>> ReportHosts(Collection& store) {
  std::map<std::string, HostReport> hosts;
  for (Tablet* const tablet : store.tablets()) {
    CRV_TRY(AddRows(*tablet, &hosts));
    CRV_TRY(tablet->queues().ForEachHost([&](uint64_t, const frontier::HostState& state) {
      HostReport& host = hosts[state.name];
      host.queued = state.queued();
      host.failed = state.failed;
      host.refused = state.refused;
      host.given_up = state.given_up;
      host.last_error = state.last_error;
      return true;
    }));
  }
  // A host that has never shown its rules has no page to tell of it.
  CRV_ASSIGN(const std::vector<std::string> seeds, SeedsOf(store));
  for (const std::string& seed : seeds) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(seed));
    const auto host = hosts.find(std::string(url.hostname()));
    if (host == hosts.end() || !host->second.last_error.empty()) continue;
    CRV_ASSIGN(Tablet* const tablet, store.TabletOfHost(url.hostname()));
    CRV_ASSIGN(const auto record, tablet->robots().Load(url.origin()));
    if (record && record->unreachable()) {
      host->second.last_error = "robots.txt is unavailable: " + record->text;
    }
  }
  std::vector<HostReport> reports;
  for (auto& [name, host] : hosts) {
    host.host = name;
    reports.push_back(std::move(host));
  }
  return reports;
}

Result<std::vector<SeedReport>> ReportSeeds(Collection& store) {
  std::vector<SeedReport> reports;
  CRV_ASSIGN(const std::vector<std::string> seeds, SeedsOf(store));
  for (const std::string& seed : seeds) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(seed));
    CRV_ASSIGN(const std::string key, web::RowKey(url));
    SeedReport report;
    report.url = seed;
    CRV_ASSIGN(Tablet* const tablet, store.TabletOfHost(url.hostname()));
    CRV_ASSIGN(const std::vector<store::Row> rows, tablet->table().Get(key));
    if (!rows.empty()) {
      report.status = rows.front().fetch.status;
      report.location = rows.front().fetch.location;
    }
    CRV_ASSIGN(const std::vector<Reason> reasons, Why(store, url));
    CRV_ASSIGN(const auto host, tablet->queues().Load(web::HostHash(url.hostname())));
    const bool host_fails = host && (host->given_up || host->failures > 0);
    for (const Reason& reason : reasons) {
      const bool tells =
          reason.time != 0 ||
          (rows.empty() && (reason.kind == "robots-unreachable" || (host_fails && reason.kind == "host")));
      if (tells || report.sentence.empty()) report.sentence = reason.sentence;
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace crivello::collection
