// SPDX-License-Identifier: Apache-2.0
#include "serve/push/websub_site.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/signing/secure_random.h"

namespace crivello::serve {
namespace {

// One feed, at one hub.
class OneHub final : public feeds::WebSubCrawl {
 public:
  Status ForEachFeed(const std::function<void(feeds::PushedFeed feed)>& visit) override {
    visit({.url = "https://a.example/feed",
           .topic = "https://a.example/feed",
           .hubs = {"https://hub.example/"}});
    return Status::Ok();
  }
  Status Load(const std::function<void(std::string, std::vector<feeds::Subscription>)>&) override {
    return Status::Ok();
  }
  Status Save(const std::string&, const std::vector<feeds::Subscription>& subscriptions) override {
    one = subscriptions.at(0);
    return Status::Ok();
  }
  void Send(feeds::HubRequest) override {}
  Status Hint(const std::string&) override { return Status::Ok(); }
  Result<std::optional<uint64_t>> PollSince(const std::string&, int64_t) override {
    return std::optional<uint64_t>(1);
  }
  feeds::Subscription one;
};

class WebSubSiteTest : public testing::Test {
 protected:
  WebSubSiteTest() {
    auto desk = feeds::WebSubDesk::Open(hub_, clock_, random_, {.public_url = "https://push.example/"});
    EXPECT_TRUE(desk.ok() && (*desk)->Look().ok());
    desk_ = *std::move(desk);
    site_ = std::make_unique<WebSubSite>(*desk_);
  }
  std::string path() const { return "/websub/" + hub_.one.id; }
  HttpResponse Get(const HttpFields& parameters) {
    return site_->Handle({.path = path(), .parameters = parameters});
  }
  HttpFields Verification() const {
    return {{"hub.mode", "subscribe"},
            {"hub.topic", hub_.one.topic},
            {"hub.challenge", "<b>challenge</b>"},
            {"hub.lease_seconds", "3600"}};
  }

  OneHub hub_;
  ManualClock clock_{WallTime(std::chrono::seconds(1'800'000'000))};
  SecureRandom random_;
  std::unique_ptr<feeds::WebSubDesk> desk_;
  std::unique_ptr<WebSubSite> site_;
};

TEST_F(WebSubSiteTest, EchoesAChallengeOnceAsPlainText) {
  const HttpResponse answer = Get(Verification());
  EXPECT_EQ(answer.status, 200u);
  EXPECT_EQ(answer.body, "<b>challenge</b>");
  EXPECT_EQ(answer.type, "text/plain; charset=utf-8");
  EXPECT_EQ(Get(Verification()).status, 404u);
}

TEST_F(WebSubSiteTest, TakesSignedDeliveries) {
  HttpRequest request = {.method = "POST", .path = path(), .body = "news"};
  EXPECT_EQ(site_->Handle(request).status, 410u) << "not verified";
  EXPECT_EQ(Get(Verification()).status, 200u);
  EXPECT_EQ(site_->Handle(request).status, 403u);
  std::string hex;
  for (const char c : *Hmac(MacHash::kSha256, hub_.one.secret, "news"))
    hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  request.headers = {{"x-hub-signature", "sha256=" + hex}};
  EXPECT_EQ(site_->Handle(request).status, 202u);
  EXPECT_EQ(site_->Handle(request).status, 202u) << "a hub that repeats itself is not to try on and on";
  EXPECT_EQ(desk_->stats().deliveries, 1u);
  EXPECT_EQ(desk_->stats().repeated, 1u);
}

TEST_F(WebSubSiteTest, RefusesWhatIsWrong) {
  for (const char* path : {"/websub/", "/websub/1", "/websub/0123456789abcdefghijklmnopqrstu/",
                           "/websub/0123456789abcdefghijklmnopqrstuv", "/websub/../indexnow"}) {
    EXPECT_EQ(site_->Handle({.path = path, .parameters = Verification()}).status, 404u) << path;
  }
  EXPECT_EQ(site_->Handle({.method = "DELETE", .path = path()}).status, 405u);
  const auto with = [&](const std::string& name, const std::string& value) {
    HttpFields parameters = Verification();
    for (auto& [key, was] : parameters) {
      if (key == name) was = value;
    }
    return Get(parameters).status;
  };
  EXPECT_EQ(Get({}).status, 400u);
  EXPECT_EQ(with("hub.mode", "publish"), 400u);
  EXPECT_EQ(with("hub.topic", ""), 400u);
  EXPECT_EQ(with("hub.topic", "https://b.example/feed"), 404u);
  EXPECT_EQ(with("hub.challenge", ""), 400u);
  EXPECT_EQ(with("hub.challenge", std::string(feeds::kMostChallengeBytes + 1, 'x')), 400u);
  EXPECT_EQ(with("hub.lease_seconds", "-1"), 400u);
  EXPECT_EQ(with("hub.lease_seconds", "1e9"), 400u);
  EXPECT_EQ(with("hub.lease_seconds", "9999999999999"), 400u);
  EXPECT_EQ(with("hub.mode", "unsubscribe"), 404u);
  EXPECT_EQ(desk_->stats().active, 0u);
  EXPECT_EQ(Get(Verification()).status, 200u);
}

}  // namespace
}  // namespace crivello::serve
