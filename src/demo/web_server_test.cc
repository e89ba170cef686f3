// SPDX-License-Identifier: Apache-2.0
#include "demo/web_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <thread>

#include "demo/census.h"
#include "demo/listeners.h"
#include "web/http/http_headers.h"
#include "web/http/http_message.h"
#include "web/url/url.h"

namespace crivello::demo {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A blocking client.
class Client {
 public:
  Client(const std::string& address, uint16_t port)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in name = {};
    name.sin_family = AF_INET;
    name.sin_port = htons(port);
    EXPECT_EQ(::inet_pton(AF_INET, address.c_str(), &name.sin_addr), 1);
    connected_ = ::connect(socket_.get(), reinterpret_cast<sockaddr*>(&name), sizeof(name)) == 0;
    const timeval patience = {.tv_sec = 20, .tv_usec = 0};
    EXPECT_EQ(::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
  }

  bool connected() const { return connected_; }
  void Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
  }
  void SendGet(const std::string& host, const std::string& target) {
    Send("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  }
  // The next response, by its Content-Length.
  std::string Receive() {
    for (;;) {
      const auto response = web::ParseHttpResponse(unread_);
      const size_t whole = response.head_bytes + web::FindContentLength(response.fields).value_or(0);
      if (response.complete_head && unread_.size() >= whole) {
        const std::string taken = unread_.substr(0, whole);
        unread_.erase(0, whole);
        return taken;
      }
      if (!ReadMore()) return "";
    }
  }
  // Everything up to the end of the connection.
  std::string ReceiveAll() {
    while (ReadMore()) {
    }
    return unread_;
  }

 private:
  bool ReadMore() {
    char buffer[65536];
    const ssize_t got = ::recv(socket_.get(), buffer, sizeof(buffer), 0);
    if (got > 0) unread_.append(buffer, static_cast<size_t>(got));
    return got > 0;
  }

  Fd socket_;
  bool connected_ = false;
  std::string unread_;
};

std::string AddressOf(std::string_view host) {
  for (const HostAddress& known : BuiltInWeb::hosts()) {
    if (known.name == host) return known.address;
  }
  return "";
}

class WebServerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto server = WebServer::Start();
    ASSERT_TRUE(server.ok()) << server.status().ToString();
    server_ = std::move(server).value();
  }
  std::unique_ptr<WebServer> server_;
};

TEST_F(WebServerTest, ServesEveryReachablePageAsTheWebHasIt) {
  std::map<std::string, std::unique_ptr<Client>> clients;  // one kept-alive connection per host
  for (const std::string& page : ReachablePages(server_->web())) {
    web::Url url;
    ASSERT_TRUE(url.Parse(page));
    ASSERT_EQ(url.effective_port(), server_->port());
    const std::string host(url.hostname());
    auto& client = clients[host];
    if (!client) client = std::make_unique<Client>(AddressOf(host), server_->port());
    client->SendGet(host, std::string(url.path_and_query()));
    std::string response = client->Receive();
    if (response.starts_with("HTTP/1.1 503 ")) {
      EXPECT_TRUE(BuiltInWeb::IsBusyAtFirst(host));
      client->SendGet(host, std::string(url.path_and_query()));
      response = client->Receive();
    }
    EXPECT_THAT(response, StartsWith("HTTP/1.1 200 ")) << page;
    EXPECT_EQ(web::ParseHttpResponse(response).body, server_->web().Get(host, url.path_and_query()).body);
  }
  EXPECT_EQ(clients.size(), BuiltInWeb::hosts().size());
}

TEST_F(WebServerTest, KeepsALogOfWhatWasAsked) {
  const MonotonicTime before = SystemClock().Now();
  Client client("127.0.0.1", server_->port());
  client.SendGet("webring.test", "/");
  client.SendGet("webring.test", "/nowhere?a=b");
  EXPECT_THAT(client.Receive(), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(client.Receive(), StartsWith("HTTP/1.1 404 "));
  const std::vector<LoggedRequest> log = server_->Log();
  ASSERT_EQ(log.size(), 2u);
  EXPECT_EQ(log[0].method, "GET");
  EXPECT_EQ(log[0].host, "webring.test");
  EXPECT_EQ(log[0].target, "/");
  EXPECT_EQ(log[0].status, 200);
  EXPECT_EQ(log[1].target, "/nowhere?a=b");
  EXPECT_EQ(log[1].status, 404);
  EXPECT_LE(before, log[0].start);
  EXPECT_LE(log[0].start, log[1].start);
  EXPECT_LE(log[1].start, SystemClock().Now());
}

TEST_F(WebServerTest, ReadsARequestThatComesByteByByte) {
  Client client("127.0.0.1", server_->port());
  for (int round = 0; round < 2; round++) {
    const std::string_view request = "GET /about.html HTTP/1.1\r\nHost: webring.test\r\n\r\n";
    for (const char c : request) client.Send(std::string_view(&c, 1));
    EXPECT_THAT(client.Receive(), StartsWith("HTTP/1.1 200 "));
  }
  EXPECT_EQ(server_->Log().size(), 2u);
}

TEST_F(WebServerTest, ClosesAfterGarbage) {
  Client client("127.0.0.1", server_->port());
  client.Send(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\n\n", 11));
  EXPECT_THAT(client.ReceiveAll(), HasSubstr("Connection: close"));
  Client endless("127.0.0.1", server_->port());
  endless.Send("GET / HTTP/1.1\r\nX: " + std::string(16384, 'x'));
  EXPECT_THAT(endless.ReceiveAll(), StartsWith("HTTP/1.1 431 "));
}

TEST_F(WebServerTest, AnswersAFloodOfRequestsThatIsReadLate) {
  constexpr int kRequests = 3000;  // about 9 MB of answers
  Client client("127.0.0.2", server_->port());
  std::thread sender([&] {
    for (int i = 0; i < kRequests; i++) client.SendGet("how-search-works.test", "/");
  });
  const std::string first = client.Receive();
  EXPECT_THAT(first, StartsWith("HTTP/1.1 200 "));
  int same_size = 1;
  for (int i = 1; i < kRequests; i++) same_size += client.Receive().size() == first.size() ? 1 : 0;
  sender.join();
  EXPECT_EQ(same_size, kRequests);
}

TEST_F(WebServerTest, TakesMoreClientsThanItServesAtOnce) {
  std::vector<std::unique_ptr<Client>> clients;
  for (size_t i = 0; i < WebServer::kMaxConnections + 20; i++) {
    clients.push_back(std::make_unique<Client>("127.0.0.1", server_->port()));
    ASSERT_TRUE(clients.back()->connected());
    clients.back()->Send("GET /about.html HTTP/1.1\r\nHost: webring.test\r\nConnection: close\r\n\r\n");
  }
  for (const auto& client : clients) EXPECT_THAT(client->ReceiveAll(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(WebServerTest, StopsWithConnectionsOpenAndGivesThePortBack) {
  const uint16_t port = server_->port();
  Client client("127.0.0.1", port);
  client.SendGet("webring.test", "/");
  EXPECT_THAT(client.Receive(), StartsWith("HTTP/1.1 200 "));
  server_.reset();
  EXPECT_EQ(client.ReceiveAll(), "");
  EXPECT_FALSE(Client("127.0.0.1", port).connected());
  const auto again = WebServer::Start({.port = port});
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ((*again)->port(), port);
}

TEST_F(WebServerTest, SaysWhichAddressIsTaken) {
  const auto second = WebServer::Start({.port = server_->port()});
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.status().message(), HasSubstr("127.0.0.1:" + std::to_string(server_->port())));
}

TEST(ListenTest, FindsAPortThatIsFreeOnAllAddresses) {
  const auto listeners = Listen({"127.0.0.1", "127.0.0.2", "127.0.0.3"}, 0);
  ASSERT_TRUE(listeners.ok());
  EXPECT_EQ(listeners->sockets.size(), 3u);
  EXPECT_NE(listeners->port, 0);
  EXPECT_FALSE(Listen({"nonsense"}, 0).ok());
}

}  // namespace
}  // namespace crivello::demo
