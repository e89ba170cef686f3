// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "care/index_keeper.h"
#include "collection/collection.h"
#include "serve/dashboard/crawl_control.h"
#include "store/archive_reader.h"
#include "web/url/url.h"
#include "wire/service.h"

namespace crivello::engine {

// Answers questions about a collection that this process has open, and works on it, even during a crawl.
//
// Thread-safe because its parts are: a Collection's tables and ledgers read a database with its own locks,
// and an ArchiveReader opens files again for each read.  It keeps no state between two calls.
class LocalService final : public wire::CollectionService {
 public:
  // The store must outlive this, and so must `index`, which rebuilds the index when pages are forgotten.
  // `release` closes the collection soon, for another process that writes; empty: this process writes.
  LocalService(collection::Collection& store, care::IndexKeeper& index, std::function<void()> release = {});

  Result<wire::PageVersions> Ask(const wire::GetRequest& request, Listener& listener) override;
  Result<wire::PageRecord> Ask(const wire::RecordRequest& request, Listener& listener) override;
  Result<wire::ArchivedPages> Ask(const wire::ArchivedRequest& request, Listener& listener) override;
  Result<wire::ScannedPages> Ask(const wire::ScanRequest& request, Listener& listener) override;
  Result<wire::ExportedPages> Ask(const wire::ExportRequest& request, Listener& listener) override;

  Result<wire::Reasons> Ask(const wire::WhyRequest& request, Listener& listener) override;
  Result<wire::HostReports> Ask(const wire::HostReportsRequest& request, Listener& listener) override;
  Result<wire::SeedReports> Ask(const wire::SeedReportsRequest& request, Listener& listener) override;
  Result<wire::CollectionStats> Ask(const wire::CountsRequest& request, Listener& listener) override;
  Result<wire::Queues> Ask(const wire::QueuesRequest& request, Listener& listener) override;
  Result<wire::Survey> Ask(const wire::SurveyRequest& request, Listener& listener) override;
  Result<wire::NextVisit> Ask(const wire::ScheduleRequest& request, Listener& listener) override;
  Result<wire::ScheduleSummary> Ask(const wire::ScheduleSummaryRequest& request, Listener& listener) override;

  Result<wire::ForgottenTargets> Ask(const wire::ForgottenRequest& request, Listener& listener) override;
  Result<wire::ForgetPreview> Ask(const wire::ForgetPreviewRequest& request, Listener& listener) override;
  Result<wire::ForgetSummary> Ask(const wire::ForgetRequest& request, Listener& listener) override;
  Result<wire::ForgetSummary> Ask(const wire::FinishForgettingRequest& request, Listener& listener) override;
  Result<wire::BackupSummary> Ask(const wire::BackupRequest& request, Listener& listener) override;
  Result<wire::CheckSummary> Ask(const wire::CheckRequest& request, Listener& listener) override;
  // InvalidArgument if the collection was opened without its archives.
  Result<wire::ImportSummary> Ask(const wire::ImportRequest& request, Listener& listener) override
      CRV_EXCLUDES(import_mu_);
  Result<wire::Released> Ask(const wire::ReleaseRequest& request, Listener& listener) override;
  // InvalidArgument if the collection was opened for reading only.
  Result<wire::GraphBuildSummary> Ask(const wire::GraphBuildRequest& request, Listener& listener) override;
  // InvalidArgument if this process does not crawl.
  Result<wire::Obeyed> Ask(const wire::OrderRequest& request, Listener& listener) override;

  Result<wire::ListedFeeds> Ask(const wire::ListFeedsRequest& request, Listener& listener) override;
  // InvalidArgument if the collection was opened for reading only.
  Result<wire::ChangedFeeds> Ask(const wire::ChangeFeedsRequest& request, Listener& listener) override;

  // From now on, commands go to this crawl, which must outlive the calls.
  void SetCrawl(serve::CrawlControl* crawl) { crawl_ = crawl; }

 private:
  // Where a row is.
  struct Place {
    web::Url url;
    std::string key;
    collection::Tablet* tablet = nullptr;
    uint32_t slot = 0;
  };
  Result<Place> Find(std::string_view url);
  // Has these URLs visited now, if there is a crawl.
  Status VisitNow(const std::vector<std::string>& urls);
  // Whether the row is a near-duplicate that another, searchable page represents.
  Result<bool> AnotherPageStandsFor(std::string_view row_key, const store::FetchCell& cell);
  // A searchable row, in the form that ExportRequest returns.
  Result<wire::ExportedPage> ExportedRow(const store::RowCursor& row, const store::FetchCell& cell,
                                         const wire::ExportRequest& request);
  // The newest version that has a record and is not later than `at`.
  // NotFound if there is none.
  Result<store::Row> ArchivedRow(const Place& place, store::VersionTime at = INT64_MAX);

  collection::Collection& store_;
  care::IndexKeeper& index_;
  const std::function<void()> release_;
  std::vector<std::unique_ptr<store::ArchiveReader>> archives_;  // by slot
  std::atomic<serve::CrawlControl*> crawl_ = nullptr;
  Mutex import_mu_;  // one import at a time
};

// Reads everything in an open collection and reports what is damaged: files, databases, indexes.  Stops
// early, with Unavailable, if the listener is gone.
Result<wire::CheckSummary> CheckOpened(collection::Collection& store, Listener& listener);
// The same for a collection that no process has open.  First checks for what opening it would repair.  If it
// is too damaged to be opened, checks as much as possible.
Result<wire::CheckSummary> CheckUnopened(const std::string& directory, Listener& listener);

}  // namespace crivello::engine
