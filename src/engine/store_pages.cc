// SPDX-License-Identifier: Apache-2.0
#include "engine/store_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "collection/archived_page.h"
#include "frontier/host_queues.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::engine {
namespace {

serve::PageVersion VersionOf(const store::Row& row) {
  serve::PageVersion version;
  version.time_seconds = row.time / 1'000'000;
  version.status = row.fetch.status;
  version.type = row.fetch.content_type;
  version.location = row.fetch.location;
  version.noarchive = row.fetch.noarchive;
  if (row.text) {
    version.title = (*row.text)->title;
    version.text = (*row.text)->MainText();
    version.language = (*row.text)->language;
  }
  if (row.links) {
    for (const store::OutLink& link : *row.links) version.links.push_back({link.url, link.text});
  }
  return version;
}

}  // namespace

StorePages::StorePages(collection::Collection& store, const Clock& clock) : store_(store), clock_(clock) {
  archives_.resize(store.map().size());
  for (uint32_t slot = 0; slot < store.map().size(); ++slot) {
    archives_[slot] = std::make_unique<store::ArchiveReader>(
        collection::Collection::TabletDirectory(store.directory(), store.map().id(slot)) + "/archive");
  }
}

Result<StorePages::Place> StorePages::Find(std::string_view url) {
  Place place;
  CRV_ASSIGN(place.url, web::CanonicalUrl(url));
  CRV_ASSIGN(place.key, web::RowKey(place.url));
  CRV_ASSIGN(place.tablet, store_.TabletOfHost(place.url.hostname()));
  place.slot = store_.SlotOf(place.url.hostname());
  return place;
}

Result<std::vector<serve::PageVersion>> StorePages::Versions(std::string_view url) {
  CRV_ASSIGN(const Place place, Find(url));
  CRV_ASSIGN(const std::vector<store::Row> rows,
             place.tablet->table().Get(place.key, {.versions = UINT64_MAX, .text = true, .links = true}));
  if (rows.empty()) return Status::NotFound(place.url.href() + " is not in this collection.");
  std::vector<serve::PageVersion> versions;
  for (const store::Row& row : rows) versions.push_back(VersionOf(row));
  return versions;
}

Result<store::Row> StorePages::ArchivedRow(const Place& place) {
  CRV_ASSIGN(std::vector<store::Row> rows, place.tablet->table().Get(place.key, {.versions = UINT64_MAX}));
  for (store::Row& row : rows) {
    if (row.fetch.record.length > 0) return std::move(row);
  }
  return Status::NotFound("No copy of " + place.url.href() + " is kept here.");
}

Result<serve::PageRecord> StorePages::Record(std::string_view url) {
  CRV_ASSIGN(const Place place, Find(url));
  CRV_ASSIGN(const store::Row row, ArchivedRow(place));
  CRV_ASSIGN(const collection::ArchivedPage page,
             collection::ReadArchivedPage(*place.tablet, *archives_[place.slot], row.fetch));
  serve::PageRecord record;
  record.time_seconds = row.time / 1'000'000;
  record.noarchive = row.fetch.noarchive;
  // The head of this capture, and the body, which an earlier one may hold.
  record.response = page.record->block.substr(0, page.http.head_bytes);
  record.response += page.body;
  return record;
}

std::vector<bool> StorePages::Archived(const std::vector<std::string>& urls) {
  std::vector<bool> archived;
  for (const std::string& url : urls) {
    const auto place = Find(url);
    const auto row = place.ok() ? ArchivedRow(*place) : Result<store::Row>(place.status());
    archived.push_back(row.ok() && !row->fetch.noarchive);
  }
  return archived;
}

Result<std::vector<collection::Reason>> StorePages::Why(std::string_view url) {
  CRV_ASSIGN(const web::Url canonical, web::CanonicalUrl(url));
  return collection::Why(store_, canonical);
}

Result<serve::PageCounts> StorePages::Count() {
  serve::PageCounts counts;
  for (collection::Tablet* const tablet : store_.tablets()) {
    store::RowCursor rows = tablet->table().Scan();
    std::string host;  // of the row before, as its key has it: those of a host are neighbours
    for (; rows.valid(); rows.NextRow()) {
      const std::string_view key = rows.key();
      const std::string_view of_key = key.substr(0, key.find(')'));
      ++counts.pages;
      if (of_key == host) continue;
      ++counts.hosts;
      host = of_key;
    }
    CRV_TRY(rows.status());
    counts.queued += tablet->queues().counts().items;
  }
  return counts;
}

Result<serve::PageCounts> StorePages::Counts() {
  const MonotonicTime began = clock_.Now();
  {
    MutexLock lock(mutex_);
    if (counts_ && began < count_again_) return *counts_;
    // Whoever asks meanwhile is told the old ones, if there are any.
    count_again_ = MonotonicTime::max();
  }
  auto counts = Count();
  MutexLock lock(mutex_);
  count_again_ = clock_.Now() + std::max<Duration>(kCountsKept, kCountsKeptTimes * (clock_.Now() - began));
  if (counts.ok()) counts_ = *counts;
  return counts;
}

}  // namespace crivello::engine
