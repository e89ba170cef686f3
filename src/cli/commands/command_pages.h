// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "serve/api/page_source.h"

namespace crivello::cli {

// The pages of a collection that this process has not open: each question is a reading command of our own
// (get, why, report), which opens the collection for a moment or has its owner run it (collection.h).  So a
// server stands beside whoever crawls, and in nobody's way.  Thread-safe; one question at a time.
class CommandPages final : public serve::PageSource {
 public:
  explicit CommandPages(std::string collection) : collection_(std::move(collection)) {}

  Result<std::vector<serve::PageVersion>> Versions(std::string_view url) override CRV_EXCLUDES(mu_);
  Result<serve::PageRecord> Record(std::string_view url) override CRV_EXCLUDES(mu_);
  Result<std::vector<collection::Reason>> Why(std::string_view url) override CRV_EXCLUDES(mu_);
  // As of a minute ago, at most: it reads every row.
  Result<serve::PageCounts> Counts() override CRV_EXCLUDES(mu_);

 private:
  // What a command prints.  Its error if it fails; NotFound if it finds nothing.
  Result<std::string> Ask(std::vector<std::string> arguments) CRV_EXCLUDES(mu_);

  const std::string collection_;
  Mutex mu_;
  Mutex counts_mu_;
  std::optional<serve::PageCounts> counts_ CRV_GUARDED_BY(counts_mu_);
  MonotonicTime counted_ CRV_GUARDED_BY(counts_mu_){};
};

}  // namespace crivello::cli
