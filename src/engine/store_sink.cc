// SPDX-License-Identifier: Apache-2.0
#include "engine/store_sink.h"

namespace crivello::engine {

StoreSink::StoreSink(collection::Collection& store, const IndexBacklog& index)
    : index_(index), importer_(store, {}) {}

Status StoreSink::Add(std::string_view line) {
  if (index_.backlog() > kSenderBacklog)
    return Status::Unavailable("too many documents are waiting to be indexed; try again later");
  MutexLock lock(mu_);
  CRV_TRY(parser_.Parse(line, &document_));
  const uint64_t refused = importer_.summary().refused;
  CRV_TRY(importer_.Add(document_));
  if (importer_.summary().refused == refused) return Status::Ok();
  return Status::InvalidArgument(document_.url + " was forgotten and cannot be imported");
}

Status StoreSink::Commit() {
  MutexLock lock(mu_);
  return importer_.Finish();
}

}  // namespace crivello::engine
