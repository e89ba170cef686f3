// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "wire/connection.h"
#include "wire/service.h"

namespace crivello::wire {

struct RemoteServiceOptions {
  // How long to wait for the next message of an answer; zero: without limit.  A request that takes longer is
  // Unavailable.
  Duration patience = Duration::zero();
};

// Sends requests to the process that has a collection open, over its socket.  Keeps the connection between
// requests, and reconnects if it ended in between, because the other process may have been restarted.
// Errors are those of the other process; Unavailable if it ends in the middle of an answer or no longer
// listens.
//
// Thread-safe; requests of several threads run one after another.
class RemoteService final : public CollectionService {
 public:
  // Connects at once.  NotFound if no process listens.
  static Result<std::unique_ptr<RemoteService>> Connect(std::string path,
                                                        const RemoteServiceOptions& options);

  Result<PageVersions> Ask(const GetRequest& request, Listener& listener) override;
  Result<PageRecord> Ask(const RecordRequest& request, Listener& listener) override;
  Result<ArchivedPages> Ask(const ArchivedRequest& request, Listener& listener) override;
  Result<ScannedPages> Ask(const ScanRequest& request, Listener& listener) override;
  Result<ExportedPages> Ask(const ExportRequest& request, Listener& listener) override;
  Result<Reasons> Ask(const WhyRequest& request, Listener& listener) override;
  Result<HostReports> Ask(const HostReportsRequest& request, Listener& listener) override;
  Result<SeedReports> Ask(const SeedReportsRequest& request, Listener& listener) override;
  Result<CollectionStats> Ask(const CountsRequest& request, Listener& listener) override;
  Result<Queues> Ask(const QueuesRequest& request, Listener& listener) override;
  Result<Survey> Ask(const SurveyRequest& request, Listener& listener) override;
  Result<NextVisit> Ask(const ScheduleRequest& request, Listener& listener) override;
  Result<ScheduleSummary> Ask(const ScheduleSummaryRequest& request, Listener& listener) override;
  Result<ForgottenTargets> Ask(const ForgottenRequest& request, Listener& listener) override;
  Result<ForgetPreview> Ask(const ForgetPreviewRequest& request, Listener& listener) override;
  Result<ForgetSummary> Ask(const ForgetRequest& request, Listener& listener) override;
  Result<ForgetSummary> Ask(const FinishForgettingRequest& request, Listener& listener) override;
  Result<BackupSummary> Ask(const BackupRequest& request, Listener& listener) override;
  Result<CheckSummary> Ask(const CheckRequest& request, Listener& listener) override;
  Result<ImportSummary> Ask(const ImportRequest& request, Listener& listener) override;
  Result<Released> Ask(const ReleaseRequest& request, Listener& listener) override;
  Result<Obeyed> Ask(const OrderRequest& request, Listener& listener) override;
  Result<ListedFeeds> Ask(const ListFeedsRequest& request, Listener& listener) override;
  Result<ChangedFeeds> Ask(const ChangeFeedsRequest& request, Listener& listener) override;
  Result<GraphBuildSummary> Ask(const GraphBuildRequest& request, Listener& listener) override;

 private:
  RemoteService(std::string path, const RemoteServiceOptions& options)
      : path_(std::move(path)), options_(options) {}

  Status ConnectLocked() CRV_REQUIRES(mu_);
  template <typename Request>
  Result<typename Request::Answer> Exchange(const Request& request, Listener& listener) CRV_EXCLUDES(mu_);
  // The payload of the answer to a request that was sent; passes what comes before it to the listener.
  // `begun` becomes true with its first message.
  Result<std::string> Await(Listener& listener, bool* begun) CRV_REQUIRES(mu_);

  const std::string path_;
  const RemoteServiceOptions options_;
  Mutex mu_;
  std::unique_ptr<Connection> connection_ CRV_GUARDED_BY(mu_);  // null: the last one has failed
};

}  // namespace crivello::wire
