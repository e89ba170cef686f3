// SPDX-License-Identifier: Apache-2.0
#include "serve/http/http_server.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <atomic>
#include <future>
#include <latch>
#include <mutex>
#include <thread>

#include "base/test_waiting.h"
#include "serve/http/http_answer.h"
#include "serve/http/http_test_client.h"
#include "web/http/decompress.h"

namespace crivello::serve {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

// Echoes the request; "/large" with 4 MB, "/huge" with more than the system
// takes off a server's hands, "/gate" when the test opens the gate, "/throw"
// never.
class EchoHandler final : public HttpHandler {
 public:
  HttpResponse Handle(const HttpRequest& request) override {
    if (request.path == "/gate") {
      waiting_++;
      opened_.wait();
      return {.body = "through"};
    }
    if (request.path == "/throw") throw std::runtime_error("a library did");
    if (request.path == "/large") return {.body = std::string(4 << 20, 'x')};
    if (request.path == "/huge") {
      huge_++;
      return {.body = std::string(16 << 20, 'x')};
    }
    if (request.path == "/inject") return {.body = "", .headers = {{"X-A", "b\r\nSet-Cookie: c"}}};
    std::string echo = request.method + " " + request.path;
    for (const auto& [name, value] : request.parameters) echo += " " + name + "=" + value;
    echo += request.from_loopback ? " local" : " remote";
    return {.body = echo + " " + request.body};
  }
  bool ReadsRows(const HttpRequest& request) const override { return request.Parameter("rows").has_value(); }
  int waiting() const { return waiting_; }
  int huge() const { return huge_; }  // how often that was requested
  void Open() { opened_.count_down(); }

 private:
  std::atomic<int> waiting_ = 0;
  std::atomic<int> huge_ = 0;
  std::latch opened_{1};
};

class HttpServerTest : public testing::Test {
 protected:
  void Start(HttpServerOptions options = {}) {
    options.port = 0;
    options.counters = &counters_;
    auto server = HttpServer::Open(options, handler_);
    ASSERT_TRUE(server.ok()) << server.status().ToString();
    server_ = *std::move(server);
  }
  void TearDown() override {
    if (!gate_opened_) handler_.Open();
  }
  void OpenGate() {
    gate_opened_ = true;
    handler_.Open();
  }
  TestClient Connect() { return TestClient(server_->port()); }
  // Returns when the server has read everything that clients sent before: it reads in the order of arrival,
  // and this request, which it refuses without a handler, arrives last.
  void AwaitRead() { ASSERT_EQ(Connect().Get("/", {{"Host", "other.example"}}).status, 421); }
  // Returns when this many requests are in the handlers.
  void AwaitWaiting(int count) {
    ASSERT_TRUE(WaitFor([&] { return handler_.waiting() >= count; }));
  }

  HttpStats counters_;
  EchoHandler handler_;
  bool gate_opened_ = false;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, AnswersRequestAfterRequestOnAConnection) {
  Start();
  TestClient client = Connect();
  for (int i = 0; i < 3; i++) {
    const auto answer = client.Get("/a?n=" + std::to_string(i));
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "GET /a n=" + std::to_string(i) + " local ");
    EXPECT_EQ(answer.Header("Connection"), "keep-alive");
  }
  EXPECT_EQ(client.Ask("POST", "/p", {}, "the body").body, "POST /p local the body");
  const auto last = client.Get("/z", {{"Connection", "close"}});
  EXPECT_EQ(last.Header("Connection"), "close");
  EXPECT_TRUE(client.Ends());
  EXPECT_EQ(counters_.connections_total.value(), 1u);
  EXPECT_EQ(counters_.requests.value(), 5u);
  EXPECT_EQ(server_->url(), "http://127.0.0.1:" + std::to_string(server_->port()) + "/");
}

TEST_F(HttpServerTest, AnswersPipelinedRequestsInTheirOrder) {
  Start();
  TestClient client = Connect();
  std::string all;
  for (int i = 0; i < 200; i++) {
    all += "GET /p?i=" + std::to_string(i) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }
  client.Send(all);
  for (int i = 0; i < 200; i++) {
    ASSERT_EQ(client.Receive().body, "GET /p i=" + std::to_string(i) + " local ");
  }
}

TEST_F(HttpServerTest, TakesARequestByteByByteAndInChunks) {
  Start();
  TestClient client = Connect();
  for (const char c : std::string("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")) client.Send({&c, 1});
  EXPECT_EQ(client.Receive().body, "GET /slow local ");
  client.Send(
      "POST /c HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
      "chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
  EXPECT_EQ(client.Receive().body, "POST /c local abcde");
  client.Send("POST /e HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.Receive().status, 100);
  client.Send("ok");
  EXPECT_EQ(client.Receive().body, "POST /e local ok");
  client.Send("GET /old HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.Receive().status, 421);  // no Host header, so it does not name this machine
  EXPECT_TRUE(client.Ends());
}

TEST_F(HttpServerTest, LeavesTheBodyOutForHead) {
  Start();
  TestClient client = Connect();
  const auto answer = client.Ask("HEAD", "/h");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.Header("Content-Length"), std::to_string(std::string("GET /h local ").size()));
  EXPECT_EQ(client.Get("/next").body, "GET /next local ");
}

TEST_F(HttpServerTest, SecuresEveryAnswer) {
  Start();
  TestClient client = Connect();
  const auto answer = client.Get("/");
  EXPECT_EQ(answer.Header("Content-Security-Policy"), kContentSecurityPolicy);
  EXPECT_EQ(answer.Header("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(answer.Header("Referrer-Policy"), "no-referrer");
  EXPECT_EQ(answer.Header("Cross-Origin-Opener-Policy"), "same-origin");
  EXPECT_NE(answer.Header("Permissions-Policy"), "");
  EXPECT_NE(answer.Header("Date"), "");
  const auto injected = client.Get("/inject");
  EXPECT_EQ(injected.Header("X-A"), "bSet-Cookie: c");
  EXPECT_EQ(injected.Header("Set-Cookie"), "");
  const auto broken = client.Get("/throw");
  EXPECT_EQ(broken.status, 500);
  EXPECT_THAT(broken.body, HasSubstr("\"internal\""));
  client.Send("nonsense\r\n\r\n");
  EXPECT_EQ(client.Receive().Header("Content-Security-Policy"), kContentSecurityPolicy);
}

TEST_F(HttpServerTest, CompressesWhatIsLargeAndRecognisesWhatIsKnown) {
  Start();
  TestClient client = Connect();
  EXPECT_EQ(client.Get("/large").body.size(), 4u << 20);
  const auto compressed = client.Get("/large", {{"Accept-Encoding", "br, gzip;q=0.5"}});
  EXPECT_EQ(compressed.Header("Content-Encoding"), "gzip");
  EXPECT_EQ(compressed.Header("Vary"), "Accept-Encoding");
  EXPECT_LT(compressed.body.size(), 40000u);
  std::string whole;
  web::Decompressor decompressor(web::ContentCoding::kGzip, {.max_ratio = 10000});
  decompressor.Feed(compressed.body, [&](std::string_view piece) { whole += piece; });
  EXPECT_EQ(whole, std::string(4 << 20, 'x'));
  const auto again = client.Get(
      "/large", {{"Accept-Encoding", "gzip"}, {"If-None-Match", "\"a\", " + compressed.Header("ETag")}});
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.Header("ETag"), compressed.Header("ETag"));
  EXPECT_EQ(client.Get("/small", {{"Accept-Encoding", "gzip"}}).Header("Content-Encoding"), "");
}

TEST_F(HttpServerTest, RefusesWhatIsNoHttpOrTooLarge) {
  Start({.header_bytes = 2000, .body_bytes = 1000});
  const auto status_of = [&](const std::string& bytes) {
    TestClient client = Connect();
    client.Send(bytes);
    const auto answer = client.Receive();
    EXPECT_TRUE(client.Ends()) << bytes.substr(0, 40);
    return answer.status;
  };
  EXPECT_EQ(status_of("hello\r\n\r\n"), 400);
  EXPECT_EQ(status_of(std::string("\0\0\0\0", 4)), 400);
  EXPECT_EQ(status_of("GET / HTTP/3.7\r\nHost: localhost\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: localhost\r\nHost: 127.0.0.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(3000, 'x') + "\r\n\r\n"), 431);
  EXPECT_EQ(status_of("GET /" + std::string(100000, 'x') + " HTTP/1.1\r\nHost: localhost\r\n\r\n"), 431);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1001\r\n\r\n" +
                      std::string(1001, 'x')),
            413);
  EXPECT_EQ(
      status_of("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
      400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: "
                      "chunked\r\n\r\n0\r\n\r\n"),
            400);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n" +
                      std::string(1024, 'x') + "\r\n0\r\n\r\n"),
            413);
  // Bodies that a proxy could frame differently: one answer, and the connection is closed.
  for (const std::string framing :
       {"HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked",
        "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity",
        "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, identity",
        "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked",
        "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity\r\nContent-Length: 5",
        "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked"}) {
    EXPECT_EQ(status_of("POST / " + framing + "\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
              400)
        << framing;
  }
  EXPECT_EQ(counters_.malformed.value(), 20u);
  EXPECT_EQ(Connect().Get("/").status, 200);
}

TEST_F(HttpServerTest, IsNotTakenForAnotherHost) {
  Start({.names = {"Search.Example"}});
  const auto status_of = [&](const std::string& host) { return Connect().Get("/", {{"Host", host}}).status; };
  EXPECT_EQ(status_of("localhost"), 200);
  EXPECT_EQ(status_of("LOCALHOST:80"), 200);
  EXPECT_EQ(status_of("demo.localhost:8765"), 200);
  EXPECT_EQ(status_of("127.9.9.9"), 200);
  EXPECT_EQ(status_of("[::1]:8765"), 200);
  EXPECT_EQ(status_of("search.example:8765"), 200);
  EXPECT_EQ(status_of("evil.example"), 421);
  EXPECT_EQ(status_of("localhost.evil.example"), 421);
  EXPECT_EQ(status_of("127.0.0.1.evil.example"), 421);
  EXPECT_EQ(status_of("192.168.1.1"), 421);
  EXPECT_EQ(status_of("[::1"), 421);
  EXPECT_EQ(status_of("[::1]evil.example"), 421);
  EXPECT_EQ(status_of("localhost:80@evil.example"), 421);
  EXPECT_EQ(status_of(""), 421);
  EXPECT_EQ(Connect().Get("http://evil.example/").status, 421);
  EXPECT_EQ(Connect().Get("http://localhost/x?y=1").body, "GET /x y=1 local ");
}

TEST_F(HttpServerTest, TellsWhoIsOnThisMachine) {
  Start({.address = "::"});  // where IPv4 connections arrive mapped
  EXPECT_EQ(Connect().Get("/").body, "GET / local ");
  EXPECT_EQ(Connect().Get("/", {{"Host", "evil.example"}}).body, "GET / remote ");
  for (const char* header : {"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
                             "X-Real-IP", "True-Client-IP", "CF-Connecting-IP"}) {
    EXPECT_EQ(Connect().Get("/", {{header, "192.0.2.1"}}).body, "GET / remote ") << header;
  }
}

TEST_F(HttpServerTest, EndsConnectionsThatDoNotGoOn) {
  Start({.idle_timeout = 200ms, .head_timeout = 300ms, .body_timeout = 300ms});
  TestClient idle = Connect(), slow_head = Connect(), slow_body = Connect();
  slow_body.Send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
  // A byte now and then does not count as progress.
  std::thread drips([&] {
    for (int i = 0; i < 100 && slow_head.Send(i == 0 ? "G" : "E"); i++) std::this_thread::sleep_for(20ms);
  });
  EXPECT_TRUE(idle.Ends());
  EXPECT_TRUE(slow_body.Ends());
  drips.join();
  EXPECT_TRUE(slow_head.Ends());
  EXPECT_EQ(Connect().Get("/").status, 200);
}

TEST_F(HttpServerTest, LetsASlowReaderWaitAlone) {
  Start({.threads = 1, .write_timeout = 500ms});
  std::vector<std::unique_ptr<TestClient>> slow;
  for (int i = 0; i < 8; i++) {
    slow.push_back(std::make_unique<TestClient>(server_->port()));
    const int little = 4096;
    EXPECT_EQ(::setsockopt(slow.back()->socket(), SOL_SOCKET, SO_RCVBUF, &little, sizeof(little)), 0);
    slow.back()->SendRequest("GET", "/huge");
  }
  for (int i = 0; i < 100; i++) EXPECT_EQ(Connect().Get("/").status, 200);
  EXPECT_TRUE(WaitFor([&] { return counters_.connections.value() == 0; })) << "the time for writing is up";
}

TEST_F(HttpServerTest, RefusesWhatItCannotAnswerSoonAndRecovers) {
  Start({.threads = 1, .queue = 2});
  TestClient running = Connect();
  running.SendRequest("GET", "/gate");
  AwaitWaiting(1);
  // The handler's thread has one; two more fit in the queue, and the others are refused while it runs.
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 6; i++) {
    clients.push_back(std::make_unique<TestClient>(server_->port()));
    clients.back()->SendRequest("GET", "/");
  }
  ASSERT_TRUE(WaitFor([&] { return counters_.overloaded.value() >= 4; }));
  OpenGate();
  EXPECT_EQ(running.Receive().body, "through");
  int refused = 0;
  for (const auto& client : clients) {
    const auto answer = client->Receive();
    if (answer.status == 503) {
      refused++;
      EXPECT_EQ(answer.Header("Retry-After"), "1");
      EXPECT_EQ(answer.Header("Connection"), "keep-alive");
      EXPECT_THAT(answer.body, HasSubstr("overloaded"));
    } else {
      EXPECT_EQ(answer.status, 200);
    }
    EXPECT_EQ(client->Get("/").status, 200);
  }
  EXPECT_EQ(refused, 4);
}

TEST_F(HttpServerTest, RequestsForRowsHoldUpNoOther) {
  Start({.threads = 1, .row_threads = 1, .row_queue = 2});
  TestClient running = Connect();
  running.SendRequest("GET", "/gate?rows");
  AwaitWaiting(1);
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 6; i++) {
    clients.push_back(std::make_unique<TestClient>(server_->port()));
    clients.back()->SendRequest("GET", "/?rows");
  }
  ASSERT_TRUE(WaitFor([&] { return counters_.overloaded.value() >= 4; })) << "two wait, four are refused";
  TestClient other = Connect();
  for (int i = 0; i < 10; i++) EXPECT_EQ(other.Get("/").status, 200);
  OpenGate();
  EXPECT_EQ(running.Receive().body, "through");
  int refused = 0;
  for (const auto& client : clients) {
    const auto answer = client->Receive();
    if (answer.status != 503) continue;
    refused++;
    EXPECT_EQ(answer.Header("Retry-After"), "1");
    EXPECT_THAT(answer.body, HasSubstr("rows"));
  }
  EXPECT_EQ(refused, 4);
}

TEST_F(HttpServerTest, DoesNotBeginWhatWaitedTooLong) {
  // Long enough for "/gate", which finds a free thread, to begin on a loaded machine.
  constexpr auto kTimeout = 500ms;
  Start({.threads = 1, .queue_timeout = kTimeout});
  TestClient running = Connect(), waiting = Connect();
  running.SendRequest("GET", "/gate");
  AwaitWaiting(1);
  waiting.SendRequest("GET", "/late");
  AwaitRead();
  const auto queued = std::chrono::steady_clock::now();
  ASSERT_TRUE(WaitFor([&] { return std::chrono::steady_clock::now() - queued > kTimeout; }));
  OpenGate();
  EXPECT_EQ(waiting.Receive().status, 503);
}

TEST_F(HttpServerTest, BoundsTheBodiesOfAllRequests) {
  Start({.body_bytes = 1000, .bodies_bytes = 1500});
  TestClient first = Connect(), second = Connect();
  first.Send("POST /1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n");
  ASSERT_EQ(first.Receive().status, 100);
  EXPECT_EQ(second.Ask("POST", "/2", {}, std::string(1000, 'x')).status, 503);
  first.Send(std::string(1000, 'x'));
  EXPECT_EQ(first.Receive().status, 200);
  EXPECT_EQ(Connect().Ask("POST", "/3", {}, std::string(1000, 'x')).status, 200);
}

TEST_F(HttpServerTest, MakesRoomAmongIdleConnectionsAndRefusesWhenAllAreBusy) {
  Start({.threads = 2, .connections = 2});
  TestClient first = Connect(), second = Connect();
  EXPECT_EQ(first.Get("/").status, 200);
  EXPECT_EQ(second.Get("/").status, 200);
  TestClient third = Connect();  // takes the place of the first
  EXPECT_EQ(third.Get("/").status, 200);
  EXPECT_TRUE(first.Ends());
  second.SendRequest("GET", "/gate");
  third.SendRequest("GET", "/gate");
  AwaitWaiting(2);
  TestClient fourth = Connect();
  EXPECT_EQ(fourth.Receive().status, 503);
  EXPECT_EQ(counters_.connections_refused.value(), 1u);
  OpenGate();
  EXPECT_EQ(second.Receive().status, 200);
}

TEST_F(HttpServerTest, HoldsThousandsOfIdleConnections) {
  rlimit limit = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = limit.rlim_max;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  // Both ends of each connection are in this process.
  const size_t count = std::min<size_t>(5000, limit.rlim_cur / 2 - 100);
  Start();
  std::vector<std::unique_ptr<TestClient>> clients;
  for (size_t i = 0; i < count; i++) {
    clients.push_back(std::make_unique<TestClient>(server_->port()));
    ASSERT_TRUE(clients.back()->connected()) << i;
  }
  EXPECT_EQ(Connect().Get("/").status, 200);
  for (size_t i = 0; i < count; i += 97) EXPECT_EQ(clients[i]->Get("/").status, 200);
  EXPECT_GE(counters_.connections.value(), count);
  server_->Stop();
  EXPECT_EQ(counters_.connections.value(), 0u);
}

TEST_F(HttpServerTest, AnswersWhatIsUnderWayWhenItStops) {
  Start({.threads = 2});
  TestClient busy = Connect(), idle = Connect();
  EXPECT_EQ(idle.Get("/").status, 200);
  busy.SendRequest("GET", "/gate");
  AwaitWaiting(1);
  std::thread stopper([&] { server_->Stop(); });
  EXPECT_TRUE(idle.Ends());
  EXPECT_FALSE(Connect().connected());
  OpenGate();
  const auto answer = busy.Receive();
  EXPECT_EQ(answer.body, "through");
  EXPECT_EQ(answer.Header("Connection"), "close");
  stopper.join();
}

TEST_F(HttpServerTest, StopsUnderLoadWithoutLosingAnAnswer) {
  Start({.threads = 2});
  std::atomic<int> answered = 0;
  std::atomic<int> cut = 0;
  std::vector<std::thread> askers;
  for (int t = 0; t < 4; t++) {
    askers.emplace_back([&] {
      for (;;) {
        TestClient client(server_->port());
        if (!client.connected()) return;
        for (;;) {
          const auto answer = client.Get("/");
          if (answer.status == 0) break;  // closed while idle, before the request was read
          if (answer.body != "GET / local ") cut++;
          answered++;
          if (answer.Header("Connection") == "close") break;
        }
      }
    });
  }
  EXPECT_TRUE(WaitFor([&] { return answered >= 200; }));
  server_->Stop();
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(cut, 0);
}

TEST_F(HttpServerTest, StopsInTimeWhateverClientsDo) {
  Start({.stop_timeout = 100ms});
  TestClient half = Connect(), slow = Connect();
  half.Send("GET / HT");
  slow.SendRequest("GET", "/huge");
  AwaitRead();
  ASSERT_TRUE(WaitFor([&] { return handler_.huge() == 1 && counters_.connections.value() == 2; }));
  server_->Stop();
  EXPECT_EQ(counters_.connections.value(), 2u);  // cut off; they go with the server
  server_.reset();
  EXPECT_EQ(counters_.connections.value(), 0u);
}

TEST_F(HttpServerTest, LogsNeitherQueriesNorClients) {
  std::mutex mutex;
  std::vector<std::string> lines;
  Start({.access_log = [&](const AccessLine& line) {
    const std::lock_guard lock(mutex);
    lines.push_back(FormatAccessLine(line));
  }});
  EXPECT_EQ(Connect().Get("/s%0Aecret?q=private").status, 200);
  server_->Stop();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0],
              testing::MatchesRegex(R"(127\.0\.0\.0 - - \[.*Z\] "GET /s\\x0aecret" 200 [0-9]+ [0-9.]+)"));
}

TEST_F(HttpServerTest, SaysWhyItCannotListen) {
  Start();
  const auto taken = HttpServer::Open({.port = server_->port()}, handler_);
  EXPECT_EQ(taken.status().code(), StatusCode::kIoError);
  const auto wrong = HttpServer::Open({.address = "nowhere"}, handler_);
  EXPECT_EQ(wrong.status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace crivello::serve
