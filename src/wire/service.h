// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/status.h"
#include "wire/care.h"
#include "wire/export.h"
#include "wire/feeds.h"
#include "wire/orders.h"
#include "wire/questions.h"
#include "wire/rows.h"

namespace crivello::wire {

template <typename... Requests>
struct RequestList {};

// All requests.  Server, tests and fuzzers iterate over this list.
using AllRequests =
    RequestList<GetRequest, RecordRequest, ArchivedRequest, ScanRequest, WhyRequest, HostReportsRequest,
                SeedReportsRequest, CountsRequest, QueuesRequest, SurveyRequest, ForgottenRequest,
                ForgetPreviewRequest, ForgetRequest, FinishForgettingRequest, BackupRequest, CheckRequest,
                ImportRequest, ReleaseRequest, OrderRequest, ExportRequest, GraphBuildRequest,
                ScheduleRequest, ScheduleSummaryRequest, ListFeedsRequest, ChangeFeedsRequest>;

// What a process that has a collection open does for others.  engine/local_service.h implements it in this
// process; remote_service.h asks the process that has the collection open, whose Server (server.h) calls its
// own local service.  So callers use one interface, wherever the collection is open.
//
// A call returns when everything is done; its progress goes to the listener.  Thread-safe.
class CollectionService {
 public:
  virtual ~CollectionService() = default;

  virtual Result<PageVersions> Ask(const GetRequest& request, Listener& listener) = 0;
  virtual Result<PageRecord> Ask(const RecordRequest& request, Listener& listener) = 0;
  virtual Result<ArchivedPages> Ask(const ArchivedRequest& request, Listener& listener) = 0;
  virtual Result<ScannedPages> Ask(const ScanRequest& request, Listener& listener) = 0;
  virtual Result<ExportedPages> Ask(const ExportRequest& request, Listener& listener) = 0;

  virtual Result<Reasons> Ask(const WhyRequest& request, Listener& listener) = 0;
  virtual Result<HostReports> Ask(const HostReportsRequest& request, Listener& listener) = 0;
  virtual Result<SeedReports> Ask(const SeedReportsRequest& request, Listener& listener) = 0;
  virtual Result<CollectionStats> Ask(const CountsRequest& request, Listener& listener) = 0;
  virtual Result<Queues> Ask(const QueuesRequest& request, Listener& listener) = 0;
  virtual Result<Survey> Ask(const SurveyRequest& request, Listener& listener) = 0;
  virtual Result<NextVisit> Ask(const ScheduleRequest& request, Listener& listener) = 0;
  virtual Result<ScheduleSummary> Ask(const ScheduleSummaryRequest& request, Listener& listener) = 0;

  virtual Result<ForgottenTargets> Ask(const ForgottenRequest& request, Listener& listener) = 0;
  virtual Result<ForgetPreview> Ask(const ForgetPreviewRequest& request, Listener& listener) = 0;
  virtual Result<ForgetSummary> Ask(const ForgetRequest& request, Listener& listener) = 0;
  virtual Result<ForgetSummary> Ask(const FinishForgettingRequest& request, Listener& listener) = 0;
  virtual Result<BackupSummary> Ask(const BackupRequest& request, Listener& listener) = 0;
  virtual Result<CheckSummary> Ask(const CheckRequest& request, Listener& listener) = 0;
  virtual Result<ImportSummary> Ask(const ImportRequest& request, Listener& listener) = 0;
  virtual Result<Released> Ask(const ReleaseRequest& request, Listener& listener) = 0;
  virtual Result<Obeyed> Ask(const OrderRequest& request, Listener& listener) = 0;
  virtual Result<ListedFeeds> Ask(const ListFeedsRequest& request, Listener& listener) = 0;
  virtual Result<ChangedFeeds> Ask(const ChangeFeedsRequest& request, Listener& listener) = 0;
  virtual Result<GraphBuildSummary> Ask(const GraphBuildRequest& request, Listener& listener) = 0;
};

}  // namespace crivello::wire
