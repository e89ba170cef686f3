// SPDX-License-Identifier: Apache-2.0
#include "collection/archived_page.h"

#include <utility>
#include <vector>

namespace crivello::collection {
namespace {

// The place of the body that a revisit record does not contain.
Result<store::RecordLocator> OriginOf(const Tablet& tablet, const store::FetchCell& fetch) {
  CRV_ASSIGN(const std::optional<store::PayloadOrigin> origin, tablet.table().FindPayload(fetch.payload));
  if (!origin) return Status::NotFound("its body was archived with an earlier capture that is unknown");
  CRV_ASSIGN(const std::vector<store::Row> rows, tablet.table().Get(origin->key, {.at = origin->time}));
  if (rows.empty() || rows.front().fetch.revisit) {
    return Status::NotFound("its body was archived with an earlier capture that was deleted");
  }
  return rows.front().fetch.record;
}

}  // namespace

Result<ArchivedPage> ReadArchivedPage(const Tablet& tablet, const store::ArchiveReader& archive,
                                      const store::FetchCell& fetch) {
  CRV_ASSIGN(store::ArchivedRecord record, archive.Read(fetch.record));
  ArchivedPage page = {.record = std::move(record), .origin = {}, .http = {}, .body = {}};
  page.http = web::ParseHttpResponse(page.record->block);
  page.body = page.http.body;
  if (fetch.revisit) {
    CRV_ASSIGN(const store::RecordLocator locator, OriginOf(tablet, fetch));
    CRV_ASSIGN(store::ArchivedRecord origin, archive.Read(locator));
    page.origin.emplace(std::move(origin));
    page.body = web::ParseHttpResponse((*page.origin)->block).body;
  }
  return page;
}

}  // namespace crivello::collection
