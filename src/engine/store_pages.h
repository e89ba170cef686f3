// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "collection/collection.h"
#include "serve/api/page_source.h"
#include "store/archive_reader.h"
#include "web/url/url.h"

namespace crivello::engine {

// The pages of a collection that this process has open, while it may be crawled.
//
// Thread-safe, since what it rests on is: a Collection's tables and ledgers read a database that locks for
// itself, an ArchiveReader opens files anew for each read, and the counts are kept under a lock of their own.
// The store must outlive it.
class StorePages final : public serve::PageSource {
 public:
  // Counting reads every row.  So counts are kept for that long, and for kCountsKeptTimes as long as counting
  // took: it costs a core a fiftieth of its time at most.
  static constexpr Duration kCountsKept = std::chrono::seconds(2);
  static constexpr int kCountsKeptTimes = 50;

  explicit StorePages(collection::Collection& store, const Clock& clock = SystemClock());

  Result<std::vector<serve::PageVersion>> Versions(std::string_view url) override;
  Result<serve::PageRecord> Record(std::string_view url) override;
  std::vector<bool> Archived(const std::vector<std::string>& urls) override;
  Result<std::vector<collection::Reason>> Why(std::string_view url) override;
  Result<serve::PageCounts> Counts() override CRV_EXCLUDES(mutex_);

 private:
  // A row's place.
  struct Place {
    web::Url url;
    std::string key;
    collection::Tablet* tablet = nullptr;
    uint32_t slot = 0;
  };
  Result<Place> Find(std::string_view url);
  // The newest version with a record.  NotFound if there is none.
  Result<store::Row> ArchivedRow(const Place& place);
  Result<serve::PageCounts> Count();

  collection::Collection& store_;
  const Clock& clock_;
  std::vector<std::unique_ptr<store::ArchiveReader>> archives_;  // by slot
  Mutex mutex_;
  std::optional<serve::PageCounts> counts_ CRV_GUARDED_BY(mutex_);
  MonotonicTime count_again_ CRV_GUARDED_BY(mutex_);
};

}  // namespace crivello::engine
