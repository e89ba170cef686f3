// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "fetch/collector.h"
#include "fetch/fetcher.h"
#include "fetch/scripted_server.h"

namespace crivello::fetch {
namespace {

using std::chrono::milliseconds;
using Connection = ScriptedServer::Connection;

const std::string kHello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Odd:  two  spaces \r\n\r\nhello";

TEST(FetcherTest, GivesTheResponseAsItWasSent) {
  ScriptedServer server(ScriptedServer::Always(kHello));
  TestFetcher fetcher;
  const Response response = fetcher.Fetch(server.Url("/a?b=c"));
  EXPECT_EQ(response.outcome, Outcome::kOk) << response.message;
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.http_version, 11);
  EXPECT_EQ(response.head + response.body, kHello);
  EXPECT_EQ(response.body, "hello");
  EXPECT_EQ(response.truncation, Truncation::kNone);
  EXPECT_EQ(response.remote.ToString(), "127.0.0.1");
  EXPECT_EQ(response.remote_port, server.port());
  EXPECT_EQ(response.certificate, Certificate::kNone);
  EXPECT_EQ(response.received_bytes, kHello.size());
  EXPECT_FALSE(response.reused_connection);
  EXPECT_GT(response.timings.connected, Duration::zero());
  EXPECT_LE(response.timings.connected, response.timings.first_byte);
  EXPECT_LE(response.timings.first_byte, response.timings.end);
  EXPECT_EQ(response.timings.encrypted, Duration::zero());
}

TEST(FetcherTest, RecordsTheRequestByteForByte) {
  ScriptedServer server(ScriptedServer::Always(kHello));
  TestFetcher fetcher({.user_agent = "crivello/0.1 (+https://example.org/bot)"});
  auto exchange = MakeExchange(server.Url("/%7Euser/a%20b//./x?q=1&r=[]|{}#fragment"));
  exchange->request.fields = {{"If-None-Match", "\"x\""}, {"Empty", ""}, {"Cookie", "a=b; c=d"}};
  exchange = fetcher.Fetch(std::move(exchange));
  const std::string first = exchange->response.request_head;
  EXPECT_EQ(server.requests().back(), first);
  EXPECT_NE(first.find("GET /%7Euser/a%20b//x?q=1&r=[]|{} HTTP/1.1\r\n"), first.npos) << first;
  EXPECT_NE(first.find("\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n"), first.npos);
  EXPECT_NE(first.find("\r\nUser-Agent: crivello/0.1 (+https://example.org/bot)\r\n"), first.npos);
  EXPECT_NE(first.find("\r\nIf-None-Match: \"x\"\r\nCookie: a=b; c=d\r\n\r\n"), first.npos);
  EXPECT_EQ(first.find("Empty"), first.npos);

  // On the same connection, by the same handle, without a trace of the one before.
  exchange->request = MakeExchange("http://user:secret@name.test:" + std::to_string(server.port()))->request;
  exchange->request.keep_alive = false;
  exchange = fetcher.Fetch(std::move(exchange));
  EXPECT_EQ(server.requests().back(), exchange->response.request_head);
  EXPECT_NE(exchange->response.request_head.find("\r\nConnection: close\r\n\r\n"), first.npos);
  EXPECT_EQ(exchange->response.request_head.find("secret"), first.npos);
}

TEST(FetcherTest, RecordsTheRequestTrulyAfterAServerOfHttp10) {
  ScriptedServer server(
      ScriptedServer::Always("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok"));
  TestFetcher fetcher;
  for (int i = 0; i < 3; i++) {
    const Response response = fetcher.Fetch(server.Url());
    EXPECT_EQ(response.http_version, 10);
    EXPECT_EQ(response.body, "ok");
    EXPECT_EQ(server.requests().back(), response.request_head);
  }
}

TEST(FetcherTest, RefusesRequestsThatCannotBeSent) {
  TestFetcher fetcher;
  for (const char* url : {"ftp://example.org/", "mailto:someone", "data:,x"}) {
    EXPECT_EQ(fetcher.Fetch(url).outcome, Outcome::kBadRequest) << url;
  }
  for (const RequestField& field :
       {RequestField{"A", "b\r\nInjected: yes"}, RequestField{"A", "b\n"}, RequestField{"A b", "c"},
        RequestField{"", "c"}, RequestField{"A:", "c"}, RequestField{"A", std::string("b\0c", 3)}}) {
    auto exchange = MakeExchange("http://127.0.0.1/");
    exchange->request.fields = {field};
    EXPECT_EQ(fetcher.Fetch(std::move(exchange))->response.outcome, Outcome::kBadRequest) << field.name;
  }
  auto exchange = MakeExchange("http://name.test/");
  exchange->request.addresses.clear();
  EXPECT_EQ(fetcher.Fetch(std::move(exchange))->response.outcome, Outcome::kNoAddress);
}

TEST(FetcherTest, LeavesContentCodingsAndUndoesTransferCodings) {
  const std::string not_really_gzip = "\x1f\x8bzip";
  ScriptedServer server(
      ScriptedServer::Always("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
                             "2\r\n\x1f\x8b\r\n3;ext=1\r\nzip\r\n0\r\nTrailer: yes\r\n\r\n"));
  TestFetcher fetcher;
  for (int i = 0; i < 2; i++) {
    const Response response = fetcher.Fetch(server.Url());
    EXPECT_EQ(response.outcome, Outcome::kOk) << response.message;
    EXPECT_EQ(response.body, not_really_gzip);
    EXPECT_TRUE(response.head.ends_with("chunked\r\n\r\n")) << response.head;
  }
  EXPECT_EQ(server.connections(), 1);
}

TEST(FetcherTest, AsksConditionallyAndTakes304) {
  ScriptedServer server([](Connection& connection) {
    for (std::string head; !(head = connection.ReadHead()).empty();) {
      const bool same = head.find("If-None-Match: \"v1\"") != head.npos &&
                        head.find("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT") != head.npos;
      connection.Write(same ? "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nContent-Length: 5\r\n\r\n"
                            : "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 5\r\n\r\nhello");
    }
  });
  TestFetcher fetcher;
  EXPECT_EQ(fetcher.Fetch(server.Url()).status, 200);
  auto exchange = MakeExchange(server.Url());
  exchange->request.fields = {{"If-None-Match", "\"v1\""},
                              {"If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"}};
  exchange = fetcher.Fetch(std::move(exchange));
  EXPECT_EQ(exchange->response.outcome, Outcome::kOk);
  EXPECT_EQ(exchange->response.status, 304);
  EXPECT_EQ(exchange->response.body, "");
  // And the connection is still good: a 304 has no body, whatever its length says.
  const Response again = fetcher.Fetch(server.Url());
  EXPECT_EQ(again.body, "hello");
  EXPECT_TRUE(again.reused_connection);
  EXPECT_EQ(server.connections(), 1);
}

TEST(FetcherTest, FollowsNoRedirect) {
  ScriptedServer server(ScriptedServer::Always(
      "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"));
  TestFetcher fetcher;
  const Response response = fetcher.Fetch(server.Url());
  EXPECT_EQ(response.outcome, Outcome::kOk);
  EXPECT_EQ(response.status, 302);
  EXPECT_NE(response.head.find("Location: http://127.0.0.1:1/\r\n"), response.head.npos);
}

TEST(FetcherTest, KeepsConnectionsUnlessToldNotTo) {
  ScriptedServer server(ScriptedServer::Always(kHello));
  TestFetcher fetcher;
  for (int i = 0; i < 5; i++) EXPECT_EQ(fetcher.Fetch(server.Url()).reused_connection, i > 0);
  EXPECT_EQ(server.connections(), 1);
  EXPECT_EQ(fetcher->stats().connections, 1u);
  EXPECT_EQ(fetcher->stats().exchanges, 5u);
  EXPECT_EQ(fetcher->stats().open, 1u);
  auto exchange = MakeExchange(server.Url());
  exchange->request.keep_alive = false;
  EXPECT_TRUE(fetcher.Fetch(std::move(exchange))->response.ok());  // the old one, which is then closed
  EXPECT_EQ(fetcher->stats().open, 0u);
  EXPECT_FALSE(fetcher.Fetch(server.Url()).reused_connection);
  EXPECT_EQ(fetcher->stats().open, 1u);
}

TEST(ExchangeTest, ForgetsAllAndKeepsTheMemory) {
  Response response;
  response.outcome = Outcome::kOk;
  response.status = 200;
  response.body.assign(100'000, 'x');
  response.head.assign(3 << 20, 'y');
  response.Clear();
  EXPECT_EQ(response.outcome, Outcome::kInternal);
  EXPECT_EQ(response.status, 0);
  EXPECT_EQ(response.body + response.head, "");
  EXPECT_GE(response.body.capacity(), 100'000u);
  EXPECT_LT(response.head.capacity(), 1u << 20);
}

TEST(FetcherTest, UsesNoConnectionOfAnotherAddress) {
  // One name, two addresses: what was resolved for this request counts, not what was open.
  ScriptedServer server(ScriptedServer::Always(kHello), "0.0.0.0");
  TestFetcher fetcher;
  const std::string url = "http://name.test:" + std::to_string(server.port()) + "/";
  EXPECT_TRUE(fetcher.Fetch(MakeExchange(url, "127.0.0.1"))->response.ok());
  const auto other = fetcher.Fetch(MakeExchange(url, "127.0.0.2"));
  EXPECT_FALSE(other->response.reused_connection);
  EXPECT_EQ(other->response.remote.ToString(), "127.0.0.2");
  EXPECT_TRUE(fetcher.Fetch(MakeExchange(url, "127.0.0.2"))->response.reused_connection);
}

TEST(FetcherTest, RecoversFromAConnectionThatTheServerClosedMeanwhile) {
  ScriptedServer server(ScriptedServer::Once(kHello));
  TestFetcher fetcher;
  for (int i = 0; i < 5; i++) {
    const Response response = fetcher.Fetch(server.Url());
    EXPECT_EQ(response.outcome, Outcome::kOk) << response.message;
    EXPECT_EQ(response.body, "hello");
  }
  EXPECT_EQ(server.connections(), 5);
}

TEST(FetcherTest, TriesTheNextAddress) {
  ScriptedServer server(ScriptedServer::Always(kHello));
  TestFetcher fetcher;
  auto exchange = MakeExchange("http://name.test:" + std::to_string(server.port()) + "/", "127.0.0.9");
  exchange->request.addresses.push_back(*IpAddress::Parse("127.0.0.1"));
  exchange = fetcher.Fetch(std::move(exchange));
  EXPECT_EQ(exchange->response.outcome, Outcome::kOk) << exchange->response.message;
  EXPECT_EQ(exchange->response.remote.ToString(), "127.0.0.1");
}

TEST(FetcherTest, TellsWhyThereIsNoConnection) {
  TestFetcher fetcher;
  const auto [fd, port] = BindLoopback(SOCK_STREAM, "127.0.0.1");  // bound and not listening
  const Response refused = fetcher.Fetch("http://127.0.0.1:" + std::to_string(port) + "/");
  EXPECT_EQ(refused.outcome, Outcome::kConnectionRefused);
  EXPECT_FALSE(refused.message.empty());
  ::close(fd);

  // A listener that accepts nothing: once its queue is full, SYNs get no answer.
  const auto [full, full_port] = BindLoopback(SOCK_STREAM, "127.0.0.1");
  ASSERT_EQ(::listen(full, 0), 0);
  std::vector<int> fill;
  for (int i = 0; i < 4; i++) {
    fill.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
    const sockaddr_in in = LoopbackAddress("127.0.0.1", full_port);
    ::connect(fill.back(), reinterpret_cast<const sockaddr*>(&in), sizeof in);
  }
  auto exchange = MakeExchange("http://127.0.0.1:" + std::to_string(full_port) + "/");
  exchange->request.limits.connect_time = milliseconds(150);
  EXPECT_EQ(fetcher.Fetch(std::move(exchange))->response.outcome, Outcome::kConnectTimeout);
  for (const int each : fill) ::close(each);
  ::close(full);
}

TEST(FetcherTest, RefusesAddressesThatTheGuardRefuses) {
  ScriptedServer server(ScriptedServer::Always(kHello), "0.0.0.0");
  Collector collector;
  auto strict = Fetcher::Open({.sink = &collector, .guard = AddressGuard({*IpPrefix::Parse("127.0.0.1")})});
  ASSERT_TRUE(strict.ok());
  const std::string port = ":" + std::to_string(server.port()) + "/";
  const auto fetch = [&](std::unique_ptr<Exchange> exchange) {
    (*strict)->Submit(std::move(exchange));
    return std::move(collector.Take(1).front());
  };
  EXPECT_EQ(fetch(MakeExchange("http://name.test" + port, "127.0.0.1"))->response.outcome, Outcome::kOk);
  // The name has turned to a private address: also the open connection does not help.
  const auto rebound = fetch(MakeExchange("http://name.test" + port, "127.0.0.2"));
  EXPECT_EQ(rebound->response.outcome, Outcome::kAddressRefused);
  EXPECT_EQ(rebound->response.message, "127.0.0.2 is loopback (RFC 1122)");
  for (const char* host :
       {"127.0.0.2", "2130706434", "0x7f.2", "[::1]", "[::ffff:127.0.0.2]", "[::127.0.0.2]",
        "[64:ff9b::7f00:2]", "0.0.0.0", "10.0.0.1", "169.254.169.254", "[fe80::1]"}) {
    // What the literal says counts, whatever addresses the caller gives.
    const auto exchange = fetch(MakeExchange(std::string("http://") + host + port, "127.0.0.1"));
    EXPECT_EQ(exchange->response.outcome, Outcome::kAddressRefused) << host;
  }
  // Of several addresses the allowed ones are used.
  auto mixed = MakeExchange("http://name.test" + port, "10.0.0.1");
  mixed->request.addresses.push_back(*IpAddress::Parse("127.0.0.1"));
  EXPECT_EQ(fetch(std::move(mixed))->response.outcome, Outcome::kOk);
  EXPECT_EQ(server.connections(), 1);
}

TEST(FetcherTest, CutsWhatIsTooLarge) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadHead();
    connection.Write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
    const std::string block(100'000, 'x');
    while (connection.Write(block)) {
    }
  });
  TestFetcher fetcher;
  auto exchange = MakeExchange(server.Url());
  exchange->request.limits.body_bytes = 250'000;
  exchange = fetcher.Fetch(std::move(exchange));
  EXPECT_EQ(exchange->response.outcome, Outcome::kBodyTooLarge);
  EXPECT_EQ(exchange->response.truncation, Truncation::kLength);
  EXPECT_EQ(exchange->response.status, 200);
  EXPECT_EQ(exchange->response.body, std::string(250'000, 'x'));
}

TEST(FetcherTest, TakesABodyOfExactlyTheLimit) {
  ScriptedServer server(ScriptedServer::Always(kHello));
  TestFetcher fetcher;
  for (const uint64_t limit : {0u, 4u, 5u, 6u}) {
    auto exchange = MakeExchange(server.Url());
    exchange->request.limits.body_bytes = limit;
    exchange = fetcher.Fetch(std::move(exchange));
    EXPECT_EQ(exchange->response.outcome, limit < 5 ? Outcome::kBodyTooLarge : Outcome::kOk) << limit;
    EXPECT_EQ(exchange->response.body, std::string("hello").substr(0, limit));
  }
}

TEST(FetcherTest, ManyAtOnceEachGetTheirOwn) {
  ScriptedServer server([](Connection& connection) {
    for (std::string head; !(head = connection.ReadHead()).empty();) {
      const std::string target = head.substr(4, head.find(' ', 4) - 4);
      connection.Write("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(target.size()) + "\r\n\r\n" +
                       target);
    }
  });
  TestFetcher fetcher({.loops = 2, .connections_per_address = 8});
  constexpr size_t kCount = 500;
  for (size_t i = 0; i < kCount; i++) {
    auto exchange = MakeExchange("http://h" + std::to_string(i % 20) +
                                 ".test:" + std::to_string(server.port()) + "/page" + std::to_string(i));
    exchange->id = i;
    fetcher->Submit(std::move(exchange));
  }
  std::set<uint64_t> seen;
  for (const auto& exchange : fetcher.collector().Take(kCount)) {
    EXPECT_EQ(exchange->response.outcome, Outcome::kOk) << exchange->response.message;
    EXPECT_EQ(exchange->response.body, "/page" + std::to_string(exchange->id));
    seen.insert(exchange->id);
  }
  EXPECT_EQ(seen.size(), kCount);
  EXPECT_EQ(fetcher->in_flight(), 0u);
}

TEST(FetcherTest, CancelsOneAndAll) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadHead();
    connection.WaitForEnd();
  });
  TestFetcher fetcher;
  for (uint64_t id = 1; id <= 3; id++) {
    auto exchange = MakeExchange(server.Url());
    exchange->id = id;
    fetcher->Submit(std::move(exchange));
  }
  fetcher->Cancel(2);
  const auto one = fetcher.collector().Take(1);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0]->id, 2u);
  EXPECT_EQ(one[0]->response.outcome, Outcome::kCancelled);
  fetcher->Cancel(77);
  fetcher->Abort();
  EXPECT_EQ(fetcher.collector().Take(2).size(), 2u);
  EXPECT_EQ(fetcher.Fetch(server.Url()).outcome, Outcome::kCancelled);
  EXPECT_EQ(fetcher->in_flight(), 0u);
}

TEST(FetcherTest, DeliversAllThatIsInFlightWhenItGoes) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadHead();
    connection.WaitForEnd();
  });
  Collector collector;
  {
    TestFetcher warm;
    EXPECT_EQ(warm->in_flight(), 0u);
  }
  {
    auto fetcher = Fetcher::Open({.sink = &collector, .guard = AddressGuard::AllowingAll(), .loops = 2});
    ASSERT_TRUE(fetcher.ok());
    for (int i = 0; i < 100; i++) {
      (*fetcher)->Submit(
          MakeExchange("http://h" + std::to_string(i) + ".test:" + std::to_string(server.port())));
    }
  }
  const auto all = collector.Take(100);
  EXPECT_EQ(all.size(), 100u);
  for (const auto& exchange : all) EXPECT_EQ(exchange->response.outcome, Outcome::kCancelled);
}

TEST(FetcherTest, RefusesOptionsThatMakeNoSense) {
  Collector collector;
  EXPECT_EQ(Fetcher::Open({}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Fetcher::Open({.sink = &collector, .loops = 0}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Fetcher::Open({.sink = &collector, .proxy = "proxy:3128"}).status().code(),
            StatusCode::kInvalidArgument);
}

TEST(FetcherTest, NamesEveryOutcomeDifferently) {
  std::set<std::string_view> names;
  for (int i = 0; i < kOutcomes; i++) names.insert(OutcomeName(static_cast<Outcome>(i)));
  EXPECT_EQ(names.size(), static_cast<size_t>(kOutcomes));
  EXPECT_EQ(names.count("unknown"), 0u);
}

}  // namespace
}  // namespace crivello::fetch
