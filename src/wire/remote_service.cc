// SPDX-License-Identifier: Apache-2.0
#include "wire/remote_service.h"

#include <fmt/format.h>

#include <utility>

#include "wire/codec.h"
#include "wire/replies.h"

namespace crivello::wire {
namespace {

// Applies progress messages to a Progress of this process.
class ProgressReplay {
 public:
  explicit ProgressReplay(Listener& listener) : listener_(listener) {}
  void Take(const ProgressReply& reply) {
    if (progress_ == nullptr) progress_ = listener_.NewProgress();
    switch (reply.call) {
      case ProgressReply::Call::kStart:
        return progress_->Start(reply.what, reply.units);
      case ProgressReply::Call::kAdvance:
        return progress_->Advance(reply.units);
      case ProgressReply::Call::kFinish:
        return progress_->Finish();
    }
  }

 private:
  Listener& listener_;
  std::unique_ptr<Progress> progress_;
};

}  // namespace

Result<std::unique_ptr<RemoteService>> RemoteService::Connect(std::string path,
                                                              const RemoteServiceOptions& options) {
  std::unique_ptr<RemoteService> service(new RemoteService(std::move(path), options));
  MutexLock lock(service->mu_);
  CRV_TRY(service->ConnectLocked());
  return service;
}

Status RemoteService::ConnectLocked() {
  CRV_ASSIGN(connection_, Connection::Connect(path_, {.message_bytes = kMaxAnswerBytes}));
  return Status::Ok();
}

Result<std::string> RemoteService::Await(Listener& listener, bool* begun) {
  ProgressReplay progress(listener);
  while (true) {
    CRV_ASSIGN(Message message, connection_->Receive(options_.patience));
    *begun = true;
    if (message.version != kProtocolVersion) {
      return Status::InvalidArgument(
          fmt::format("{}: the process that has the collection open speaks version {} of the protocol, this "
                      "program speaks version {}: use the same version of crivello for both",
                      path_, message.version, kProtocolVersion));
    }
    switch (static_cast<MessageType>(message.type)) {
      case MessageType::kAnswer:
        return std::move(message.payload);
      case MessageType::kError: {
        CRV_ASSIGN(const ErrorReply error, Decode<ErrorReply>(message.payload));
        return error.ToStatus();
      }
      case MessageType::kProgress: {
        CRV_ASSIGN(const ProgressReply reply, Decode<ProgressReply>(message.payload));
        progress.Take(reply);
        break;
      }
      case MessageType::kWarning: {
        CRV_ASSIGN(const WarningReply warning, Decode<WarningReply>(message.payload));
        listener.Warn(warning.event, warning.sentence);
        break;
      }
      default:
        return Status::Corruption(
            fmt::format("{}: received message {} instead of an answer (protocol version {})", path_,
                        message.type, kProtocolVersion));
    }
  }
}

template <typename Request>
Result<typename Request::Answer> RemoteService::Exchange(const Request& request, Listener& listener) {
  const std::string payload = Encode(request);
  if (payload.size() > kMaxRequestBytes) {
    return Status::InvalidArgument(fmt::format(
        "a request '{}' of {} bytes is too long for the process that has the collection open: at most {} "
        "bytes are allowed",
        Request::kName, payload.size(), kMaxRequestBytes));
  }
  MutexLock lock(mu_);
  bool kept = connection_ != nullptr;  // from an earlier request: it may have ended since
  while (true) {
    if (connection_ == nullptr) {
      const Status connected = ConnectLocked();
      if (!connected.ok()) return Status::Unavailable(connected.message());
    }
    bool begun = false;
    Status sent = connection_->Send(Request::kType, payload);
    // The other side may have sent the reason why it accepts nothing.
    Result<std::string> answer = Await(listener, &begun);
    if (answer.ok()) {
      auto decoded = Decode<typename Request::Answer>(*answer);
      if (!decoded.ok()) connection_ = nullptr;
      return decoded;
    }
    const bool over = answer.status().code() == StatusCode::kUnavailable && !begun;
    if (!sent.ok() || over || connection_->PeerGone()) connection_ = nullptr;
    if (!over) return std::move(answer).status();
    if (!kept || !(Request::kRepeatable || !sent.ok())) return std::move(answer).status();
    kept = false;
  }
}

Result<PageVersions> RemoteService::Ask(const GetRequest& r, Listener& l) { return Exchange(r, l); }
Result<PageRecord> RemoteService::Ask(const RecordRequest& r, Listener& l) { return Exchange(r, l); }
Result<ArchivedPages> RemoteService::Ask(const ArchivedRequest& r, Listener& l) { return Exchange(r, l); }
Result<ScannedPages> RemoteService::Ask(const ScanRequest& r, Listener& l) { return Exchange(r, l); }
Result<ExportedPages> RemoteService::Ask(const ExportRequest& r, Listener& l) { return Exchange(r, l); }
Result<Reasons> RemoteService::Ask(const WhyRequest& r, Listener& l) { return Exchange(r, l); }
Result<HostReports> RemoteService::Ask(const HostReportsRequest& r, Listener& l) { return Exchange(r, l); }
Result<SeedReports> RemoteService::Ask(const SeedReportsRequest& r, Listener& l) { return Exchange(r, l); }
Result<CollectionStats> RemoteService::Ask(const CountsRequest& r, Listener& l) { return Exchange(r, l); }
Result<Queues> RemoteService::Ask(const QueuesRequest& r, Listener& l) { return Exchange(r, l); }
Result<Survey> RemoteService::Ask(const SurveyRequest& r, Listener& l) { return Exchange(r, l); }
Result<NextVisit> RemoteService::Ask(const ScheduleRequest& r, Listener& l) { return Exchange(r, l); }
Result<ScheduleSummary> RemoteService::Ask(const ScheduleSummaryRequest& r, Listener& l) {
  return Exchange(r, l);
}
Result<ForgottenTargets> RemoteService::Ask(const ForgottenRequest& r, Listener& l) { return Exchange(r, l); }
Result<ForgetPreview> RemoteService::Ask(const ForgetPreviewRequest& r, Listener& l) {
  return Exchange(r, l);
}
Result<ForgetSummary> RemoteService::Ask(const ForgetRequest& r, Listener& l) { return Exchange(r, l); }
Result<ForgetSummary> RemoteService::Ask(const FinishForgettingRequest& r, Listener& l) {
  return Exchange(r, l);
}
Result<BackupSummary> RemoteService::Ask(const BackupRequest& r, Listener& l) { return Exchange(r, l); }
Result<CheckSummary> RemoteService::Ask(const CheckRequest& r, Listener& l) { return Exchange(r, l); }
Result<ImportSummary> RemoteService::Ask(const ImportRequest& r, Listener& l) { return Exchange(r, l); }
Result<Released> RemoteService::Ask(const ReleaseRequest& r, Listener& l) { return Exchange(r, l); }
Result<ListedFeeds> RemoteService::Ask(const ListFeedsRequest& r, Listener& l) { return Exchange(r, l); }
Result<ChangedFeeds> RemoteService::Ask(const ChangeFeedsRequest& r, Listener& l) { return Exchange(r, l); }
Result<Obeyed> RemoteService::Ask(const OrderRequest& r, Listener& l) { return Exchange(r, l); }
Result<GraphBuildSummary> RemoteService::Ask(const GraphBuildRequest& r, Listener& l) {
  return Exchange(r, l);
}

}  // namespace crivello::wire
