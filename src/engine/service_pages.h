// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "engine/collection_visits.h"
#include "serve/api/page_source.h"

namespace crivello::engine {

// The pages of a collection for the server, from the process that has the collection open.
//
// Thread-safe.  The source outlives it.
class ServicePages final : public serve::PageSource {
 public:
  // Counting reads every row.  So counts are cached for this long, or for kCountsKeptTimes as long as
  // counting took: it uses at most a fiftieth of a core.  A separate thread does it.
  static constexpr Duration kCountsKept = std::chrono::seconds(2);
  static constexpr int kCountsKeptTimes = 50;
  // How long a caller waits for a count in progress.
  static constexpr Duration kCountsWait = std::chrono::seconds(2);
  static constexpr Duration kFirstCountWait = std::chrono::milliseconds(200);

  explicit ServicePages(ServiceSource& source, const Clock& clock = SystemClock());
  ~ServicePages() override;

  Result<std::vector<serve::PageVersion>> Versions(std::string_view url) override;
  Result<serve::PageRecord> Record(std::string_view url) override;
  std::vector<bool> Archived(const std::vector<std::string>& urls) override;
  Result<std::vector<collection::Reason>> Why(std::string_view url) override;
  Result<serve::CollectionStats> Stats() override CRV_EXCLUDES(mu_);
  // Waits only for the first count, and only briefly.
  Result<serve::CollectionStats> LastStats() override CRV_EXCLUDES(mu_);

 private:
  template <typename Request>
  Result<typename Request::Answer> Ask(const Request& request);
  Result<serve::CollectionStats> CountsWithin(Duration limit) CRV_REQUIRES(mu_);
  void KeepCounts() CRV_EXCLUDES(mu_);

  ServiceSource& source_;
  const Clock& clock_;
  Mutex mu_;
  std::condition_variable_any changed_;
  bool wanted_ CRV_GUARDED_BY(mu_) = false;  // a count is requested or in progress
  bool stopping_ CRV_GUARDED_BY(mu_) = false;
  Result<serve::CollectionStats> counts_ CRV_GUARDED_BY(mu_) =
      Status::Unavailable("the pages are being counted");
  MonotonicTime count_again_ CRV_GUARDED_BY(mu_){};
  std::thread thread_;  // the last member
};

}  // namespace crivello::engine
