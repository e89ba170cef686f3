// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/mutex.h"
#include "care/importer.h"
#include "engine/index_policy.h"
#include "serve/api/document_sink.h"

namespace crivello::engine {

// Puts documents into the table of a collection that this process has open, beside a crawl.
class StoreSink final : public serve::DocumentSink {
 public:
  // The store, with its archives open, outlives it, and so does the index, which may keep senders waiting
  // (kSenderBacklog).
  StoreSink(collection::Collection& store, const IndexBacklog& index);

  Status Add(std::string_view line) override CRV_EXCLUDES(mu_);
  Status Commit() override CRV_EXCLUDES(mu_);

 private:
  const IndexBacklog& index_;
  Mutex mu_;
  page::DocumentLineParser parser_ CRV_GUARDED_BY(mu_);
  page::ImportedDocument document_ CRV_GUARDED_BY(mu_);  // scratch
  care::Importer importer_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::engine
