// SPDX-License-Identifier: Apache-2.0
// Server and RemoteService together, and misbehaving clients.
#include "wire/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/test_support.h"
#include "base/test_waiting.h"
#include "wire/codec.h"
#include "wire/remote_service.h"
#include "wire/replies.h"
#include "wire/unix_socket.h"
#include "wire/wire_test_support.h"

namespace crivello::wire {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr size_t kMuch = 8 << 20;  // far more than the system buffers for a reader

class FakeService final : public EmptyService {
 public:
  using EmptyService::Ask;
  Result<PageVersions> Ask(const GetRequest& request, Listener&) override {
    if (request.url == "none") return Status::NotFound("no row");
    return PageVersions{.url = request.url, .versions = {{.status = 200}}};
  }
  Result<PageRecord> Ask(const RecordRequest& request, Listener&) override {
    return PageRecord{.time = 7, .bytes = std::string(request.raw ? kMuch : 3, 'x')};
  }
  Result<BackupSummary> Ask(const BackupRequest& request, Listener& listener) override {
    listener.Warn("backup.removed", "one was cut off");
    const auto progress = listener.NewProgress();
    progress->Start("copying", 100'000);
    for (int i = 0; i < 100'000; ++i) progress->Advance(1);
    progress->Finish();
    return BackupSummary{.name = request.folder};
  }
};

// Records what it is told.
class NotingListener final : public Listener {
 public:
  void Warn(std::string_view event, const std::string& sentence) override {
    warnings.push_back(std::string(event) + ": " + sentence);
  }
  std::unique_ptr<Progress> NewProgress() override {
    class Noting final : public Progress {
     public:
      explicit Noting(NotingListener& to) : to_(to) {}
      void Start(std::string_view what, uint64_t /*total*/) override { to_.phases.emplace_back(what); }
      void Advance(uint64_t /*units*/) override {}
      void Finish() override {}

     private:
      NotingListener& to_;
    };
    return std::make_unique<Noting>(*this);
  }
  std::vector<std::string> warnings;
  std::vector<std::string> phases;
};

class WireServerTest : public testing::Test {
 protected:
  void Start(const ServerOptions& options = {}) {
    auto opened = Server::Open(path_, service_, options);
    ASSERT_TRUE(opened.ok()) << opened.status().ToString();
    server_ = *std::move(opened);
  }
  std::unique_ptr<RemoteService> Client() {
    auto client = RemoteService::Connect(path_, {});
    EXPECT_TRUE(client.ok()) << client.status().ToString();
    return *std::move(client);
  }
  // A raw connection, to send arbitrary bytes.
  int Socket() { return *ConnectUnixSocket(path_); }
  static void SendBytes(int socket, std::string_view bytes) {
    ASSERT_EQ(send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  static Status Refusal(int socket) {
    Connection connection(socket, {});
    const auto message = connection.Receive(std::chrono::seconds(60));
    if (!message.ok()) return message.status();
    EXPECT_EQ(message->type, static_cast<uint16_t>(MessageType::kError));
    return Decode<ErrorReply>(message->payload)->ToStatus();
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_ / "socket";
  FakeService service_;
  std::unique_ptr<Server> server_;
  SilentListener silent_;
};

TEST_F(WireServerTest, AnswersAsItsServiceDoes) {
  Start();
  const auto client = Client();
  const auto versions = client->Ask(GetRequest{.url = "a"}, silent_);
  ASSERT_TRUE(versions.ok()) << versions.status().ToString();
  EXPECT_EQ(versions->url, "a");
  EXPECT_EQ(client->Ask(GetRequest{.url = "none"}, silent_).status(), Status::NotFound("no row"));
  const auto record = client->Ask(RecordRequest{.raw = true}, silent_);
  ASSERT_TRUE(record.ok()) << record.status().ToString();
  EXPECT_EQ(record->bytes, std::string(kMuch, 'x')) << "in many frames";
  EXPECT_EQ(client->Ask(CountsRequest(), silent_)->pages, 0u);
}

TEST_F(WireServerTest, TellsTheClientHowFarItIs) {
  Start();
  NotingListener listener;
  const auto summary = Client()->Ask(BackupRequest{.folder = "/b"}, listener);
  ASSERT_TRUE(summary.ok()) << summary.status().ToString();
  EXPECT_EQ(summary->name, "/b");
  EXPECT_THAT(listener.warnings, ElementsAre("backup.removed: one was cut off"));
  EXPECT_THAT(listener.phases, ElementsAre("copying"));
}

TEST_F(WireServerTest, IsForItsUserAloneAndGoesWithItsProcess) {
  Start();
  struct stat file = {};
  ASSERT_EQ(stat(path_.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777u, 0600u);
  server_ = nullptr;
  EXPECT_EQ(RemoteService::Connect(path_, {}).status().code(), StatusCode::kNotFound);
}

TEST_F(WireServerTest, AClientFindsAServerThatWasStartedAgain) {
  Start();
  const auto client = Client();
  ASSERT_TRUE(client->Ask(GetRequest{.url = "a"}, silent_).ok());
  server_ = nullptr;
  EXPECT_FALSE(client->Ask(GetRequest{.url = "a"}, silent_).ok());
  Start();
  EXPECT_TRUE(client->Ask(GetRequest{.url = "a"}, silent_).ok());
  server_ = nullptr;
  Start();
  EXPECT_TRUE(client->Ask(GetRequest{.url = "a"}, silent_).ok()) << "the kept connection has ended meanwhile";
}

TEST_F(WireServerTest, RefusesUnknownMessagesAndVersionsByName) {
  Start();
  std::string bytes;
  AppendFrames(static_cast<MessageType>(4711), "x", &bytes);
  int socket = Socket();
  SendBytes(socket, bytes);
  const Status unknown = Refusal(socket);
  EXPECT_EQ(unknown.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(unknown.message(), HasSubstr("4711"));
  EXPECT_THAT(unknown.message(), HasSubstr("version " + std::to_string(kProtocolVersion)));

  bytes.clear();
  AppendFrames(MessageType::kGet, Encode(GetRequest()), &bytes);
  bytes[4] = 9;
  socket = Socket();
  SendBytes(socket, bytes);
  const Status version = Refusal(socket);
  EXPECT_THAT(version.message(), HasSubstr("version 9"));
  EXPECT_THAT(version.message(), HasSubstr("version " + std::to_string(kProtocolVersion)));
}

TEST_F(WireServerTest, RefusesBytesThatAreNotARequestAndAnswersOthers) {
  Start();
  int socket = Socket();
  SendBytes(socket, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(Refusal(socket).code(), StatusCode::kCorruption);
  std::string bytes;
  AppendFrames(MessageType::kGet, "\xff\xff\xff", &bytes);
  socket = Socket();
  SendBytes(socket, bytes);
  EXPECT_EQ(Refusal(socket).code(), StatusCode::kCorruption);
  EXPECT_TRUE(Client()->Ask(GetRequest{.url = "a"}, silent_).ok());
}

TEST_F(WireServerTest, AClientThatDoesNotReadHoldsUpNoOther) {
  Start();
  std::string bytes;
  AppendFrames(MessageType::kRecord, Encode(RecordRequest{.raw = true}), &bytes);
  std::vector<int> sockets;
  for (int i = 0; i < 8; ++i) {
    sockets.push_back(Socket());
    SendBytes(sockets.back(), bytes);
  }
  ASSERT_TRUE(WaitFor([&] { return server_->connections() == 8; }));
  const auto client = Client();
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(client->Ask(GetRequest{.url = "a"}, silent_).ok());
  for (const int socket : sockets) close(socket);
  EXPECT_TRUE(WaitFor([&] { return server_->connections() == 1; })) << "those that are gone are let go";
}

TEST_F(WireServerTest, AClientThatDoesNotReadForTooLongIsLetGo) {
  Start({.send_frame = std::chrono::milliseconds(50)});
  std::string bytes;
  AppendFrames(MessageType::kRecord, Encode(RecordRequest{.raw = true}), &bytes);
  const int socket = Socket();
  SendBytes(socket, bytes);
  // It must have been accepted before.
  char byte = 0;
  ASSERT_EQ(recv(socket, &byte, 1, 0), 1);
  EXPECT_TRUE(WaitFor([&] { return server_->connections() == 0; }));
  close(socket);
}

TEST_F(WireServerTest, AClientThatAsksNothingIsLetGo) {
  Start({.first_request = std::chrono::milliseconds(50)});
  const int socket = Socket();
  char byte = 0;
  EXPECT_EQ(recv(socket, &byte, 1, 0), 0) << "the connection is closed";
  close(socket);
}

TEST_F(WireServerTest, RefusesMoreConnectionsThanItMayHave) {
  Start({.connections = 2});
  const auto first = Client();
  const auto second = Client();
  ASSERT_TRUE(first->Ask(GetRequest{.url = "a"}, silent_).ok());
  ASSERT_TRUE(second->Ask(GetRequest{.url = "a"}, silent_).ok());
  const auto third = Client();
  const Status status = third->Ask(GetRequest{.url = "a"}, silent_).status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("limit"));
  EXPECT_TRUE(first->Ask(GetRequest{.url = "a"}, silent_).ok());
}

TEST_F(WireServerTest, EndsWhileClientsAreConnected) {
  Start();
  const auto idle = Client();
  const int slow = Socket();
  std::string bytes;
  AppendFrames(MessageType::kRecord, Encode(RecordRequest{.raw = true}), &bytes);
  SendBytes(slow, bytes);
  ASSERT_TRUE(WaitFor([&] { return server_->connections() == 2; }));
  server_ = nullptr;  // waits for neither
  close(slow);
}

TEST_F(WireServerTest, ARequestThatIsTooLongIsNotSent) {
  Start();
  const Status status =
      Client()->Ask(GetRequest{.url = std::string(kMaxRequestBytes + 1, 'x')}, silent_).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
}

TEST_F(WireServerTest, ThePathOfASocketMayBeLong) {
  const std::string deep = folder_ / std::string(200, 'x');
  ASSERT_EQ(mkdir(deep.c_str(), 0700), 0);
  const auto server = Server::Open(deep + "/socket", service_);
  ASSERT_TRUE(server.ok()) << server.status().ToString();
  const auto client = RemoteService::Connect(deep + "/socket", {});
  ASSERT_TRUE(client.ok()) << client.status().ToString();
  EXPECT_TRUE((*client)->Ask(GetRequest{.url = "a"}, silent_).ok());
}

}  // namespace
}  // namespace crivello::wire
