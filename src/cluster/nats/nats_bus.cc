// SPDX-License-Identifier: Apache-2.0
#include "cluster/nats/nats_bus.h"

#include <fmt/format.h>
#include <nats/nats.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/atomic_file.h"
#include "base/random.h"
#include "base/wakeup.h"

namespace crivello::cluster {
namespace {

constexpr int64_t kReconnectWaitMilliseconds = 250;
constexpr int64_t kPingMilliseconds = 5000;
constexpr int kMissedPings = 2;
constexpr int kPendingBytes = 64 << 20;  // of a subscription that does not keep up; then messages are lost

// Owns what cnats returns and wants to be destroyed.
template <typename T, void (*Destroy)(T*)>
struct NatsDeleter {
  void operator()(T* object) const { Destroy(object); }
};
template <typename T, void (*Destroy)(T*)>
using NatsOwned = std::unique_ptr<T, NatsDeleter<T, Destroy>>;
using NatsOptionsOwned = NatsOwned<natsOptions, natsOptions_Destroy>;
using NatsConnectionOwned = NatsOwned<natsConnection, natsConnection_Destroy>;
using NatsJetStreamOwned = NatsOwned<jsCtx, jsCtx_Destroy>;
using NatsMessageOwned = NatsOwned<natsMsg, natsMsg_Destroy>;
using NatsAckOwned = NatsOwned<jsPubAck, jsPubAck_Destroy>;
using NatsStreamInfoOwned = NatsOwned<jsStreamInfo, jsStreamInfo_Destroy>;

int64_t Milliseconds(Duration duration) {
  return std::max<int64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count(), 1);
}

std::string Reason(natsStatus status) {
  natsStatus last = NATS_OK;
  const char* const text = nats_GetLastError(&last);
  if (last == status && text != nullptr && *text != 0) return text;
  return natsStatus_GetText(status);
}

Status NatsUnavailable(std::string_view doing, natsStatus status) {
  return Status::Unavailable(fmt::format("NATS: cannot {}: {}", doing, Reason(status)));
}
Status NatsInvalid(std::string_view what, natsStatus status) {
  return Status::InvalidArgument(fmt::format("NATS: invalid {}: {}", what, Reason(status)));
}

bool ValidBucket(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::vector<std::string> SplitUrls(const std::string& urls) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= urls.size();) {
    const size_t comma = std::min(urls.find(',', begin), urls.size());
    if (comma > begin) parts.push_back(urls.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return parts;
}

// Without these cnats writes to standard error.
void OnNatsError(natsConnection*, natsSubscription*, natsStatus, void*) {}
void OnNatsConnection(natsConnection*, void*) {}

class NatsSubscription final : public Bus::Subscription {
 public:
  explicit NatsSubscription(Bus::Handler handler) : handler_(std::move(handler)) {}
  ~NatsSubscription() override {
    if (subscription_ == nullptr) return;
    natsSubscription_Unsubscribe(subscription_);
    ended_.Wait();
    natsSubscription_Destroy(subscription_);
  }
  natsStatus Start(natsConnection* connection, const std::string& subject) {
    natsStatus status =
        natsConnection_Subscribe(&subscription_, connection, subject.c_str(), OnMessage, this);
    if (status != NATS_OK) return status;
    status = natsSubscription_SetPendingLimits(subscription_, -1, kPendingBytes);
    if (status == NATS_OK) status = natsSubscription_SetOnCompleteCB(subscription_, OnComplete, this);
    if (status != NATS_OK) natsSubscription_Destroy(std::exchange(subscription_, nullptr));
    return status;
  }

 private:
  static void OnMessage(natsConnection*, natsSubscription*, natsMsg* message, void* self) {
    const NatsMessageOwned owned(message);
    const char* const reply = natsMsg_GetReply(message);
    static_cast<NatsSubscription*>(self)->handler_(
        {.subject = natsMsg_GetSubject(message),
         .bytes = std::string(natsMsg_GetData(message), static_cast<size_t>(natsMsg_GetDataLength(message))),
         .reply_to = reply == nullptr ? "" : reply});
  }
  static void OnComplete(void* self) { static_cast<NatsSubscription*>(self)->ended_.Notify(); }

  const Bus::Handler handler_;
  natsSubscription* subscription_ = nullptr;
  Wakeup ended_;
};

}  // namespace

std::string WithoutSecrets(const std::string& urls) {
  std::string clean;
  for (std::string url : SplitUrls(urls)) {
    const size_t scheme = url.find("://");
    const size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
    const size_t at = url.rfind('@');
    if (at != std::string::npos && at >= begin) url.erase(begin, at + 1 - begin);
    clean += (clean.empty() ? "" : ",") + url;
  }
  return clean;
}

struct NatsBus::Parts {
  NatsConnectionOwned connection;
  NatsJetStreamOwned jetstream;
  const uint64_t process = RandomSeed();  // makes message identifiers unique
  std::atomic<uint64_t> writes = 0;
};

NatsBus::NatsBus(NatsOptions options) : options_(std::move(options)), parts_(std::make_unique<Parts>()) {}
NatsBus::~NatsBus() {
  if (parts_->connection != nullptr) natsConnection_Close(parts_->connection.get());
}

Result<std::unique_ptr<NatsBus>> NatsBus::Open(NatsOptions options) {
  if (!ValidBucket(options.bucket)) {
    return Status::InvalidArgument(
        fmt::format("invalid name of a bucket '{}': expected letters, digits, '_' and '-'", options.bucket));
  }
  std::unique_ptr<NatsBus> bus(new NatsBus(std::move(options)));
  CRV_TRY(bus->Connect());
  return bus;
}

Status NatsBus::Connect() {
  const std::vector<std::string> urls = SplitUrls(options_.urls);
  if (urls.empty()) {
    return Status::InvalidArgument("no URL of a NATS server; expected nats://HOST:PORT, separated by commas");
  }
  std::vector<const char*> servers;
  bool encrypted = !options_.tls_authority.empty() || !options_.tls_certificate.empty();
  for (const std::string& url : urls) {
    servers.push_back(url.c_str());
    encrypted |= url.starts_with("tls://");
  }
  natsOptions* made = nullptr;
  if (const natsStatus status = natsOptions_Create(&made); status != NATS_OK) {
    return NatsInvalid("installation of cnats", status);
  }
  const NatsOptionsOwned options(made);
  if (const natsStatus status =
          natsOptions_SetServers(made, servers.data(), static_cast<int>(servers.size()));
      status != NATS_OK) {
    return NatsInvalid(fmt::format("URL in '{}'", WithoutSecrets(options_.urls)), status);
  }
  if (!options_.credentials.empty()) {
    // cnats looks into it only when a server asks, and says little then.
    CRV_TRY(ReadFile(options_.credentials).status());
    if (const natsStatus status =
            natsOptions_SetUserCredentialsFromFiles(made, options_.credentials.c_str(), nullptr);
        status != NATS_OK) {
      return NatsInvalid(fmt::format("credentials file '{}'", options_.credentials), status);
    }
  }
  if (encrypted) {
    if (const natsStatus status = natsOptions_SetSecure(made, true); status != NATS_OK) {
      return NatsInvalid("use of TLS", status);
    }
  }
  if (!options_.tls_authority.empty()) {
    if (const natsStatus status = natsOptions_LoadCATrustedCertificates(made, options_.tls_authority.c_str());
        status != NATS_OK) {
      return NatsInvalid(fmt::format("file of trusted certificates '{}'", options_.tls_authority), status);
    }
  }
  if (!options_.tls_certificate.empty()) {
    if (const natsStatus status = natsOptions_LoadCertificatesChain(made, options_.tls_certificate.c_str(),
                                                                    options_.tls_key.c_str());
        status != NATS_OK) {
      return NatsInvalid(
          fmt::format("certificate '{}' or key '{}'", options_.tls_certificate, options_.tls_key), status);
    }
  }
  for (const natsStatus status :
       {natsOptions_SetName(made, options_.name.c_str()), natsOptions_SetSendAsap(made, true),
        natsOptions_SetTimeout(made, Milliseconds(options_.limit)), natsOptions_SetMaxReconnect(made, -1),
        natsOptions_SetReconnectWait(made, kReconnectWaitMilliseconds),
        natsOptions_SetPingInterval(made, kPingMilliseconds), natsOptions_SetMaxPingsOut(made, kMissedPings),
        natsOptions_SetErrorHandler(made, OnNatsError, nullptr),
        natsOptions_SetWriteDeadline(made, Milliseconds(options_.limit)),
        natsOptions_SetRetryOnFailedConnect(made, true, OnNatsConnection, nullptr)}) {
    if (status != NATS_OK) return NatsInvalid("options of the connection", status);
  }
  natsConnection* connection = nullptr;
  const natsStatus connected = natsConnection_Connect(&connection, made);
  parts_->connection.reset(connection);
  // Later, then: cnats keeps trying.
  if (connected != NATS_OK && connected != NATS_NOT_YET_CONNECTED) {
    return NatsInvalid(fmt::format("connection to '{}'", WithoutSecrets(options_.urls)), connected);
  }
  jsOptions settings;
  jsOptions_Init(&settings);
  settings.Wait = Milliseconds(options_.limit);
  jsCtx* jetstream = nullptr;
  if (const natsStatus status = natsConnection_JetStream(&jetstream, connection, &settings);
      status != NATS_OK) {
    return NatsInvalid("JetStream context", status);
  }
  parts_->jetstream.reset(jetstream);
  return Status::Ok();
}

std::string NatsBus::LastError() const {
  const char* text = nullptr;
  natsConnection_GetLastError(parts_->connection.get(), &text);
  return text == nullptr || *text == 0 ? "" : fmt::format(" ({})", text);
}

Status NatsBus::refused() const {
  if (natsConnection_Status(parts_->connection.get()) != NATS_CONN_STATUS_CLOSED) return Status::Ok();
  return Status::InvalidArgument(
      fmt::format("NATS: the servers at {} refused this client{}; check user, password and certificates",
                  WithoutSecrets(options_.urls), LastError()));
}

Status NatsBus::NoConnection() const {
  CRV_TRY(refused());
  return Status::Unavailable(fmt::format(
      "NATS: no connection to {}{}: is a server running there, and are user and certificates right?",
      WithoutSecrets(options_.urls), LastError()));
}

bool NatsBus::connected() const {
  return natsConnection_Status(parts_->connection.get()) == NATS_CONN_STATUS_CONNECTED;
}

// ---- The bucket.

Status NatsBus::MakeBucket() {
  const std::string stream = "KV_" + options_.bucket;
  const std::string subject = fmt::format("$KV.{}.>", options_.bucket);
  const char* subjects[] = {subject.c_str()};
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  config.Name = stream.c_str();
  config.Subjects = subjects;
  config.SubjectsLen = 1;
  config.MaxMsgsPerSubject = 1;
  config.Storage = js_FileStorage;
  config.Discard = js_DiscardNew;
  config.DenyDelete = true;
  config.AllowRollup = true;
  config.Replicas = options_.replicas == 0 ? 3 : options_.replicas;
  for (;;) {
    jsStreamInfo* info = nullptr;
    jsErrCode error = static_cast<jsErrCode>(0);
    const natsStatus status = js_AddStream(&info, parts_->jetstream.get(), &config, nullptr, &error);
    const NatsStreamInfoOwned owned(info);
    if (status == NATS_OK || error == JSStreamNameExistErr) return Status::Ok();
    // A single server says so; one whose peers are away gives another error, and has to wait for them.
    if (error == JSStreamReplicasNotSupportedErr && options_.replicas == 0 && config.Replicas > 1) {
      config.Replicas = 1;
      continue;
    }
    return NatsUnavailable(fmt::format("create the bucket '{}'", options_.bucket), status);
  }
}

Result<std::vector<BusEntry>> NatsBus::ReadAll() {
  if (!connected()) return NoConnection();
  const std::string stream = "KV_" + options_.bucket;
  const std::string prefix = fmt::format("$KV.{}.", options_.bucket);
  const std::string all = prefix + ">";
  const MonotonicTime end = SystemClock().Now() + options_.limit;
  jsOptions options;
  jsOptions_Init(&options);
  const auto has_time = [&] {
    const Duration left = end - SystemClock().Now();
    options.Wait = Milliseconds(left);
    return left > Duration(0);
  };
  const auto list = [&](jsStreamInfo** info) {
    jsErrCode error = static_cast<jsErrCode>(0);
    options.Stream.Info.SubjectsFilter = all.c_str();
    return has_time() ? js_GetStreamInfo(info, parts_->jetstream.get(), stream.c_str(), &options, &error)
                      : NATS_TIMEOUT;
  };

  jsStreamInfo* found = nullptr;
  natsStatus status = list(&found);
  if (status == NATS_NOT_FOUND) {
    if (!options_.make_bucket) {
      return Status::NotFound(
          fmt::format("NATS has no bucket '{}': no agent has run with this --bucket", options_.bucket));
    }
    CRV_TRY(MakeBucket());
    status = list(&found);
  }
  const NatsStreamInfoOwned info(found);
  if (status != NATS_OK) return NatsUnavailable("list the keys of the bucket", status);

  std::vector<BusEntry> entries;
  const jsStreamStateSubjects* const subjects = info->State.Subjects;
  options.Stream.Info.SubjectsFilter = nullptr;
  for (int i = 0; subjects != nullptr && i < subjects->Count; i++) {
    const std::string subject = subjects->List[i].Subject;
    if (!subject.starts_with(prefix)) continue;
    natsMsg* next = nullptr;
    jsErrCode error = static_cast<jsErrCode>(0);
    status = has_time() ? js_GetLastMsg(&next, parts_->jetstream.get(), stream.c_str(), subject.c_str(),
                                        &options, &error)
                        : NATS_TIMEOUT;
    const NatsMessageOwned message(next);
    if (status == NATS_NOT_FOUND) continue;  // removed meanwhile
    if (status != NATS_OK) return NatsUnavailable(fmt::format("read '{}'", subject), status);
    const char* operation = nullptr;  // only the mark of a removal has one
    if (natsMsgHeader_Get(next, "KV-Operation", &operation) == NATS_OK) continue;
    entries.push_back(
        {.key = subject.substr(prefix.size()),
         .value = std::string(natsMsg_GetData(next), static_cast<size_t>(natsMsg_GetDataLength(next))),
         .revision = natsMsg_GetSequence(next)});
  }
  return entries;
}

Result<NatsBus::Replicas> NatsBus::BucketReplicas() {
  if (!connected()) return NoConnection();
  jsStreamInfo* found = nullptr;
  jsErrCode error = static_cast<jsErrCode>(0);
  const natsStatus status =
      js_GetStreamInfo(&found, parts_->jetstream.get(), ("KV_" + options_.bucket).c_str(), nullptr, &error);
  const NatsStreamInfoOwned info(found);
  if (status != NATS_OK) return NatsUnavailable("ask for the state of the bucket", status);
  Replicas replicas;
  for (int i = 0; info->Cluster != nullptr && i < info->Cluster->ReplicasLen; i++) {
    const jsPeerInfo* const peer = info->Cluster->Replicas[i];
    replicas.servers++;
    if (peer->Current && !peer->Offline) replicas.current++;
  }
  return replicas;
}

UpdateReply NatsBus::Write(const std::string& key, std::string_view value, const uint64_t* revision) {
  // cnats would keep it and send it when the server is back, when nobody wants it any more.
  if (!connected()) return {.outcome = UpdateOutcome::kUnknown, .error = NoConnection().message()};
  const std::string subject = fmt::format("$KV.{}.{}", options_.bucket, key);
  const std::string id =
      fmt::format("{:016x}-{}", parts_->process, parts_->writes.fetch_add(1, std::memory_order_relaxed));
  jsPubOptions options;
  jsPubOptions_Init(&options);
  options.MaxWait = Milliseconds(options_.limit);
  options.MsgId = id.c_str();
  if (revision != nullptr) {
    options.ExpectLastSubjectSeq = *revision;
    options.ExpectNoMessage = *revision == 0;
  }
  jsPubAck* acknowledged = nullptr;
  jsErrCode error = static_cast<jsErrCode>(0);
  const natsStatus status = js_Publish(&acknowledged, parts_->jetstream.get(), subject.c_str(), value.data(),
                                       static_cast<int>(value.size()), &options, &error);
  const NatsAckOwned owned(acknowledged);
  if (status == NATS_OK) return {.outcome = UpdateOutcome::kDone, .revision = acknowledged->Sequence};
  if (error == JSStreamWrongLastSequenceErr) return {.outcome = UpdateOutcome::kConflict};
  return {.outcome = UpdateOutcome::kUnknown,
          .error = NatsUnavailable(fmt::format("write '{}'", key), status).message()};
}

Result<uint64_t> NatsBus::Put(const std::string& key, std::string_view value) {
  const UpdateReply reply = Write(key, value, nullptr);
  if (reply.outcome == UpdateOutcome::kDone) return reply.revision;
  return Status::Unavailable(reply.error);
}

UpdateReply NatsBus::Update(const std::string& key, std::string_view value, uint64_t revision) {
  return Write(key, value, &revision);
}

// ---- Messages.

Status NatsBus::Publish(const std::string& subject, std::string_view bytes) {
  const natsStatus status = natsConnection_Publish(parts_->connection.get(), subject.c_str(), bytes.data(),
                                                   static_cast<int>(bytes.size()));
  return status == NATS_OK ? Status::Ok() : NatsUnavailable(fmt::format("publish to '{}'", subject), status);
}

Result<std::unique_ptr<Bus::Subscription>> NatsBus::Subscribe(const std::string& subject, Handler handler) {
  auto subscription = std::make_unique<NatsSubscription>(std::move(handler));
  const natsStatus status = subscription->Start(parts_->connection.get(), subject);
  if (status == NATS_CONNECTION_CLOSED) return NoConnection();
  if (status != NATS_OK) return NatsUnavailable(fmt::format("subscribe to '{}'", subject), status);
  return std::unique_ptr<Subscription>(std::move(subscription));
}

Result<std::string> NatsBus::Request(const std::string& subject, std::string_view bytes, Duration limit) {
  natsMsg* reply = nullptr;
  const natsStatus status =
      natsConnection_Request(&reply, parts_->connection.get(), subject.c_str(), bytes.data(),
                             static_cast<int>(bytes.size()), Milliseconds(limit));
  const NatsMessageOwned owned(reply);
  if (status != NATS_OK) return NatsUnavailable(fmt::format("get an answer from '{}'", subject), status);
  return std::string(natsMsg_GetData(reply), static_cast<size_t>(natsMsg_GetDataLength(reply)));
}

}  // namespace crivello::cluster
