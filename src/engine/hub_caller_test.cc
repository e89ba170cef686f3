// SPDX-License-Identifier: Apache-2.0
// Subscriptions with a real hub: HTTP in both directions, on loopback.
#include "engine/hub_caller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <set>

#include "base/signing/secure_random.h"
#include "base/test_waiting.h"
#include "engine/hub_test_support.h"
#include "fetch/cares_resolver.h"
#include "fetch/curl_fetcher.h"
#include "serve/push/push_service.h"

namespace crivello::engine {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::SizeIs;

crawl::CrawlParts WebParts(bool allow_private) {
  crawl::CrawlOptions options;
  options.allow_private = allow_private;
  options.connections = 8;
  auto parts = crawl::OpenWebParts(options, {});
  EXPECT_TRUE(parts.ok()) << parts.status().ToString();
  return *std::move(parts);
}

// The answers that a caller has given.
class Answers {
 public:
  void Add(uint64_t ticket, const feeds::HubAnswer& answer) {
    const std::lock_guard lock(mu_);
    answers_[ticket] = answer;
    changed_.notify_all();
  }
  feeds::HubAnswer Await(uint64_t ticket) {
    std::unique_lock lock(mu_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::minutes(1), [&] { return answers_.contains(ticket); }));
    return answers_[ticket];
  }

 private:
  std::mutex mu_;
  std::condition_variable changed_;
  std::map<uint64_t, feeds::HubAnswer> answers_;
};

class HubCallerTest : public testing::Test {
 protected:
  std::unique_ptr<HubCaller> Caller(bool allow_private = true, Duration delay = {}) {
    return std::make_unique<HubCaller>(
        WebParts(allow_private), HubCallerOptions{.host_delay = delay},
        [this](uint64_t ticket, const feeds::HubAnswer& answer) { answers_.Add(ticket, answer); });
  }
  TestHub hub_;
  Answers answers_;
};

TEST_F(HubCallerTest, PostsAFormAndBringsTheAnswer) {
  hub_.AnswerWith("/busy", "HTTP/1.1 503 Busy\r\nRetry-After: 77\r\nContent-Length: 0\r\n\r\n");
  const auto caller = Caller();
  caller->Send({.ticket = 1, .hub = hub_.Url("/"), .form = "hub.mode=subscribe&hub.topic=a%26b"});
  EXPECT_EQ(answers_.Await(1).status, 202);
  ASSERT_THAT(hub_.asked(), SizeIs(1));
  EXPECT_EQ(hub_.asked()[0].at("hub.topic"), "a&b");
  caller->Send({.ticket = 2, .hub = hub_.Url("/busy"), .form = "x=y"});
  caller->Look();
  EXPECT_EQ(answers_.Await(2).status, 503);
  EXPECT_EQ(answers_.Await(2).retry_after_s, 77);
  caller->Send({.ticket = 3, .hub = "mailto:hub@example.org", .form = "x=y"});
  EXPECT_EQ(answers_.Await(3).status, 0);
}

TEST_F(HubCallerTest, KeepsThePrivateAddressesOfOthersOut) {
  const auto caller = Caller(/*allow_private=*/false);
  caller->Send({.ticket = 1, .hub = hub_.Url("/"), .form = "x=y"});
  EXPECT_EQ(answers_.Await(1).status, 0);
  EXPECT_THAT(answers_.Await(1).trouble, HasSubstr("127.0.0.1 is loopback"));
  EXPECT_THAT(hub_.asked(), SizeIs(0));
}

TEST_F(HubCallerTest, FollowsAFewRedirectsWithTheForm) {
  const auto moved = [&](const std::string& to, const std::string& status) {
    return "HTTP/1.1 " + status + " Moved\r\nLocation: " + to + "\r\nContent-Length: 0\r\n\r\n";
  };
  hub_.AnswerWith("/1", moved("/2", "307"));
  hub_.AnswerWith("/2", moved(hub_.Url("/3"), "308"));
  hub_.AnswerWith("/loop", moved("/loop", "308"));
  hub_.AnswerWith("/see", moved("/3", "303"));
  const auto caller = Caller();
  const auto call = [&](uint64_t ticket, const std::string& path) {
    caller->Send({.ticket = ticket, .hub = hub_.Url(path), .form = "x=" + path.substr(1)});
    // What is redirected waits for the next look.
    const std::jthread looking([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        caller->Look();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    });
    return answers_.Await(ticket);
  };
  EXPECT_EQ(call(1, "/1").status, 202);
  ASSERT_THAT(hub_.asked(), SizeIs(3));
  EXPECT_EQ(hub_.asked()[2].path, "/3");
  EXPECT_EQ(hub_.asked()[2].at("x"), "1");
  EXPECT_EQ(call(2, "/loop").status, 308);
  EXPECT_THAT(hub_.asked(), SizeIs(7));
  EXPECT_EQ(call(3, "/see").status, 303) << "it would be a GET";
  EXPECT_THAT(hub_.asked(), SizeIs(8));
}

TEST_F(HubCallerTest, SignsARequestAndEachOfItsRedirectsForItsOwnUrl) {
  hub_.AnswerWith("/1", "HTTP/1.1 307 Moved\r\nLocation: /2\r\nContent-Length: 0\r\n\r\n");
  auto key = Ed25519Key::Generate();
  ASSERT_TRUE(key.ok());
  const HubCallerOptions options = {
      .host_delay = {},
      .identity = std::make_shared<web::BotIdentity>(std::make_shared<const Ed25519Key>(*std::move(key)),
                                                     "https://bot.example/keys")};
  HubCaller caller(WebParts(true), options,
                   [this](uint64_t ticket, const feeds::HubAnswer& answer) { answers_.Add(ticket, answer); });
  caller.Send({.ticket = 1, .hub = hub_.Url("/1"), .form = "x=y"});
  // The redirect waits for the next look.
  hub_.Await(1, [&] { caller.Look(); });
  EXPECT_EQ(answers_.Await(1).status, 202);
  std::set<std::string> signatures;
  for (const TestHub::Asked& asked : hub_.asked()) {
    EXPECT_THAT(asked.head, HasSubstr("Signature-Agent: sig1=\"https://bot.example/keys\"\r\n"));
    EXPECT_THAT(asked.head, HasSubstr("Signature-Input: sig1=(\"@method\" \"@authority\" \"@path\""));
    const size_t at = asked.head.find("Signature: sig1=:");
    ASSERT_NE(at, asked.head.npos);
    signatures.insert(asked.head.substr(at, asked.head.find('\r', at) - at));
  }
  EXPECT_THAT(signatures, SizeIs(2));
}

TEST_F(HubCallerTest, LetsAHostRestBetweenTwoRequests) {
  const auto caller = Caller(true, hours(1));
  caller->Send({.ticket = 1, .hub = hub_.Url("/1"), .form = "x=y"});
  EXPECT_EQ(answers_.Await(1).status, 202);
  caller->Send({.ticket = 2, .hub = hub_.Url("/2"), .form = "x=y"});
  caller->Look();
  TestHub other;  // another port of the same host
  caller->Send({.ticket = 3, .hub = other.Url("/"), .form = "x=y"});
  caller->Look();
  EXPECT_THAT(hub_.asked(), SizeIs(1));
  EXPECT_THAT(other.asked(), SizeIs(0));
}

// One feed, whose subscriptions are in memory.
class OneFeed final : public feeds::WebSubCrawl, public feeds::IndexNowCrawl {
 public:
  Status ForEachFeed(const std::function<void(feeds::PushedFeed feed)>& visit) override {
    if (followed) visit({.url = url, .topic = url, .hubs = {hub}});
    return Status::Ok();
  }
  Status Load(const std::function<void(std::string, std::vector<feeds::Subscription>)>& visit) override {
    if (!stored.empty()) visit(url, stored);
    return Status::Ok();
  }
  Status Save(const std::string&, const std::vector<feeds::Subscription>& subscriptions) override {
    stored = subscriptions;
    return Status::Ok();
  }
  void Send(feeds::HubRequest request) override { caller->Send(std::move(request)); }
  Status Hint(const std::string&) override { return Status::Ok(); }
  Status Hint(const std::vector<std::string>&) override { return Status::Ok(); }
  Result<std::optional<uint64_t>> PollSince(const std::string&, int64_t) override {
    polls++;
    return std::optional<uint64_t>(1);
  }
  bool Wants(const std::string&) override { return true; }
  Status Fetch(const std::string&) override { return Status::Ok(); }
  Result<std::optional<std::string>> Fetched(const std::string&, WallTime) override {
    return std::optional<std::string>();
  }

  std::string url = "https://a.example/feed";
  std::string hub;
  bool followed = true;
  int polls = 0;
  std::vector<feeds::Subscription> stored;
  HubCaller* caller = nullptr;
};

// Subscribe, verify, sign, deliver, renew, end; and what is forged, repeated or not asked for.
TEST(WebSubRoundTripTest, WithAHubThatSpeaksHttp) {
  TestHub hub;
  OneFeed feed;
  feed.hub = hub.Url("/hub");
  ManualClock clock(WallTime(seconds(1'800'000'000)));
  SecureRandom random;
  auto desk = feeds::WebSubDesk::Open(feed, clock, random, {.public_url = "https://push.example/"});
  ASSERT_TRUE(desk.ok());
  HubCaller caller(WebParts(true), {.host_delay = {}}, [&](uint64_t ticket, const feeds::HubAnswer& answer) {
    (*desk)->Answered(ticket, answer);
  });
  feed.caller = &caller;
  feeds::IndexNowDesk index_now(feed, clock);
  auto service = serve::PushService::Start({.listen = "127.0.0.1:0", .public_url = "https://push.example/"},
                                           {.index_now = index_now, .websub = **desk});
  ASSERT_TRUE(service.ok()) << service.status().ToString();
  const std::string url = (*service)->url();
  const auto port = static_cast<uint16_t>(std::stoul(url.substr(url.rfind(':') + 1)));
  const auto look = [&](Duration time) {
    clock.Advance(time);
    EXPECT_TRUE((*desk)->Look().ok());
    caller.Look();
  };

  // A request waits for the answer to the one before, which may come later than the hub has seen that.
  const auto await = [&](size_t nth) { return hub.Await(nth, [&] { caller.Look(); }); };

  look({});
  const TestHub::Asked asked = await(0);
  EXPECT_EQ(asked.path, "/hub");
  EXPECT_EQ(asked.mode(), "subscribe");
  EXPECT_EQ(asked.at("hub.topic"), feed.url);
  EXPECT_EQ(asked.at("hub.secret").size(), 43u);
  EXPECT_TRUE(asked.callback().starts_with("https://push.example/websub/")) << asked.callback();

  EXPECT_EQ(TestHub::Deliver(asked, port, "unsolicited").status, 410);
  TestHub::Asked other = asked;
  other.form["hub.topic"] = "https://a.example/other";
  EXPECT_EQ(TestHub::Verify(other, port, "challenge").status, 404);
  other = asked;
  char& last = other.form["hub.callback"].back();
  last = last == 'A' ? 'B' : 'A';
  EXPECT_EQ(TestHub::Verify(other, port, "challenge").status, 404);
  const auto echo = TestHub::Verify(asked, port, "the challenge");
  EXPECT_EQ(echo.status, 200);
  EXPECT_EQ(echo.body, "the challenge");
  EXPECT_EQ(TestHub::Verify(asked, port, "the challenge").status, 404) << "replayed";

  EXPECT_EQ(TestHub::Deliver(asked, port, "<rss/>").status, 202);
  EXPECT_EQ(TestHub::Deliver(asked, port, "<rss/>").status, 202) << "replayed: taken, for nothing";
  other = asked;
  other.form["hub.secret"] = "a guess";
  EXPECT_EQ(TestHub::Deliver(other, port, "forged").status, 403);
  EXPECT_EQ(TestHub::Call("POST", asked.callback(), port, "", {}, "not signed").status, 403);
  look(seconds(1));
  EXPECT_EQ(feed.polls, 1);
  const auto stats = (*desk)->stats();
  EXPECT_EQ(stats.active, 1u);
  EXPECT_EQ(stats.deliveries, 1u);
  EXPECT_EQ(stats.repeated, 1u);
  EXPECT_EQ(stats.forged, 2u);
  EXPECT_EQ(stats.unsolicited, 4u);

  // The lease was a day: it is renewed before that, with the same callback and secret.
  look(hours(19));
  const TestHub::Asked renewed = await(1);
  EXPECT_EQ(renewed.form, asked.form);
  EXPECT_EQ(TestHub::Verify(renewed, port, "again").body, "again");
  look(hours(6));
  EXPECT_EQ(TestHub::Deliver(renewed, port, "after the first lease").status, 202);
  look(seconds(10));
  EXPECT_EQ(feed.polls, 2);

  feed.followed = false;
  look(seconds(10));
  const TestHub::Asked ended = await(2);
  EXPECT_EQ(ended.mode(), "unsubscribe");
  EXPECT_EQ(TestHub::Verify(ended, port, "the end").body, "the end");
  look(seconds(1));
  EXPECT_TRUE(feed.stored.empty());
  EXPECT_EQ(TestHub::Deliver(asked, port, "too late").status, 410);
  EXPECT_THAT(hub.asked(), SizeIs(3));
  (*service)->Stop();
}

}  // namespace
}  // namespace crivello::engine
