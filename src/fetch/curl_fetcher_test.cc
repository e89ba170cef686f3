// SPDX-License-Identifier: Apache-2.0
#include "fetch/curl_fetcher.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <set>

#include "base/test_waiting.h"
#include "fetch/collector.h"
#include "fetch/scripted_server.h"

namespace crivello::fetch {
namespace {

using std::chrono::milliseconds;
using Connection = ScriptedServer::Connection;

const std::string kHello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Odd:  two  spaces \r\n\r\nhello";

TEST(FetcherTest, GivesTheResponseAsItWasSent) {
  ScriptedServer server(ScriptedServer::Always(kHello));
  TestFetcher fetcher;
  const Response response = fetcher.Get(server.Url("/a?b=c"));
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
  auto fetch = MakeFetch(server.Url("/%7Euser/a%20b//./x?q=1&r=[]|{}#fragment"));
  fetch->request.fields = {{"If-None-Match", "\"x\""}, {"Empty", ""}, {"Cookie", "a=b; c=d"}};
  fetch = fetcher.Get(std::move(fetch));
  const std::string first = fetch->response.request_head;
  EXPECT_EQ(server.requests().back(), first);
  EXPECT_NE(first.find("GET /%7Euser/a%20b//x?q=1&r=[]|{} HTTP/1.1\r\n"), first.npos) << first;
  EXPECT_NE(first.find("\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n"), first.npos);
  EXPECT_NE(first.find("\r\nUser-Agent: crivello/0.1 (+https://example.org/bot)\r\n"), first.npos);
  EXPECT_NE(first.find("\r\nIf-None-Match: \"x\"\r\nCookie: a=b; c=d\r\n\r\n"), first.npos);
  EXPECT_EQ(first.find("Empty"), first.npos);

  // On the same connection, with the same handle, and without a trace of the previous request.
  fetch->request = MakeFetch("http://user:secret@name.test:" + std::to_string(server.port()))->request;
  fetch->request.keep_alive = false;
  fetch = fetcher.Get(std::move(fetch));
  EXPECT_EQ(server.requests().back(), fetch->response.request_head);
  EXPECT_NE(fetch->response.request_head.find("\r\nConnection: close\r\n\r\n"), first.npos);
  EXPECT_EQ(fetch->response.request_head.find("secret"), first.npos);
}

TEST(FetcherTest, PostsAForm) {
  std::string received;
  ScriptedServer server([&](Connection& connection) {
    for (std::string head; !(head = connection.ReadHead()).empty();) {
      const size_t at = head.find("Content-Length: ");
      const size_t length = at == head.npos ? 0 : std::stoul(head.substr(at + 16));
      received.clear();
      while (received.size() < length) received += connection.ReadSome();
      connection.Write(kHello);
    }
  });
  TestFetcher fetcher;
  for (const std::string& form :
       {std::string("a=b&c=%20d"), std::string(), std::string(kMaxFormBytes, 'x')}) {
    auto fetch = MakeFetch(server.Url("/hub?x=1"));
    fetch->request.form = form;
    fetch->request.fields = {{"X-Mine", "1"}};
    fetch = fetcher.Get(std::move(fetch));
    EXPECT_EQ(fetch->response.outcome, Outcome::kOk) << fetch->response.message;
    EXPECT_EQ(received, form);
    const std::string& head = fetch->response.request_head;
    EXPECT_EQ(server.requests().back(), head);
    EXPECT_TRUE(head.starts_with("POST /hub?x=1 HTTP/1.1\r\n")) << head;
    EXPECT_NE(head.find("\r\nContent-Type: application/x-www-form-urlencoded\r\n"), head.npos) << head;
  }
  auto fetch = MakeFetch(server.Url());
  fetch->request.form = std::string(kMaxFormBytes + 1, 'x');
  EXPECT_EQ(fetcher.Get(std::move(fetch))->response.outcome, Outcome::kBadRequest);
  // The next request of the connection is a GET again.
  EXPECT_EQ(fetcher.Get(server.Url("/a")).outcome, Outcome::kOk);
  EXPECT_TRUE(server.requests().back().starts_with("GET /a HTTP/1.1\r\n"));
}

TEST(FetcherTest, RecordsTheRequestTrulyAfterAServerOfHttp10) {
  ScriptedServer server(
      ScriptedServer::Always("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok"));
  TestFetcher fetcher;
  for (int i = 0; i < 3; i++) {
    const Response response = fetcher.Get(server.Url());
    EXPECT_EQ(response.http_version, 10);
    EXPECT_EQ(response.body, "ok");
    EXPECT_EQ(server.requests().back(), response.request_head);
  }
}

TEST(FetcherTest, RefusesRequestsThatCannotBeSent) {
  TestFetcher fetcher;
  for (const char* url : {"ftp://example.org/", "mailto:someone", "data:,x"}) {
    EXPECT_EQ(fetcher.Get(url).outcome, Outcome::kBadRequest) << url;
  }
  for (const RequestField& field :
       {RequestField{"A", "b\r\nInjected: yes"}, RequestField{"A", "b\n"}, RequestField{"A b", "c"},
        RequestField{"", "c"}, RequestField{"A:", "c"}, RequestField{"A", std::string("b\0c", 3)}}) {
    auto fetch = MakeFetch("http://127.0.0.1/");
    fetch->request.fields = {field};
    EXPECT_EQ(fetcher.Get(std::move(fetch))->response.outcome, Outcome::kBadRequest) << field.name;
  }
  auto fetch = MakeFetch("http://name.test/");
  fetch->request.addresses.clear();
  EXPECT_EQ(fetcher.Get(std::move(fetch))->response.outcome, Outcome::kNoAddress);
}

TEST(FetcherTest, LeavesContentCodingsAndUndoesTransferCodings) {
  const std::string not_really_gzip = "\x1f\x8bzip";
  ScriptedServer server(
      ScriptedServer::Always("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
                             "2\r\n\x1f\x8b\r\n3;ext=1\r\nzip\r\n0\r\nTrailer: yes\r\n\r\n"));
  TestFetcher fetcher;
  for (int i = 0; i < 2; i++) {
    const Response response = fetcher.Get(server.Url());
    EXPECT_EQ(response.outcome, Outcome::kOk) << response.message;
    EXPECT_EQ(response.body, not_really_gzip);
    EXPECT_TRUE(response.head.ends_with("chunked\r\n\r\n")) << response.head;
  }
  EXPECT_EQ(server.connections(), 1);
}

TEST(FetcherTest, ALongBodyWaitsWhileAnotherFillsTheRoomAndAShortOneDoesNot) {
  const std::string large(300 << 10, 'x');
  std::shared_future<void> rest;
  const auto answer = [&](Connection& connection) {
    const std::string head = connection.ReadHead();
    const bool small = head.starts_with("GET /small");
    const std::string& body = large;
    const size_t length = small ? 10'000 : body.size();
    connection.Write("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n");
    if (!head.starts_with("GET /slow")) {
      connection.Write(std::string_view(body).substr(0, length));
      return;
    }
    connection.Write(std::string_view(body).substr(0, 200 << 10));
    rest.wait();
    connection.Write(std::string_view(body).substr(200 << 10));
  };
  ScriptedServer server(answer);
  std::promise<void> asked_for_the_rest;  // if the test fails, its destructor releases the server
  rest = asked_for_the_rest.get_future().share();
  TestFetcher fetcher({.arriving_bytes = 100 << 10});
  fetcher->Submit(MakeFetch(server.Url("/slow")));
  // The others begin when it has taken all the room, and the priority.
  ASSERT_TRUE(WaitFor([&] { return fetcher->stats().arriving >= (200 << 10); }));
  fetcher->Submit(MakeFetch(server.Url("/fast")));
  ASSERT_TRUE(WaitFor([&] { return fetcher->stats().waiting == 1; }));
  fetcher->Submit(MakeFetch(server.Url("/small")));
  const auto first = fetcher.collector().Take(1);
  EXPECT_EQ(first[0]->response.body.size(), 10'000u);
  asked_for_the_rest.set_value();
  std::vector<std::unique_ptr<Fetch>> others;
  while (others.size() < 2) {
    for (auto& fetch : fetcher.collector().Take(1)) others.push_back(std::move(fetch));
  }
  for (const auto& fetch : others) {
    EXPECT_EQ(fetch->response.outcome, Outcome::kOk) << fetch->response.message;
    EXPECT_EQ(fetch->response.body, large);
  }
  ASSERT_TRUE(WaitFor([&] { return fetcher->stats().waiting == 0 && fetcher->stats().arriving == 0; }));
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
  EXPECT_EQ(fetcher.Get(server.Url()).status, 200);
  auto fetch = MakeFetch(server.Url());
  fetch->request.fields = {{"If-None-Match", "\"v1\""},
                           {"If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"}};
  fetch = fetcher.Get(std::move(fetch));
  EXPECT_EQ(fetch->response.outcome, Outcome::kOk);
  EXPECT_EQ(fetch->response.status, 304);
  EXPECT_EQ(fetch->response.body, "");
  // The connection can still be used: a 304 has no body, whatever its Content-Length.
  const Response again = fetcher.Get(server.Url());
  EXPECT_EQ(again.body, "hello");
  EXPECT_TRUE(again.reused_connection);
  EXPECT_EQ(server.connections(), 1);
}

TEST(FetcherTest, FollowsNoRedirect) {
  ScriptedServer server(ScriptedServer::Always(
      "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"));
  TestFetcher fetcher;
  const Response response = fetcher.Get(server.Url());
  EXPECT_EQ(response.outcome, Outcome::kOk);
  EXPECT_EQ(response.status, 302);
  EXPECT_NE(response.head.find("Location: http://127.0.0.1:1/\r\n"), response.head.npos);
}

TEST(FetcherTest, KeepsConnectionsUnlessToldNotTo) {
  ScriptedServer server(ScriptedServer::Always(kHello));
  TestFetcher fetcher;
  for (int i = 0; i < 5; i++) EXPECT_EQ(fetcher.Get(server.Url()).reused_connection, i > 0);
  EXPECT_EQ(server.connections(), 1);
  EXPECT_EQ(fetcher->stats().connections, 1u);
  EXPECT_EQ(fetcher->stats().fetches, 5u);
  EXPECT_EQ(fetcher->stats().open, 1u);
  auto fetch = MakeFetch(server.Url());
  fetch->request.keep_alive = false;
  EXPECT_TRUE(fetcher.Get(std::move(fetch))->response.ok());  // uses the old one, which is then closed
  EXPECT_EQ(fetcher->stats().open, 0u);
  EXPECT_FALSE(fetcher.Get(server.Url()).reused_connection);
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
  // One name, two addresses: the address of this request counts, not the open connection.
  ScriptedServer server(ScriptedServer::Always(kHello), "0.0.0.0");
  TestFetcher fetcher;
  const std::string url = "http://name.test:" + std::to_string(server.port()) + "/";
  EXPECT_TRUE(fetcher.Get(MakeFetch(url, "127.0.0.1"))->response.ok());
  const auto other = fetcher.Get(MakeFetch(url, "127.0.0.2"));
  EXPECT_FALSE(other->response.reused_connection);
  EXPECT_EQ(other->response.remote.ToString(), "127.0.0.2");
  EXPECT_TRUE(fetcher.Get(MakeFetch(url, "127.0.0.2"))->response.reused_connection);
}

TEST(FetcherTest, RecoversFromAConnectionThatTheServerClosedMeanwhile) {
  ScriptedServer server(ScriptedServer::Once(kHello));
  TestFetcher fetcher;
  for (int i = 0; i < 5; i++) {
    const Response response = fetcher.Get(server.Url());
    EXPECT_EQ(response.outcome, Outcome::kOk) << response.message;
    EXPECT_EQ(response.body, "hello");
  }
  EXPECT_EQ(server.connections(), 5);
}

TEST(FetcherTest, TriesTheNextAddress) {
  ScriptedServer server(ScriptedServer::Always(kHello));
  TestFetcher fetcher;
  auto fetch = MakeFetch("http://name.test:" + std::to_string(server.port()) + "/", "127.0.0.9");
  fetch->request.addresses.push_back(*IpAddress::Parse("127.0.0.1"));
  fetch = fetcher.Get(std::move(fetch));
  EXPECT_EQ(fetch->response.outcome, Outcome::kOk) << fetch->response.message;
  EXPECT_EQ(fetch->response.remote.ToString(), "127.0.0.1");
}

TEST(FetcherTest, TellsWhyThereIsNoConnection) {
  TestFetcher fetcher;
  const auto [fd, port] = BindLoopback(SOCK_STREAM, "127.0.0.1");  // bound but not listening
  const Response refused = fetcher.Get("http://127.0.0.1:" + std::to_string(port) + "/");
  EXPECT_EQ(refused.outcome, Outcome::kConnectionRefused);
  EXPECT_FALSE(refused.message.empty());
  ::close(fd);

  // A listener that accepts nothing: once its queue is full, SYNs are not answered.
  const auto [full, full_port] = BindLoopback(SOCK_STREAM, "127.0.0.1");
  ASSERT_EQ(::listen(full, 0), 0);
  std::vector<int> fill;
  for (int i = 0; i < 4; i++) {
    fill.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
    const sockaddr_in in = LoopbackAddress("127.0.0.1", full_port);
    ::connect(fill.back(), reinterpret_cast<const sockaddr*>(&in), sizeof in);
  }
  auto fetch = MakeFetch("http://127.0.0.1:" + std::to_string(full_port) + "/");
  fetch->request.limits.connect_time = milliseconds(150);
  EXPECT_EQ(fetcher.Get(std::move(fetch))->response.outcome, Outcome::kConnectTimeout);
  for (const int each : fill) ::close(each);
  ::close(full);
}

TEST(FetcherTest, RefusesAddressesThatTheGuardRefuses) {
  ScriptedServer server(ScriptedServer::Always(kHello), "0.0.0.0");
  Collector collector;
  auto strict = OpenCurlFetcher({.guard = AddressGuard({*IpPrefix::Parse("127.0.0.1")})});
  ASSERT_TRUE(strict.ok());
  (*strict)->Start(collector);
  const std::string port = ":" + std::to_string(server.port()) + "/";
  const auto get = [&](std::unique_ptr<Fetch> fetch) {
    (*strict)->Submit(std::move(fetch));
    return std::move(collector.Take(1).front());
  };
  EXPECT_EQ(get(MakeFetch("http://name.test" + port, "127.0.0.1"))->response.outcome, Outcome::kOk);
  // The name now has a private address: the open connection must not be used either.
  const auto rebound = get(MakeFetch("http://name.test" + port, "127.0.0.2"));
  EXPECT_EQ(rebound->response.outcome, Outcome::kAddressRefused);
  EXPECT_EQ(rebound->response.message,
            "127.0.0.2 is loopback (RFC 1122); to fetch from such addresses, give --allow-private");
  for (const char* host :
       {"127.0.0.2", "2130706434", "0x7f.2", "[::1]", "[::ffff:127.0.0.2]", "[::127.0.0.2]",
        "[64:ff9b::7f00:2]", "0.0.0.0", "10.0.0.1", "169.254.169.254", "[fe80::1]"}) {
    // The literal counts, whatever addresses the caller gives.
    const auto fetch = get(MakeFetch(std::string("http://") + host + port, "127.0.0.1"));
    EXPECT_EQ(fetch->response.outcome, Outcome::kAddressRefused) << host;
  }
  // Only the allowed ones of several addresses are used.
  auto mixed = MakeFetch("http://name.test" + port, "10.0.0.1");
  mixed->request.addresses.push_back(*IpAddress::Parse("127.0.0.1"));
  EXPECT_EQ(get(std::move(mixed))->response.outcome, Outcome::kOk);
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
  auto fetch = MakeFetch(server.Url());
  fetch->request.limits.body_bytes = 250'000;
  fetch = fetcher.Get(std::move(fetch));
  EXPECT_EQ(fetch->response.outcome, Outcome::kBodyTooLarge);
  EXPECT_EQ(fetch->response.truncation, Truncation::kLength);
  EXPECT_EQ(fetch->response.status, 200);
  EXPECT_EQ(fetch->response.body, std::string(250'000, 'x'));
}

TEST(FetcherTest, TakesABodyOfExactlyTheLimit) {
  ScriptedServer server(ScriptedServer::Always(kHello));
  TestFetcher fetcher;
  for (const uint64_t limit : {0u, 4u, 5u, 6u}) {
    auto fetch = MakeFetch(server.Url());
    fetch->request.limits.body_bytes = limit;
    fetch = fetcher.Get(std::move(fetch));
    EXPECT_EQ(fetch->response.outcome, limit < 5 ? Outcome::kBodyTooLarge : Outcome::kOk) << limit;
    EXPECT_EQ(fetch->response.body, std::string("hello").substr(0, limit));
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
    auto fetch = MakeFetch("http://h" + std::to_string(i % 20) + ".test:" + std::to_string(server.port()) +
                           "/page" + std::to_string(i));
    fetch->id = i;
    fetcher->Submit(std::move(fetch));
  }
  std::set<uint64_t> seen;
  for (const auto& fetch : fetcher.collector().Take(kCount)) {
    EXPECT_EQ(fetch->response.outcome, Outcome::kOk) << fetch->response.message;
    EXPECT_EQ(fetch->response.body, "/page" + std::to_string(fetch->id));
    seen.insert(fetch->id);
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
    auto fetch = MakeFetch(server.Url());
    fetch->id = id;
    fetcher->Submit(std::move(fetch));
  }
  fetcher->Cancel(2);
  const auto one = fetcher.collector().Take(1);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0]->id, 2u);
  EXPECT_EQ(one[0]->response.outcome, Outcome::kCancelled);
  fetcher->Cancel(77);
  fetcher->Abort();
  EXPECT_EQ(fetcher.collector().Take(2).size(), 2u);
  EXPECT_EQ(fetcher.Get(server.Url()).outcome, Outcome::kCancelled);
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
    auto fetcher = OpenCurlFetcher({.guard = AddressGuard::AllowingAll(), .loops = 2});
    ASSERT_TRUE(fetcher.ok());
    (*fetcher)->Start(collector);
    for (int i = 0; i < 100; i++) {
      (*fetcher)->Submit(
          MakeFetch("http://h" + std::to_string(i) + ".test:" + std::to_string(server.port())));
    }
  }
  const auto all = collector.Take(100);
  EXPECT_EQ(all.size(), 100u);
  for (const auto& fetch : all) EXPECT_EQ(fetch->response.outcome, Outcome::kCancelled);
}

TEST(FetcherTest, RefusesOptionsThatMakeNoSense) {
  EXPECT_EQ(OpenCurlFetcher({.loops = 0}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(OpenCurlFetcher({.proxy = "proxy:3128"}).status().code(), StatusCode::kInvalidArgument);
}

TEST(FetcherTest, GivesBackWhatTheCallerAttached) {
  struct Note final : Payload {
    explicit Note(int value) : number(value) {}
    int number;
  };
  ScriptedServer server(ScriptedServer::Always(kHello));
  TestFetcher fetcher;
  for (const auto& url : {server.Url(), std::string("ftp://name.test/")}) {
    auto fetch = MakeFetch(url);
    auto note = std::make_unique<Note>(7);
    const Payload* const attached = note.get();
    fetch->payload = std::move(note);
    fetch = fetcher.Get(std::move(fetch));
    EXPECT_EQ(fetch->payload.get(), attached) << url;
    EXPECT_EQ(static_cast<const Note&>(*fetch->payload).number, 7);
  }
}

TEST(FetcherTest, StampsResponsesByTheClockItIsGiven) {
  const ManualClock clock(WallTime(std::chrono::hours(24 * 365)));
  ScriptedServer server(ScriptedServer::Always(kHello));
  TestFetcher fetcher({.clock = &clock});
  const Response response = fetcher.Get(server.Url());
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(response.timings.start, clock.Wall());
  EXPECT_EQ(response.timings.start_monotonic, clock.Now());
  EXPECT_EQ(response.timings.end, Duration::zero());
}

TEST(FetcherTest, MeasuresItsTimeLimitByTheClockItIsGiven) {
  ManualClock clock;
  std::promise<void> asked;
  ScriptedServer server([&](Connection& connection) {
    connection.ReadHead();
    asked.set_value();
    connection.WaitForEnd();
  });
  TestFetcher fetcher({.clock = &clock});
  auto fetch = MakeFetch(server.Url());
  fetch->request.limits.total_time = std::chrono::hours(3);
  fetcher->Submit(std::move(fetch));
  asked.get_future().wait();
  clock.Advance(std::chrono::hours(4));
  fetch = std::move(fetcher.collector().Take(1).front());
  EXPECT_EQ(fetch->response.outcome, Outcome::kTimeout);
  EXPECT_EQ(fetch->response.timings.end, std::chrono::hours(4));
}

TEST(FetcherTest, NamesEveryOutcomeDifferently) {
  std::set<std::string_view> names;
  for (int i = 0; i < kOutcomes; i++) names.insert(OutcomeName(static_cast<Outcome>(i)));
  EXPECT_EQ(names.size(), static_cast<size_t>(kOutcomes));
  EXPECT_EQ(names.count("unknown"), 0u);
}

}  // namespace
}  // namespace crivello::fetch
