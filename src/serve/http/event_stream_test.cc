// SPDX-License-Identifier: Apache-2.0
#include "serve/http/event_stream.h"

#include <gmock/gmock.h>
#include <sys/socket.h>

#include <chrono>
#include <thread>

#include "serve/http/http_server.h"
#include "serve/http/http_test_client.h"

namespace crivello::serve {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

TEST(EventStreamTest, GivesEachSubscriberWhatIsPublishedAndTheLastThingBefore) {
  EventStream stream;
  stream.Publish("crawl", "0");
  stream.Publish("crawl", "1");
  const auto first = stream.Subscribe();
  stream.Publish("crawl", "2");
  const auto second = stream.Subscribe();
  EXPECT_EQ(first->Take(), "event: crawl\ndata: 1\n\nevent: crawl\ndata: 2\n\n");
  EXPECT_EQ(first->Take(), "");
  EXPECT_EQ(second->Take(), "event: crawl\ndata: 2\n\n");
  EXPECT_EQ(stream.subscribers(), 2u);
}

TEST(EventStreamTest, HasRoomForSoManyAndAgainWhenOneGoes) {
  EventStream stream({.subscribers = 2});
  auto first = stream.Subscribe();
  const auto second = stream.Subscribe();
  EXPECT_EQ(stream.Subscribe(), nullptr);
  first = nullptr;
  EXPECT_NE(stream.Subscribe(), nullptr);
}

TEST(EventStreamTest, EndsTheOneThatFallsBehindAndNoOther) {
  EventStream stream({.subscribers = 2, .backlog_bytes = 100});
  const auto slow = stream.Subscribe();
  const auto quick = stream.Subscribe();
  int woken = 0;
  slow->Watch([&] { woken++; });
  for (int i = 0; i < 10; i++) {
    stream.Publish("n", "0123456789");
    EXPECT_NE(quick->Take(), "");
  }
  EXPECT_TRUE(slow->ended());
  EXPECT_EQ(slow->Take(), "");
  EXPECT_GT(woken, 1);
  EXPECT_LT(woken, 10) << "it is told of nothing when it has ended";
  EXPECT_FALSE(quick->ended());
  EXPECT_EQ(stream.subscribers(), 1u);
}

TEST(EventStreamTest, EndsAllWhenItGoes) {
  auto stream = std::make_unique<EventStream>();
  const auto subscriber = stream->Subscribe();
  stream = nullptr;
  EXPECT_TRUE(subscriber->ended());
}

// Answers /events with the stream, and everything else with a word.
class StreamHandler final : public HttpHandler {
 public:
  HttpResponse Handle(const HttpRequest& request) override {
    if (request.path != "/events") return {.body = "word"};
    HttpResponse answer = {.type = "text/event-stream"};
    answer.events = stream.Subscribe();
    return answer;
  }
  EventStream stream{{.subscribers = 4, .backlog_bytes = 1 << 20}};
};

class EventAnswersTest : public testing::Test {
 protected:
  void SetUp() override {
    auto server = HttpServer::Open({.port = 0, .counters = &counters_}, handler_);
    ASSERT_TRUE(server.ok()) << server.status().ToString();
    server_ = *std::move(server);
  }
  void AwaitStreams(uint64_t count) {
    for (int i = 0; counters_.streams.value() != count && i < 10000; i++) std::this_thread::sleep_for(1ms);
    ASSERT_EQ(counters_.streams.value(), count);
  }
  static std::string Read(int socket, size_t bytes) {
    std::string text(bytes, '\0');
    const ssize_t got = ::recv(socket, text.data(), bytes, MSG_WAITALL);
    text.resize(got < 0 ? 0 : static_cast<size_t>(got));
    return text;
  }

  HttpStats counters_;
  StreamHandler handler_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(EventAnswersTest, ComeAsTheyArePublished) {
  TestClient client(server_->port());
  const auto head = client.Get("/events", {{"Accept-Encoding", "gzip"}});
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.Header("Content-Type"), "text/event-stream");
  EXPECT_EQ(head.Header("Content-Length"), "");
  EXPECT_EQ(head.Header("ETag"), "");
  EXPECT_EQ(head.Header("Connection"), "close");
  AwaitStreams(1);
  for (const char* data : {"1", "2", "3"}) {
    handler_.stream.Publish("n", data);
    const std::string wanted = std::string("event: n\ndata: ") + data + "\n\n";
    EXPECT_EQ(Read(client.socket(), wanted.size()), wanted);
  }
}

TEST_F(EventAnswersTest, AreNoBodyOfAHead) {
  TestClient client(server_->port());
  EXPECT_EQ(client.Ask("HEAD", "/events").status, 200);
  EXPECT_TRUE(client.Ends());
  EXPECT_EQ(handler_.stream.subscribers(), 0u);
}

TEST_F(EventAnswersTest, EndWhenTheClientGoes) {
  {
    TestClient client(server_->port());
    client.Get("/events");
    AwaitStreams(1);
  }
  AwaitStreams(0);
  EXPECT_EQ(handler_.stream.subscribers(), 0u);
}

TEST_F(EventAnswersTest, EndForAReaderThatFallsBehindWhileOthersGoOn) {
  TestClient slow(server_->port());
  const int small = 4096;
  ASSERT_EQ(setsockopt(slow.socket(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
  slow.Get("/events");
  TestClient quick(server_->port());
  quick.Get("/events");
  AwaitStreams(2);
  const std::string data(256 << 10, 'x');
  const std::string event = "event: n\ndata: " + data + "\n\n";
  // Far more than the system and the backlog hold for the client that reads nothing.
  for (int i = 0; i < 64; i++) {
    handler_.stream.Publish("n", data);
    ASSERT_EQ(Read(quick.socket(), event.size()), event) << i;
  }
  AwaitStreams(1);
  EXPECT_EQ(TestClient(server_->port()).Get("/").body, "word");
}

TEST_F(EventAnswersTest, EndAtOnceWhenTheServerStops) {
  TestClient client(server_->port());
  client.Get("/events");
  AwaitStreams(1);
  const auto start = std::chrono::steady_clock::now();
  server_->Stop();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s) << "it would wait ten for what is under way";
  EXPECT_TRUE(client.Ends());
  handler_.stream.Publish("n", "to no one");
}

TEST_F(EventAnswersTest, MayBePublishedWhileTheServerStops) {
  std::atomic<bool> over = false;
  std::thread publisher([&] {
    while (!over) handler_.stream.Publish("n", "x");
  });
  TestClient client(server_->port());
  client.SendRequest("GET", "/events");
  AwaitStreams(1);
  server_ = nullptr;
  over = true;
  publisher.join();
}

}  // namespace
}  // namespace crivello::serve
