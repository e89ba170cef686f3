// SPDX-License-Identifier: Apache-2.0
#include "engine/store_sink.h"

#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::engine {

StoreSink::StoreSink(collection::Collection& store, const IndexBacklog& index)
    : store_(store), index_(index), importer_(store, {}), lines_(importer_) {}

Status StoreSink::Add(std::string_view line) {
  if (index_.backlog() > kSenderBacklog)
    return Status::Unavailable("too many documents are waiting to be indexed; try again later");
  MutexLock lock(mu_);
  const uint64_t refused = importer_.summary().refused;
  CRV_TRY(lines_.Add(line));
  if (importer_.summary().refused == refused) return Status::Ok();
  return Status::InvalidArgument("the document was forgotten and cannot be imported");
}

Status StoreSink::Commit() {
  MutexLock lock(mu_);
  CRV_TRY(lines_.Finish());
  return importer_.Finish();
}

Result<uint64_t> StoreSink::Remove(const serve::DocumentName& name) {
  std::vector<web::Url> urls;
  if (!name.url.empty()) {
    CRV_ASSIGN(urls.emplace_back(), web::CanonicalUrl(name.url));
  } else {
    CRV_ASSIGN(urls, WithId(name.id));
  }
  MutexLock lock(mu_);
  uint64_t removed = 0;
  for (const web::Url& url : urls) {
    CRV_ASSIGN(const bool was_there, importer_.Remove(url));
    removed += was_there ? 1 : 0;
  }
  CRV_TRY(importer_.Finish());
  return removed;
}

// Ids are not unique, and no index has them, so all rows are read.
Result<std::vector<web::Url>> StoreSink::WithId(std::string_view id) const {
  std::vector<web::Url> urls;
  for (collection::Tablet* const tablet : store_.tablets()) {
    store::RowCursor rows = tablet->table().Scan();
    for (; rows.valid(); rows.NextRow()) {
      CRV_ASSIGN(const store::FetchCell fetch, rows.fetch());
      if (fetch.id != id) continue;
      CRV_ASSIGN(urls.emplace_back(), web::UrlOfRowKey(rows.key()));
    }
    CRV_TRY(rows.status());
  }
  return urls;
}

}  // namespace crivello::engine
