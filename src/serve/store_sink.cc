// SPDX-License-Identifier: Apache-2.0
#include "serve/store_sink.h"

#include <utility>

namespace crivello::serve {

StoreSink::StoreSink(crawl::CrawlStore& store, std::function<uint64_t()> backlog)
    : backlog_(std::move(backlog)), importer_(store, {}) {}

Status StoreSink::Add(std::string_view line) {
  if (backlog_() > kMaxBacklog) return Status::Unavailable("too many documents wait to be indexed");
  MutexLock lock(mu_);
  CRV_TRY(parser_.Parse(line, &document_));
  return importer_.Add(document_);
}

Status StoreSink::Commit() {
  MutexLock lock(mu_);
  return importer_.Finish();
}

}  // namespace crivello::serve
