// SPDX-License-Identifier: Apache-2.0
// Questions about pages, hosts and queues.  Work on the whole collection is in local_care.cc.
#include "engine/local_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/civil_time.h"
#include "base/digest.h"
#include "collection/archived_page.h"
#include "collection/host_survey.h"
#include "collection/report.h"
#include "collection/schedule_report.h"
#include "collection/why.h"
#include "frontier/host_queues.h"
#include "index/tables/page_document.h"
#include "jobs/graph/stored_rank.h"
#include "web/page/links.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "wire/codec.h"

namespace crivello::engine {
namespace {

wire::PageVersion WireVersion(const store::Row& row) {
  const store::FetchCell& cell = row.fetch;
  wire::PageVersion version = {.time = row.time,
                               .status = cell.status,
                               .type = cell.content_type,
                               .bytes = cell.body_bytes,
                               .digest = Sha1Text(cell.payload),
                               .location = cell.location,
                               .noindex = cell.noindex,
                               .noarchive = cell.noarchive,
                               .nofollow = cell.nofollow,
                               .truncated = cell.truncated,
                               .revisit = cell.revisit,
                               .unavailable_after = cell.unavailable_after,
                               .usage = cell.AllUsage()};
  if (row.text) {
    const store::TextCell& text = **row.text;
    version.text = wire::PageText{.title = std::string(text.title),
                                  .text = text.MainText(),
                                  .language = std::string(text.language),
                                  .charset = std::string(text.charset),
                                  .author = std::string(text.author),
                                  .published = text.published};
  }
  if (row.links) {
    version.links.emplace();
    for (const store::OutLink& link : *row.links) version.links->push_back({link.url, link.text});
  }
  return version;
}

// Whether the page says that no copy of it may be shown now.
bool IsWithheld(const store::FetchCell& cell) {
  return cell.noarchive || cell.IsUnavailable(ToSeconds(SystemClock().Wall()));
}

wire::HostReport WireReport(const collection::HostReport& host) {
  return {.host = host.host,
          .pages = host.pages,
          .statuses = host.statuses,
          .bytes = host.bytes,
          .revisits = host.revisits,
          .copies = host.copies,
          .near_copies = host.near_copies,
          .truncated = host.truncated,
          .queued = host.queued,
          .failed = host.failed,
          .refused = host.refused,
          .given_up = host.given_up,
          .last_error = host.last_error,
          .mirror_of = host.mirror_of,
          .mirrored = host.mirrored};
}

wire::QueuedHost WireHost(const frontier::HostState& state) {
  return {.host = state.name,
          .queued = state.queued(),
          .fetched = state.fetched,
          .failed = state.failed,
          .failures_in_a_row = state.failures,
          .given_up = state.given_up,
          .last_error = state.last_error,
          .not_before = ToSeconds(std::max(state.next_fetch, state.wake)),
          .address = state.address};
}

std::string RankSentence(const jobs::PageStanding& one) {
  const std::string_view whose = one.level == jobs::GraphLevel::kPage   ? "it"
                                 : one.level == jobs::GraphLevel::kHost ? "its host"
                                                                        : "its domain";
  const std::string_view what = one.level == jobs::GraphLevel::kPage   ? "pages"
                                : one.level == jobs::GraphLevel::kHost ? "hosts"
                                                                       : "domains";
  return fmt::format("{} is number {} of {} {} in the rank '{}' ({}), with the value {:.3g}", whose,
                     one.place, one.nodes, what, one.rank, one.how, one.value);
}

}  // namespace

LocalService::LocalService(collection::Collection& store, care::IndexKeeper& index,
                           std::function<void()> release)
    : store_(store), index_(index), release_(std::move(release)) {
  archives_.resize(store.map().size());
  for (uint32_t slot = 0; slot < store.map().size(); ++slot) {
    archives_[slot] = std::make_unique<store::ArchiveReader>(
        collection::Collection::TabletDirectory(store.directory(), store.map().id(slot)) + "/archive");
  }
}

Result<LocalService::Place> LocalService::Find(std::string_view url) {
  Place place;
  CRV_ASSIGN(place.url, web::CanonicalUrl(url));
  CRV_ASSIGN(place.key, web::RowKey(place.url));
  CRV_ASSIGN(place.tablet, store_.TabletOfHost(place.url.hostname()));
  place.slot = store_.SlotOf(place.url.hostname());
  return place;
}

Result<wire::PageVersions> LocalService::Ask(const wire::GetRequest& request, Listener& /*listener*/) {
  CRV_ASSIGN(const Place place, Find(request.url));
  CRV_ASSIGN(const std::vector<store::Row> rows,
             place.tablet->table().Get(place.key, {.at = request.at,
                                                   .versions = request.all ? UINT64_MAX : 1,
                                                   .text = request.text,
                                                   .links = request.links}));
  if (rows.empty()) {
    return Status::NotFound(place.url.href() + (request.at == INT64_MAX
                                                    ? " is not in this collection"
                                                    : " was not in this collection at that time"));
  }
  wire::PageVersions answer = {.url = place.url.href()};
  for (const store::Row& row : rows) answer.versions.push_back(WireVersion(row));
  return answer;
}

Result<store::Row> LocalService::ArchivedRow(const Place& place, store::VersionTime at) {
  CRV_ASSIGN(std::vector<store::Row> rows,
             place.tablet->table().Get(place.key, {.at = at, .versions = UINT64_MAX}));
  for (store::Row& row : rows) {
    if (row.fetch.record.length > 0) return std::move(row);
  }
  return Status::NotFound("this collection has no archived copy of " + place.url.href());
}

Result<wire::PageRecord> LocalService::Ask(const wire::RecordRequest& request, Listener& /*listener*/) {
  CRV_ASSIGN(const Place place, Find(request.url));
  CRV_ASSIGN(const store::Row row, ArchivedRow(place, request.at));
  wire::PageRecord answer = {.time = row.time, .noarchive = IsWithheld(row.fetch)};
  const store::ArchiveReader& archive = *archives_[place.slot];
  if (request.raw) {
    CRV_ASSIGN(const store::ArchivedRecord record, archive.Read(row.fetch.record));
    answer.bytes = std::string(record->block);
    return answer;
  }
  CRV_ASSIGN(const collection::ArchivedPage page,
             collection::ReadArchivedPage(*place.tablet, archive, row.fetch));
  // The head of this capture, and the body, which may be in an earlier one.
  answer.bytes = std::string(page.record->block.substr(0, page.http.head_bytes));
  answer.bytes += page.body;
  return answer;
}

Result<wire::ArchivedPages> LocalService::Ask(const wire::ArchivedRequest& request, Listener& /*listener*/) {
  wire::ArchivedPages answer;
  for (const std::string& url : request.urls) {
    const auto place = Find(url);
    const auto row = place.ok() ? ArchivedRow(*place) : Result<store::Row>(place.status());
    answer.archived.push_back(row.ok() && !IsWithheld(row->fetch));
  }
  return answer;
}

Result<wire::ScannedPages> LocalService::Ask(const wire::ScanRequest& request, Listener& /*listener*/) {
  // The rows of a host are in one tablet; merge the rows of all tablets.
  std::vector<store::RowCursor> cursors;
  for (collection::Tablet* const tablet : store_.tablets()) {
    cursors.push_back(tablet->table().Scan({.begin = request.begin, .end = request.end}));
  }
  const uint64_t limit = std::clamp<uint64_t>(request.limit, 1, wire::ScanRequest::kMaxLimit);
  wire::ScannedPages answer;
  while (true) {
    store::RowCursor* first = nullptr;
    for (store::RowCursor& cursor : cursors) {
      if (cursor.valid() && (first == nullptr || cursor.key() < first->key())) first = &cursor;
    }
    if (first == nullptr) break;
    if (answer.pages.size() == limit) {
      answer.next = std::string(first->key());
      return answer;
    }
    CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(first->key()));
    CRV_ASSIGN(const store::FetchCell cell, first->fetch());
    answer.pages.push_back({.url = url.href(),
                            .time = first->time(),
                            .status = cell.status,
                            .type = cell.content_type,
                            .bytes = cell.body_bytes});
    first->NextRow();
  }
  for (const store::RowCursor& cursor : cursors) CRV_TRY(cursor.status());
  return answer;
}

Result<wire::ExportedPages> LocalService::Ask(const wire::ExportRequest& request, Listener& /*listener*/) {
  constexpr uint64_t kPieceBytes = uint64_t{1} << 20;
  std::vector<store::RowCursor> cursors;
  for (collection::Tablet* const tablet : store_.tablets()) {
    cursors.push_back(tablet->table().Scan({.begin = request.begin, .end = request.end}));
  }
  wire::ExportedPages answer;
  const int64_t now = ToSeconds(SystemClock().Wall());
  uint64_t bytes = 0;
  while (true) {
    size_t first = cursors.size();
    for (size_t i = 0; i < cursors.size(); i++) {
      if (cursors[i].valid() && (first == cursors.size() || cursors[i].key() < cursors[first].key()))
        first = i;
    }
    if (first == cursors.size()) break;
    store::RowCursor& cursor = cursors[first];
    if (bytes >= kPieceBytes) {
      answer.next = std::string(cursor.key());
      return answer;
    }
    CRV_ASSIGN(const store::FetchCell cell, cursor.fetch());
    bool wanted = index::IsSearchable(cell) && !cell.IsUnavailable(now);
    if (wanted && request.unique) {
      CRV_ASSIGN(const bool another_stands, AnotherPageStandsFor(cursor.key(), cell));
      wanted = !another_stands;
    }
    if (wanted) {
      CRV_ASSIGN(wire::ExportedPage page, ExportedRow(cursor, cell, request));
      bytes += wire::Encode(page).size();
      answer.pages.push_back(std::move(page));
    }
    cursor.NextRow();
  }
  for (const store::RowCursor& cursor : cursors) CRV_TRY(cursor.status());
  return answer;
}

Result<bool> LocalService::AnotherPageStandsFor(std::string_view row_key, const store::FetchCell& cell) {
  if (cell.text_digest == 0) return false;  // it has no text
  CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(row_key));
  CRV_ASSIGN(const collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
  CRV_ASSIGN(const auto cluster, tablet->duplicates().Get(row_key, cell.text_digest));
  if (!cluster || cluster->representative == row_key) return false;
  // The other page may have changed since, or may no longer be searchable.
  CRV_ASSIGN(const web::Url other, web::UrlOfRowKey(cluster->representative));
  CRV_ASSIGN(const collection::Tablet* const of_other, store_.TabletOfHost(other.hostname()));
  CRV_ASSIGN(const std::vector<store::Row> rows, of_other->table().Get(cluster->representative));
  if (rows.empty() || !index::IsSearchable(rows.front().fetch)) return false;
  CRV_ASSIGN(const auto its,
             of_other->duplicates().Get(cluster->representative, rows.front().fetch.text_digest));
  return its && its->representative == cluster->representative;
}

Result<wire::ExportedPage> LocalService::ExportedRow(const store::RowCursor& row,
                                                     const store::FetchCell& cell,
                                                     const wire::ExportRequest& request) {
  CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(row.key()));
  CRV_ASSIGN(collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
  wire::ExportedPage page = {.url = url.href(), .id = cell.id, .time = row.time(), .status = cell.status};
  page.usage = cell.AllUsage();
  std::optional<store::DupCell> cluster;
  if (cell.text_digest != 0) {
    CRV_ASSIGN(cluster, tablet->duplicates().Get(row.key(), cell.text_digest));
  }
  if (cluster) {
    CRV_ASSIGN(const web::Url representative, web::UrlOfRowKey(cluster->representative));
    page.cluster = {.representative = representative.href(), .pages = cluster->members};
  }
  if (request.text) {
    CRV_ASSIGN(const std::optional<store::StoredText> text, tablet->table().Text(row.key(), row.time()));
    if (text) {
      page.language = (*text)->language;
      page.title = (*text)->title;
      for (const store::TextBlock& block : (*text)->blocks) {
        page.blocks.push_back(
            {.kind = block.kind, .level = block.level, .main = block.main, .text = std::string(block.text)});
      }
    }
  }
  if (request.links) {
    CRV_ASSIGN(const auto links, tablet->table().Links(row.key(), row.time()));
    if (links) {
      for (const store::OutLink& link : *links) {
        // Only links that people follow; images and forms are not links to pages.
        if (link.kind > static_cast<uint8_t>(web::LinkKind::kArea)) continue;
        page.links.push_back({.url = link.url, .text = link.text, .nofollow = link.nofollow});
      }
    }
  }
  if (request.records && cell.record.length > 0) {
    const store::ArchiveReader& archive = *archives_[store_.SlotOf(url.hostname())];
    CRV_ASSIGN(const collection::ArchivedPage archived, collection::ReadArchivedPage(*tablet, archive, cell));
    page.record = std::string(archived.record->block.substr(0, archived.http.head_bytes));
    page.record += archived.body;
  }
  return page;
}

Result<wire::Reasons> LocalService::Ask(const wire::WhyRequest& request, Listener& /*listener*/) {
  CRV_ASSIGN(const web::Url url, web::CanonicalUrl(request.url));
  CRV_ASSIGN(const std::vector<collection::Reason> reasons, collection::Why(store_, url));
  wire::Reasons answer = {.url = url.href()};
  for (const collection::Reason& reason : reasons) {
    answer.reasons.push_back({.time = reason.time, .kind = reason.kind, .sentence = reason.sentence});
  }
  CRV_ASSIGN(const std::vector<jobs::PageStanding> standings,
             jobs::StandingsOf(store_.directory(), url.href()));
  for (const jobs::PageStanding& one : standings)
    answer.reasons.push_back({.time = 0, .kind = "rank", .sentence = RankSentence(one)});
  return answer;
}

Result<wire::NextVisit> LocalService::Ask(const wire::ScheduleRequest& request, Listener& /*listener*/) {
  CRV_ASSIGN(const web::Url url, web::CanonicalUrl(request.url));
  CRV_ASSIGN(const std::optional<collection::NextVisit> next, collection::NextVisitOf(store_, url));
  wire::NextVisit answer = {.url = url.href(), .scheduled = next.has_value()};
  if (!next) return answer;
  answer.next = next->next;
  answer.last = next->last;
  answer.interval = next->interval;
  answer.visits = next->visits;
  answer.changes = next->changes;
  answer.failures = next->failures;
  answer.reason = next->reason;
  return answer;
}

Result<wire::ScheduleSummary> LocalService::Ask(const wire::ScheduleSummaryRequest& /*request*/,
                                                Listener& /*listener*/) {
  CRV_ASSIGN(const collection::Freshness found, collection::MeasureFreshness(store_, SystemClock().Wall()));
  const collection::ScheduleStats& schedule = found.schedule;
  return wire::ScheduleSummary{
      .pages = schedule.pages,
      .queued = schedule.queued,
      .failing = schedule.failing,
      .blocks = schedule.blocks,
      .firsts = schedule.firsts,
      .revisits = schedule.revisits,
      .changes = schedule.changes,
      .next = found.next.value_or(0),
      .visits_per_1000_days = static_cast<uint64_t>(std::llround(schedule.planned * 1000)),
      .fresh_per_million = static_cast<uint64_t>(std::llround(found.fresh * 1e6)),
      .age_seconds = static_cast<uint64_t>(std::llround(found.age_days * 86400)),
  };
}

Result<wire::HostReports> LocalService::Ask(const wire::HostReportsRequest& /*request*/,
                                            Listener& /*listener*/) {
  CRV_ASSIGN(const std::vector<collection::HostReport> hosts, collection::ReportHosts(store_));
  wire::HostReports answer;
  for (const collection::HostReport& host : hosts) answer.hosts.push_back(WireReport(host));
  return answer;
}

Result<wire::SeedReports> LocalService::Ask(const wire::SeedReportsRequest& /*request*/,
                                            Listener& /*listener*/) {
  CRV_ASSIGN(const std::vector<collection::SeedReport> seeds, collection::ReportSeeds(store_));
  wire::SeedReports answer;
  for (const collection::SeedReport& seed : seeds) {
    answer.seeds.push_back(
        {.url = seed.url, .status = seed.status, .location = seed.location, .sentence = seed.sentence});
  }
  return answer;
}

Result<wire::CollectionStats> LocalService::Ask(const wire::CountsRequest& /*request*/, Listener& listener) {
  wire::CollectionStats counts;
  for (collection::Tablet* const tablet : store_.tablets()) {
    store::RowCursor rows = tablet->table().Scan();
    std::string host;  // of the previous row, as in its key: rows of a host are adjacent
    for (; rows.valid(); rows.NextRow()) {
      const std::string_view key = rows.key();
      const std::string_view of_key = key.substr(0, key.find(')'));
      ++counts.pages;
      if (of_key == host) continue;
      ++counts.hosts;
      host = of_key;
      if (counts.hosts % 1000 == 0 && listener.Gone())
        return Status::Unavailable("the count was stopped: the client is gone");
    }
    CRV_TRY(rows.status());
    counts.queued += tablet->queues().counts().items;
  }
  return counts;
}

Result<wire::Queues> LocalService::Ask(const wire::QueuesRequest& request, Listener& /*listener*/) {
  wire::Queues answer;
  std::vector<frontier::HostState> top;  // a heap of the best so far, its worst in front
  const auto more = [](const frontier::HostState& a, const frontier::HostState& b) {
    return std::pair(b.queued(), std::string_view(a.name)) < std::pair(a.queued(), std::string_view(b.name));
  };
  for (collection::Tablet* const tablet : store_.tablets()) {
    const frontier::HostQueuesStats counts = tablet->queues().counts();
    answer.hosts += counts.hosts;
    answer.waiting += counts.waiting;
    answer.given_up += counts.given_up;
    answer.queued += counts.items;
    answer.enqueued += counts.enqueued;
    const sieve::SievePending sieve = tablet->sieve_pending();
    answer.in_sieve += sieve.waiting + sieve.untaken;
    answer.known_urls += sieve.known;
    CRV_TRY(tablet->queues().ForEachHost([&](uint64_t, const frontier::HostState& state) {
      top.push_back(state);
      std::push_heap(top.begin(), top.end(), more);
      if (top.size() > request.limit) {
        std::pop_heap(top.begin(), top.end(), more);
        top.pop_back();
      }
      return true;
    }));
  }
  std::sort(top.begin(), top.end(), more);
  for (const frontier::HostState& state : top) answer.top.push_back(WireHost(state));
  return answer;
}

Result<wire::Survey> LocalService::Ask(const wire::SurveyRequest& /*request*/, Listener& /*listener*/) {
  CRV_ASSIGN(const collection::HostSurvey survey, collection::SurveyHosts(store_));
  wire::Survey answer = {.trouble_counts = survey.trouble_counts};
  for (const collection::HostSurvey::Host& host : survey.hosts) {
    answer.hosts.push_back(
        {.report = WireReport(host.report),
         .robots = host.robots,
         .crawl_delay_ms = std::chrono::duration_cast<std::chrono::milliseconds>(host.crawl_delay).count(),
         .next_fetch = ToSeconds(host.next_fetch),
         .failures = host.failures,
         .languages = host.languages,
         .sampled = host.sampled});
  }
  for (const collection::HostSurvey::Link& link : survey.links) {
    answer.links.push_back({.from = link.from, .to = link.to, .count = link.count});
  }
  for (const collection::HostSurvey::Trouble& trouble : survey.troubles) {
    answer.troubles.push_back(
        {.url = trouble.url, .time = trouble.time, .kind = trouble.kind, .sentence = trouble.sentence});
  }
  return answer;
}

}  // namespace crivello::engine
