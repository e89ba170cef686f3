// SPDX-License-Identifier: Apache-2.0
// Subscriptions to feeds, on a clock that the test advances; the test plays the hubs.
#include "feeds/websub_desk.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/signing/secure_random.h"

namespace crivello::feeds {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using HubMode = HubQuestion::Mode;
using HubVerdict = WebSubDesk::Verdict;

constexpr const char* kFeed = "https://a.example/feed";
constexpr const char* kTopic = "https://a.example/feed?as=topic";
constexpr const char* kHub = "https://hub.example/";

std::string SignatureOf(const std::string& secret, const std::string& body, MacHash hash = MacHash::kSha256,
                        const std::string& name = "sha256") {
  std::string text = name + "=";
  const auto code = Hmac(hash, secret, body);
  EXPECT_TRUE(code.ok());
  for (const char c : *code) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

// A crawl and hubs that the test controls.
class ScriptedHubs final : public WebSubCrawl {
 public:
  Status ForEachFeed(const std::function<void(PushedFeed feed)>& visit) override {
    for (const auto& [url, feed] : feeds) visit(feed);
    return Status::Ok();
  }
  Status Load(const std::function<void(std::string, std::vector<Subscription>)>& visit) override {
    for (const auto& [url, bytes] : stored) {
      auto subscriptions = DecodeSubscriptions(bytes);
      EXPECT_TRUE(subscriptions.ok());
      visit(url, *std::move(subscriptions));
    }
    return Status::Ok();
  }
  Status Save(const std::string& feed, const std::vector<Subscription>& subscriptions) override {
    if (full) return Status::IoError("no space left on device");
    saves++;
    if (subscriptions.empty()) {
      stored.erase(feed);
    } else {
      stored[feed] = EncodeSubscriptions(subscriptions);
    }
    return Status::Ok();
  }
  void Send(HubRequest request) override { sent.push_back(std::move(request)); }
  Status Hint(const std::string& feed) override {
    hints.push_back(feed);
    return Status::Ok();
  }
  Result<std::optional<uint64_t>> PollSince(const std::string& feed, int64_t since) override {
    polls.push_back({feed, since});
    return poll_brings;
  }

  std::map<std::string, PushedFeed> feeds;
  std::map<std::string, std::string> stored;
  bool full = false;
  int saves = 0;
  std::vector<HubRequest> sent;
  std::vector<std::string> hints;
  std::vector<std::pair<std::string, int64_t>> polls;
  std::optional<uint64_t> poll_brings = 1;
};

class WebSubDeskTest : public testing::Test {
 protected:
  WebSubDeskTest() { Open(); }
  void Open() {
    desk_ = nullptr;
    auto desk = WebSubDesk::Open(hubs_, clock_, random_, options_);
    ASSERT_TRUE(desk.ok()) << desk.status().ToString();
    desk_ = *std::move(desk);
  }
  void Look() { EXPECT_TRUE(desk_->Look().ok()); }
  void Pass(Duration time) {
    clock_.Advance(time);
    Look();
  }
  void Follow(std::vector<std::string> hubs = {kHub}) {
    hubs_.feeds[kFeed] = {.url = kFeed, .topic = kTopic, .hubs = std::move(hubs)};
  }
  std::vector<Subscription> Stored(const std::string& feed = kFeed) {
    if (!hubs_.stored.contains(feed)) return {};
    auto all = DecodeSubscriptions(hubs_.stored[feed]);
    EXPECT_TRUE(all.ok());
    return *all;
  }
  Subscription Only() {
    const auto all = Stored();
    EXPECT_THAT(all, SizeIs(1));
    return all.empty() ? Subscription() : all.front();
  }
  HubVerdict Ask(const Subscription& one, HubMode mode = HubMode::kSubscribe,
                 std::optional<int64_t> lease = 86400) {
    return desk_->Verify(one.id, {.mode = mode, .topic = one.topic, .challenge = "c", .lease_s = lease});
  }
  // A verified subscription to the feed.
  Subscription Subscribed(std::optional<int64_t> lease = 86400) {
    Follow();
    Look();
    EXPECT_EQ(Ask(Only(), HubMode::kSubscribe, lease), HubVerdict::kEcho);
    hubs_.sent.clear();
    return Only();
  }
  HubVerdict Deliver(const Subscription& one, const std::string& body) {
    return desk_->Deliver(one.id, SignatureOf(one.secret, body), body);
  }
  int64_t now() const { return clock_.Wall().time_since_epoch() / seconds(1); }

  ScriptedHubs hubs_;
  ManualClock clock_{WallTime(seconds(1'800'000'000))};
  SecureRandom random_;
  WebSubOptions options_ = {.public_url = "https://push.example/"};
  std::unique_ptr<WebSubDesk> desk_;
};

TEST_F(WebSubDeskTest, AsksTheHubAndEchoesItsChallengeOnce) {
  Follow();
  Look();
  ASSERT_THAT(hubs_.sent, SizeIs(1));
  const Subscription one = Only();
  EXPECT_EQ(hubs_.sent[0].hub, kHub);
  EXPECT_EQ(hubs_.sent[0].form,
            "hub.callback=https%3A%2F%2Fpush.example%2Fwebsub%2F" + one.id +
                "&hub.mode=subscribe&hub.topic=https%3A%2F%2Fa.example%2Ffeed%3Fas%3Dtopic"
                "&hub.lease_seconds=864000&hub.secret=" +
                one.secret);
  EXPECT_EQ(one.id.size(), Subscription::kIdBytes);
  EXPECT_EQ(one.pending, Subscription::Pending::kSubscribe) << "durable before the hub hears of it";
  EXPECT_FALSE(one.active(now()));
  EXPECT_EQ(desk_->stats().subscriptions, 1u);
  EXPECT_EQ(desk_->stats().active, 0u);

  EXPECT_EQ(Ask(one), HubVerdict::kEcho);
  EXPECT_EQ(Only().lease_end, now() + 86400) << "durable before the hub has its challenge back";
  EXPECT_EQ(desk_->stats().active, 1u);
  EXPECT_EQ(Ask(one), HubVerdict::kUnknown) << "a verification that comes again";
  desk_->Answered(hubs_.sent[0].ticket, {.status = 202});
  Pass(seconds(2));
  EXPECT_THAT(hubs_.sent, SizeIs(1));
  EXPECT_EQ(Only().failures, 0u);
}

TEST_F(WebSubDeskTest, VerifiesNothingThatWasNotAskedFor) {
  Follow();
  Look();
  const Subscription one = Only();
  EXPECT_EQ(desk_->Verify("0123456789abcdefghijklmnopqrstuv", {.topic = kTopic, .challenge = "c"}),
            HubVerdict::kUnknown);
  EXPECT_EQ(desk_->Verify(one.id, {.topic = kFeed, .challenge = "c"}), HubVerdict::kUnknown)
      << "another topic";
  EXPECT_EQ(Ask(one, HubMode::kUnsubscribe), HubVerdict::kUnknown);
  EXPECT_EQ(desk_->stats().unsolicited, 3u);
  clock_.Advance(options_.patience);
  EXPECT_EQ(Ask(one), HubVerdict::kUnknown) << "too late";
  EXPECT_EQ(desk_->stats().active, 0u);
}

TEST_F(WebSubDeskTest, ClampsLeases) {
  for (const auto& [asked, lease] :
       std::vector<std::pair<std::optional<int64_t>, int64_t>>{{std::nullopt, kAskedLease},
                                                               {0, kLeastLease},
                                                               {1, kLeastLease},
                                                               {3600, 3600},
                                                               {1e12, kMostLease}}) {
    hubs_.stored.clear();
    Open();
    EXPECT_EQ(Subscribed(asked).lease_end, now() + lease);
  }
}

TEST_F(WebSubDeskTest, RenewsBeforeTheLeaseEnds) {
  const Subscription one = Subscribed(86400);
  Pass(hours(17));
  EXPECT_THAT(hubs_.sent, IsEmpty());
  Pass(hours(1) + seconds(1));
  ASSERT_THAT(hubs_.sent, SizeIs(1));
  EXPECT_THAT(hubs_.sent[0].form, HasSubstr(one.id)) << "the same callback";
  EXPECT_EQ(desk_->stats().active, 1u) << "the old lease holds meanwhile";
  EXPECT_EQ(Deliver(one, "meanwhile"), HubVerdict::kTaken);
  EXPECT_EQ(Ask(one), HubVerdict::kEcho);
  EXPECT_EQ(Only().lease_end, now() + 86400);
}

TEST_F(WebSubDeskTest, AHubThatFailsIsAskedLessAndLess) {
  Follow();
  std::vector<int64_t> times;
  hubs_.sent.clear();
  for (int minute = 0; minute < 24 * 60; ++minute) {
    Look();
    for (const HubRequest& request : hubs_.sent) {
      times.push_back(now());
      desk_->Answered(request.ticket, {.status = 503});
    }
    hubs_.sent.clear();
    clock_.Advance(minutes(1));
  }
  ASSERT_GE(times.size(), 8u);
  EXPECT_LE(times.size(), 13u);
  for (size_t i = 2; i < times.size(); ++i) EXPECT_GE(times[i] - times[i - 1], times[i - 1] - times[i - 2]);
  EXPECT_EQ(Only().trouble, "the hub answered 503");
  EXPECT_EQ(desk_->stats().failing, 1u);
}

TEST_F(WebSubDeskTest, HeedsWhatAHubAsksFor) {
  Follow();
  Look();
  desk_->Answered(hubs_.sent.back().ticket, {.status = 429, .retry_after_s = 7200});
  EXPECT_EQ(desk_->stats().failing, 1u);
  Pass(hours(2) - seconds(3));
  EXPECT_THAT(hubs_.sent, SizeIs(1));
  Pass(seconds(4));
  ASSERT_THAT(hubs_.sent, SizeIs(2));
  // It denies the subscription: once a day is often enough.
  EXPECT_EQ(desk_->Verify(Only().id, {.mode = HubMode::kDenied, .topic = kTopic, .reason = "no room"}),
            HubVerdict::kTaken);
  Pass(hours(23));
  EXPECT_THAT(Only().trouble, HasSubstr("no room"));
  EXPECT_THAT(hubs_.sent, SizeIs(2));
  Pass(hours(2));
  EXPECT_THAT(hubs_.sent, SizeIs(3));
}

TEST_F(WebSubDeskTest, AVerificationThatDoesNotComeIsAFailure) {
  Follow();
  Look();
  desk_->Answered(hubs_.sent[0].ticket, {.status = 202});
  Pass(minutes(59));
  EXPECT_THAT(hubs_.sent, SizeIs(1));
  Pass(minutes(2));
  EXPECT_THAT(Only().trouble, HasSubstr("not verified"));
  Pass(minutes(3));
  EXPECT_THAT(hubs_.sent, SizeIs(2));
}

TEST_F(WebSubDeskTest, ADeliveryHasTheFeedPolledAndNothingElse) {
  const Subscription one = Subscribed();
  hubs_.poll_brings = std::nullopt;  // not polled yet
  EXPECT_EQ(Deliver(one, "<rss>anything</rss>"), HubVerdict::kTaken);
  const int64_t delivered = now();
  Pass(seconds(1));
  Pass(seconds(1));
  EXPECT_THAT(hubs_.hints, testing::ElementsAre(kFeed)) << "once for a delivery";
  ASSERT_THAT(hubs_.polls, SizeIs(2));
  EXPECT_EQ(hubs_.polls[0], std::pair(std::string(kFeed), delivered));
  hubs_.poll_brings = 3;
  Pass(seconds(1));
  Pass(minutes(1));
  EXPECT_THAT(hubs_.polls, SizeIs(3)) << "the poll has been made";
  EXPECT_EQ(Only().deliveries, 1u);
  EXPECT_EQ(Only().last_delivery, delivered);
}

TEST_F(WebSubDeskTest, TakesSha2AndRefusesForgedDeliveries) {
  const Subscription one = Subscribed();
  const std::string body = "news";
  EXPECT_EQ(desk_->Deliver(one.id, SignatureOf(one.secret, "1", MacHash::kSha384, "sha384"), "1"),
            HubVerdict::kTaken);
  EXPECT_EQ(desk_->Deliver(one.id, SignatureOf(one.secret, "2", MacHash::kSha512, "SHA512"), "2"),
            HubVerdict::kTaken);
  const std::string right = SignatureOf(one.secret, body);
  const std::vector<std::string> forged = {
      "",
      right.substr(7),
      "sha256=",
      "sha1=" + right.substr(7, 40),
      "sha1=5d61605c3feea9799210ddcb71307d4ba264225f",
      "sha256=" + right.substr(7, 62),
      "sha512=" + right.substr(7),
      "sha256=" + right.substr(7) + "00",
      "sha256=" + std::string(64, 'g'),
      SignatureOf("another secret", body),
      SignatureOf(one.secret, "other news"),
      "md5=" + right.substr(7, 32),
  };
  for (const std::string& signature : forged) {
    EXPECT_EQ(desk_->Deliver(one.id, signature, body), HubVerdict::kForged) << signature;
  }
  Pass(seconds(10));
  EXPECT_EQ(desk_->stats().forged, forged.size());
  EXPECT_EQ(Only().refused, forged.size());
  EXPECT_EQ(Only().deliveries, 2u);
  EXPECT_EQ(desk_->Deliver(one.id, right, body), HubVerdict::kTaken) << "what is forged takes no place";
}

TEST_F(WebSubDeskTest, AReplayCostsNothing) {
  const Subscription one = Subscribed();
  EXPECT_EQ(Deliver(one, "news"), HubVerdict::kTaken);
  Pass(seconds(1));
  EXPECT_THAT(hubs_.polls, SizeIs(1));
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(Deliver(one, "news"), HubVerdict::kTaken);
  Pass(minutes(10));
  EXPECT_THAT(hubs_.polls, SizeIs(1));
  EXPECT_THAT(hubs_.hints, SizeIs(1));
  EXPECT_EQ(Only().repeated, 1000u);
  // Also after a restart.
  Open();
  EXPECT_EQ(Deliver(one, "news"), HubVerdict::kTaken);
  Pass(minutes(10));
  EXPECT_THAT(hubs_.polls, SizeIs(1));
  EXPECT_EQ(desk_->stats().repeated, 1u);
}

TEST_F(WebSubDeskTest, RefusesWhatNobodySubscribedTo) {
  Follow();
  Look();
  const Subscription pending = Only();
  EXPECT_EQ(Deliver(pending, "too early"), HubVerdict::kGone);
  EXPECT_EQ(desk_->Deliver("0123456789abcdefghijklmnopqrstuv", "", "x"), HubVerdict::kGone);
  EXPECT_EQ(Ask(pending, HubMode::kSubscribe, 3600), HubVerdict::kEcho);
  EXPECT_EQ(Deliver(pending, "in time"), HubVerdict::kTaken);
  clock_.Advance(hours(1));
  EXPECT_EQ(Deliver(pending, "too late"), HubVerdict::kGone);
  EXPECT_EQ(desk_->stats().unsolicited, 3u);
}

// A hub that lies causes fewer and fewer polls, one an hour in the end.
TEST_F(WebSubDeskTest, DeliveriesForNothingHaveTheFeedPolledRarely) {
  const Subscription one = Subscribed(kMostLease);
  hubs_.poll_brings = 0;
  int deliveries = 0;
  for (int i = 0; i < 24 * 360; ++i) {
    EXPECT_EQ(Deliver(one, "lie " + std::to_string(++deliveries)), HubVerdict::kTaken);
    Pass(seconds(10));
  }
  EXPECT_LE(hubs_.polls.size(), 24u + 10u);
  EXPECT_GE(hubs_.polls.size(), 24u);
  EXPECT_EQ(hubs_.hints.size(), hubs_.polls.size());
  hubs_.poll_brings = 1;
  Pass(hours(1));
  hubs_.polls.clear();
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(Deliver(one, "true " + std::to_string(i)), HubVerdict::kTaken);
    Pass(seconds(10));
  }
  EXPECT_THAT(hubs_.polls, SizeIs(6));
}

TEST_F(WebSubDeskTest, LeavesTheHubsOfAFeedThatIsRemoved) {
  const Subscription one = Subscribed();
  hubs_.feeds.clear();
  Pass(seconds(2));
  ASSERT_THAT(hubs_.sent, SizeIs(1));
  EXPECT_THAT(hubs_.sent[0].form, HasSubstr("hub.mode=unsubscribe"));
  EXPECT_EQ(hubs_.sent[0].form.find("secret"), std::string::npos);
  EXPECT_EQ(Deliver(one, "late"), HubVerdict::kGone);
  EXPECT_EQ(Ask(one), HubVerdict::kUnknown) << "nobody asked to subscribe";
  EXPECT_EQ(Ask(one, HubMode::kUnsubscribe), HubVerdict::kEcho);
  Pass(seconds(2));
  EXPECT_THAT(hubs_.stored, IsEmpty());
  EXPECT_EQ(Ask(one, HubMode::kUnsubscribe), HubVerdict::kUnknown);
  EXPECT_THAT(hubs_.sent, SizeIs(1));
}

TEST_F(WebSubDeskTest, LeavesAHubThatDoesNotAnswer) {
  Subscribed(kMostLease);
  hubs_.feeds.clear();
  size_t answered = 0;
  for (int i = 0; i < 24 * 60 && hubs_.stored.contains(kFeed); ++i) {
    Pass(minutes(1));
    for (; answered < hubs_.sent.size(); ++answered) {
      desk_->Answered(hubs_.sent[answered].ticket, {.status = 0, .trouble = "timeout"});
    }
  }
  EXPECT_THAT(hubs_.stored, IsEmpty());
  EXPECT_THAT(hubs_.sent, SizeIs(3));
}

TEST_F(WebSubDeskTest, FollowsTheHubsThatTheFeedNames) {
  Follow({"https://1.example/", "https://2.example/", "https://3.example/"});
  Look();
  EXPECT_THAT(hubs_.sent, SizeIs(3));
  std::set<std::string> ids, secrets;
  for (const Subscription& one : Stored()) {
    ids.insert(one.id);
    secrets.insert(one.secret);
    EXPECT_EQ(Ask(one), HubVerdict::kEcho);
  }
  EXPECT_THAT(ids, SizeIs(3));
  EXPECT_THAT(secrets, SizeIs(3));
  Follow({"https://2.example/", "https://4.example/"});
  hubs_.sent.clear();
  Pass(seconds(2));
  int left = 0;
  for (const HubRequest& request : hubs_.sent) {
    left += request.form.find("hub.mode=unsubscribe") != std::string::npos ? 1 : 0;
  }
  EXPECT_THAT(hubs_.sent, SizeIs(3));
  EXPECT_EQ(left, 2);
  EXPECT_EQ(desk_->stats().subscriptions, 2u);
  EXPECT_EQ(desk_->stats().active, 1u);
}

TEST_F(WebSubDeskTest, AnotherPublicUrlIsAnotherSubscription) {
  const Subscription before = Subscribed();
  options_.public_url = "https://new.example/deep";
  Open();
  Look();
  ASSERT_THAT(Stored(), SizeIs(2));
  EXPECT_TRUE(Stored()[0].leaving);
  EXPECT_NE(Stored()[1].id, before.id);
  EXPECT_EQ(Stored()[1].Callback(), "https://new.example/deep/websub/" + Stored()[1].id);
}

TEST_F(WebSubDeskTest, ARestartLosesNothing) {
  Follow();
  Look();
  const Subscription one = Only();
  Open();
  EXPECT_EQ(Ask(one), HubVerdict::kEcho) << "what was pending is pending";
  Open();
  Pass(seconds(2));
  EXPECT_THAT(hubs_.sent, SizeIs(1)) << "it is not asked for again";
  EXPECT_EQ(Deliver(one, "news"), HubVerdict::kTaken);
}

TEST_F(WebSubDeskTest, AHubHearsNothingThatIsNotOnTheDisk) {
  Follow();
  Look();
  const Subscription one = Only();
  hubs_.full = true;
  EXPECT_EQ(Ask(one), HubVerdict::kBusy);
  EXPECT_EQ(desk_->stats().active, 0u);
  hubs_.full = false;
  EXPECT_EQ(Ask(one), HubVerdict::kEcho);
}

TEST_F(WebSubDeskTest, ManyFeedsAreAskedForAFewAtATime) {
  options_.subscriptions = 100;
  options_.requests = 8;
  Open();
  for (int i = 0; i < 150; ++i) {
    const std::string url = "https://a.example/" + std::to_string(i);
    hubs_.feeds[url] = {.url = url, .topic = url, .hubs = {kHub}};
  }
  size_t answered = 0;
  for (int i = 0; i < 20; ++i) {
    Pass(seconds(1));
    EXPECT_LE(hubs_.sent.size() - answered, 8u);
    for (; answered < hubs_.sent.size(); ++answered) {
      desk_->Answered(hubs_.sent[answered].ticket, {.status = 202});
    }
  }
  EXPECT_THAT(hubs_.sent, SizeIs(100));
  EXPECT_EQ(desk_->stats().subscriptions, 100u);
  EXPECT_EQ(desk_->stats().left_out, 50u);
}

}  // namespace
}  // namespace crivello::feeds
