// SPDX-License-Identifier: Apache-2.0
#include "collection/report.h"

#include <algorithm>
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
    host.copies += cell.revisit && hundreds == 2 ? 1 : 0;
    host.near_copies += cell.near_copy ? 1 : 0;
    host.truncated += cell.truncated ? 1 : 0;
  }
  return rows.status();
}

// The hosts whose copies the pages of a host are, from the ledger: numbers of pages by host and original.
using CopiedHosts = std::map<std::string, std::map<std::string, uint64_t>>;

Status AddCopiedHosts(Tablet& tablet, CopiedHosts* hosts) {
  std::string last_key;
  return tablet.ledger().ForEach([&](std::string_view key, const store::Event& event) {
    const bool copies =
        event.kind == store::EventKind::kDuplicateOf || event.kind == store::EventKind::kNearCopyOf;
    if (!copies || event.url.empty() || key == last_key) return;  // a page counts once
    const auto url = web::UrlOfRowKey(key);
    const auto original = web::CanonicalUrl(event.url);
    if (!url.ok() || !original.ok() || url->hostname() == original->hostname()) return;
    last_key = key;
    (*hosts)[std::string(url->hostname())][std::string(original->hostname())]++;
  });
}

// A mirror needs more than a few copies, and at least half of a host.
constexpr uint64_t kLeastMirrored = 3;

// Two hosts that are crawled at the same time are copies of each other, page by page: both directions count,
// and the host with more copies is the mirror.
void SetMirrors(const CopiedHosts& copied, std::map<std::string, HostReport>* hosts) {
  const auto pages_of = [&copied](const std::string& host, const std::string& original) {
    const auto of = copied.find(host);
    if (of == copied.end()) return uint64_t{0};
    const auto pages = of->second.find(original);
    return pages == of->second.end() ? uint64_t{0} : pages->second;
  };
  for (const auto& [name, originals] : copied) {
    for (const auto& [original, pages] : originals) {
      const auto host = hosts->find(name);
      const auto other = hosts->find(original);
      if (host == hosts->end() || other == hosts->end()) continue;
      const uint64_t back = pages_of(original, name);
      if (pages < back || (pages == back && name < original)) continue;
      const uint64_t both = pages + back;
      const uint64_t smaller = std::min(host->second.statuses[2], other->second.statuses[2]);
      if (both < kLeastMirrored || 2 * both < smaller || both <= host->second.mirrored) continue;
      host->second.mirror_of = original;
      host->second.mirrored = both;
    }
  }
}

// Reads them from the disk, because those in memory change during a crawl.
Result<std::vector<std::string>> SeedsOf(const Collection& store) {
  const Result<std::string> text = ReadFile(store.directory() + "/seeds.txt");
  if (text.status().code() == StatusCode::kNotFound) return std::vector<std::string>();
  CRV_TRY(text.status());
  return policy::ReadSeedLines(*text);
}

}  // namespace

Result<std::vector<HostReport>> ReportHosts(Collection& store) {
  std::map<std::string, HostReport> hosts;
  CopiedHosts copied;
  for (Tablet* const tablet : store.tablets()) {
    CRV_TRY(AddRows(*tablet, &hosts));
    CRV_TRY(AddCopiedHosts(*tablet, &copied));
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
  // A host whose rules were never read has no page that could show it.
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
  SetMirrors(copied, &hosts);
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
