// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "care/importer.h"
#include "care/line_importer.h"
#include "engine/index_policy.h"
#include "serve/api/document_sink.h"
#include "web/url/url.h"

namespace crivello::engine {

// Adds documents to the table of a collection that this process has open, during a crawl.
class StoreSink final : public serve::DocumentSink {
 public:
  // The store must outlive this, with its archives open, and so must the index, whose backlog may refuse
  // senders (kSenderBacklog).
  StoreSink(collection::Collection& store, const IndexBacklog& index);

  Status Add(std::string_view line) override CRV_EXCLUDES(mu_);
  Status Commit() override CRV_EXCLUDES(mu_);
  Result<uint64_t> Remove(const serve::DocumentName& name) override CRV_EXCLUDES(mu_);

 private:
  Result<std::vector<web::Url>> WithId(std::string_view id) const;

  collection::Collection& store_;
  const IndexBacklog& index_;
  Mutex mu_;
  care::Importer importer_ CRV_GUARDED_BY(mu_);
  care::LineImporter lines_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::engine
