// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "base/mutex.h"
#include "care/importer.h"
#include "serve/api/document_sink.h"

namespace crivello::engine {

// Puts documents into the table of a collection that this process has open, beside a crawl.
class StoreSink final : public serve::DocumentSink {
 public:
  // So many documents may wait to be indexed; then senders have to wait.
  static constexpr uint64_t kMaxBacklog = 50'000;

  // The store, with its archives open, outlives it.  `backlog` tells how many rows wait to be indexed.
  StoreSink(collection::Collection& store, std::function<uint64_t()> backlog);

  Status Add(std::string_view line) override CRV_EXCLUDES(mu_);
  Status Commit() override CRV_EXCLUDES(mu_);

 private:
  const std::function<uint64_t()> backlog_;
  Mutex mu_;
  page::DocumentLineParser parser_ CRV_GUARDED_BY(mu_);
  page::ImportedDocument document_ CRV_GUARDED_BY(mu_);  // scratch
  care::Importer importer_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::engine
