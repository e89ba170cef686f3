// SPDX-License-Identifier: Apache-2.0
#include "wire/server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/mutex.h"
#include "wire/codec.h"
#include "wire/replies.h"
#include "wire/unix_socket.h"

namespace crivello::wire {
namespace {

constexpr Duration kProgressEvery = std::chrono::milliseconds(100);

template <typename Reply>
void TryReply(Connection& connection, const Reply& reply) {
  connection.TrySend(Reply::kType, Encode(reply));
}

Status SendError(Connection& connection, const Status& error) {
  return connection.Send(MessageType::kError, Encode(ErrorReply::Of(error)));
}

// Reports the progress of a request to its client.  Never waits for it, because the work may hold locks.
class ProgressSender final : public Progress {
 public:
  explicit ProgressSender(Connection& connection) : connection_(connection) {}
  ~ProgressSender() override { Finish(); }

  void Start(std::string_view what, uint64_t total) override {
    MutexLock lock(mu_);
    units_ = 0;
    going_ = true;
    TryReply(connection_, ProgressReply{ProgressReply::Call::kStart, std::string(what), total});
  }
  void Advance(uint64_t units) override {
    MutexLock lock(mu_);
    units_ += units;
    const MonotonicTime now = SystemClock().Now();
    if (now - sent_ < kProgressEvery) return;
    sent_ = now;
    TryReply(connection_, ProgressReply{ProgressReply::Call::kAdvance, {}, std::exchange(units_, 0)});
  }
  void Finish() override {
    MutexLock lock(mu_);
    if (!std::exchange(going_, false)) return;
    TryReply(connection_, ProgressReply{.call = ProgressReply::Call::kFinish});
  }

 private:
  Connection& connection_;
  Mutex mu_;
  bool going_ CRV_GUARDED_BY(mu_) = false;
  uint64_t units_ CRV_GUARDED_BY(mu_) = 0;
  MonotonicTime sent_ CRV_GUARDED_BY(mu_){};
};

class ClientListener final : public Listener {
 public:
  explicit ClientListener(Connection& connection) : connection_(connection) {}
  void Warn(std::string_view event, const std::string& sentence) override {
    TryReply(connection_, WarningReply{std::string(event), sentence});
  }
  std::unique_ptr<Progress> NewProgress() override { return std::make_unique<ProgressSender>(connection_); }
  bool Gone() const override { return connection_.PeerGone(); }

 private:
  Connection& connection_;
};

template <typename Request>
Status AnswerOne(std::string_view payload, Connection& connection, CollectionService& service) {
  const Result<Request> request = Decode<Request>(payload);
  if (!request.ok()) return SendError(connection, request.status());
  std::string answer;
  {
    ClientListener listener(connection);
    const auto result = service.Ask(*request, listener);
    if (!result.ok()) return SendError(connection, result.status());
    answer = Encode(*result);
  }
  if (answer.size() > kMaxAnswerBytes) {
    return SendError(connection,
                     Status::InvalidArgument(fmt::format(
                         "the answer to '{}' has {} bytes, and at most {} can be sent: ask for less",
                         Request::kName, answer.size(), kMaxAnswerBytes)));
  }
  return connection.Send(MessageType::kAnswer, answer);
}

template <typename... Requests>
Status AnswerMessage(const Message& message, Connection& connection, CollectionService& service,
                     RequestList<Requests...>) {
  Status status;
  const bool known = (... || (message.type == static_cast<uint16_t>(Requests::kType) &&
                              (status = AnswerOne<Requests>(message.payload, connection, service), true)));
  if (known) return status;
  return SendError(
      connection,
      Status::InvalidArgument(fmt::format(
          "unknown message {}: version {} of the protocol, which this process speaks, has no such "
          "request",
          message.type, kProtocolVersion)));
}

}  // namespace

void ServeConnection(Connection& connection, CollectionService& service, const ServerOptions& options) {
  for (Duration idle = options.first_request;; idle = options.idle) {
    const Result<Message> message = connection.Receive(idle);
    if (!message.ok()) {
      // Bytes that are not messages get an answer too; a client that is gone does not notice.
      if (message.status().code() != StatusCode::kUnavailable) {
        SendError(connection, message.status()).IgnoreError();
      }
      return;
    }
    if (message->version != kProtocolVersion) {
      SendError(connection, Status::InvalidArgument(fmt::format(
                                "message {} of protocol version {} is refused: the process that has the "
                                "collection open speaks version {}",
                                message->type, message->version, kProtocolVersion)))
          .IgnoreError();
      return;
    }
    if (!AnswerMessage(*message, connection, service, AllRequests()).ok()) return;
  }
}

Result<std::unique_ptr<Server>> Server::Open(std::string path, CollectionService& service,
                                             const ServerOptions& options) {
  CRV_ASSIGN(const int listener, ListenOnUnixSocket(path));
  return std::unique_ptr<Server>(new Server(std::move(path), service, options, listener));
}

Server::Server(std::string path, CollectionService& service, const ServerOptions& options, int listener)
    : path_(std::move(path)),
      service_(service),
      options_(options),
      listener_(listener),
      wake_(eventfd(0, EFD_CLOEXEC)) {
  thread_ = std::thread([this] { Accept(); });
}

Server::~Server() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
  thread_.join();
  close(listener_);
  unlink(path_.c_str());
  for (Client& client : clients_) client.connection->Close();
  for (Client& client : clients_) client.thread.join();
  close(wake_);
}

void Server::Accept() {
  while (true) {
    std::array<pollfd, 2> polled = {pollfd{listener_, POLLIN, 0}, pollfd{wake_, POLLIN, 0}};
    if (poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) return;
    if (polled[1].revents != 0) return;
    if (polled[0].revents == 0) continue;
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket >= 0) {
      Admit(socket);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      // Trying again at once is useless; meanwhile the destructor can still interrupt.
      poll(&polled[1], 1, 50);
    }
  }
}

void Server::Admit(int socket) {
  JoinEnded();
  auto connection =
      std::make_unique<Connection>(socket, Connection::Limits{.message_bytes = kMaxRequestBytes,
                                                              .send_frame = options_.send_frame,
                                                              .receive_message = options_.request});
  if (open_ >= options_.connections) {
    TryReply(*connection, ErrorReply::Of(Status::Unavailable(fmt::format(
                              "the process that has the collection open already answers {} others, which is "
                              "its limit: try again later",
                              options_.connections))));
    return;
  }
  ++open_;
  Client& client = clients_.emplace_back();
  client.connection = std::move(connection);
  client.thread = std::thread([this, &client] {
    ServeConnection(*client.connection, service_, options_);
    client.connection->Close();
    --open_;
    client.ended = true;
  });
}

void Server::JoinEnded() {
  clients_.remove_if([](Client& client) {
    if (!client.ended) return false;
    client.thread.join();
    return true;
  });
}

}  // namespace crivello::wire
