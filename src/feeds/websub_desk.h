// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/random.h"
#include "base/status.h"
#include "feeds/subscription.h"
#include "feeds/websub.h"

namespace crivello::feeds {

// A feed that hubs should push.
struct PushedFeed {
  std::string url = {};
  std::string topic = {};
  std::vector<std::string> hubs = {};
};

// A request to a hub, and its result.
struct HubRequest {
  uint64_t ticket = 0;
  std::string hub = {};
  std::string form = {};
};
struct HubAnswer {
  int status = 0;  // of HTTP; 0: none
  std::string trouble = {};
  std::optional<int64_t> retry_after_s = {};
};

// What a desk needs from the rest of the program.  Thread-safe.
class WebSubCrawl {
 public:
  virtual ~WebSubCrawl() = default;
  // Every feed that should be pushed and names a topic and hubs.
  virtual Status ForEachFeed(const std::function<void(PushedFeed feed)>& visit) = 0;
  // Every feed that has subscriptions, with them.
  virtual Status Load(
      const std::function<void(std::string feed, std::vector<Subscription> subscriptions)>& visit) = 0;
  // Replaces the subscriptions of the feed; durable when it returns.
  virtual Status Save(const std::string& feed, const std::vector<Subscription>& subscriptions) = 0;
  // Sends a request politely.  Its answer goes to WebSubDesk::Answered(), later and from any thread.
  virtual void Send(HubRequest request) = 0;
  // Tells the crawl, once for each delivery, that a hub says the feed has changed.
  virtual Status Hint(const std::string& feed) = 0;
  // Polls a feed, unless it has been polled since that moment (in seconds since 1970).  Then it returns how
  // many new items that poll brought.  A feed that is not in the list counts as polled.
  virtual Result<std::optional<uint64_t>> PollSince(const std::string& feed, int64_t since) = 0;
};

struct WebSubOptions {
  std::string public_url = {};  // under which hubs reach this program
  size_t subscriptions = 10'000;
  size_t requests = 32;                       // to hubs, that wait for an answer
  Duration scan = std::chrono::seconds(2);    // between two looks at the list of feeds, at least
  Duration patience = std::chrono::hours(1);  // how long a hub may take to verify
  Duration least_between_polls = std::chrono::seconds(10);  // that deliveries ask for, of one feed
  Duration count = std::chrono::seconds(5);                 // how long changed counts wait to be saved
};

// Subscribes to feeds at their hubs, answers the hubs, and polls the feeds that they deliver.
//
// A delivery is only a hint: its body is verified and dropped, and the feed is fetched from its origin. After
// polls that bring nothing new, deliveries cause fewer polls, down to one an hour.
//
// The caller calls Look() about once a second.  Memory: all subscriptions.  Thread-safe.  The
// crawl, the clock and the random source outlive it.
class WebSubDesk {
 public:
  // Reads the existing subscriptions.  `random` must be unpredictable.
  static Result<std::unique_ptr<WebSubDesk>> Open(WebSubCrawl& crawl, const Clock& clock, Random& random,
                                                  WebSubOptions options);

  // The answer to a hub.
  enum class Verdict : uint8_t {
    kEcho,     // the challenge, as the body
    kTaken,    // accepted
    kUnknown,  // there is no such callback, or no such request is pending
    kGone,     // the subscription has ended, or there never was one
    kForged,   // not signed, or not with the secret
    kBusy,     // the disk cannot store it; try again later
  };
  Verdict Verify(std::string_view id, const HubQuestion& question) CRV_EXCLUDES(mu_);
  // `signature` is X-Hub-Signature.  Linear in the body.
  Verdict Deliver(std::string_view id, std::string_view signature, std::string_view body) CRV_EXCLUDES(mu_);
  // The answer to a request that was sent.
  void Answered(uint64_t ticket, const HubAnswer& answer) CRV_EXCLUDES(mu_);

  // Starts and ends subscriptions so that they match the list of feeds, renews them, and polls feeds.  One
  // thread at a time.  Errors come from the disk.
  Status Look() CRV_EXCLUDES(mu_);

  // Saves the counts that Look() would save later.
  Status SaveCounts() CRV_EXCLUDES(mu_);

  struct Stats {
    uint64_t subscriptions = 0;  // wanted now
    uint64_t active = 0;         // of these, verified by their hubs
    uint64_t failing = 0;        // of these, whose last request failed
    uint64_t left_out = 0;       // feeds that were not subscribed to because there are too many
    uint64_t verified = 0;       // requests that hubs have verified
    uint64_t deliveries = 0;     // by their result
    uint64_t repeated = 0;
    uint64_t forged = 0;
    uint64_t unsolicited = 0;  // deliveries and verifications that were not asked for
  };
  Stats stats() const CRV_EXCLUDES(mu_);

 private:
  struct Feed {
    std::vector<Subscription> subscriptions = {};
    bool changed = false;                // and not saved yet
    bool counted = false;                // only counts have changed
    bool told = false;                   // the crawl knows about the delivery
    std::optional<int64_t> hinted = {};  // time of the last delivery, if no poll has followed
    int64_t polled = 0;                  // time of the last poll because of a delivery
    uint32_t fruitless = 0;              // such polls in a row that brought nothing
  };
  using Feeds = std::map<std::string, Feed, std::less<>>;

  WebSubDesk(WebSubCrawl& crawl, const Clock& clock, Random& random, WebSubOptions options)
      : crawl_(crawl), clock_(clock), random_(random), options_(std::move(options)) {}

  int64_t now() const;
  int64_t patience_s() const { return options_.patience / std::chrono::seconds(1); }
  // The subscription of a callback, and its feed; null if there is none.
  Subscription* Find(std::string_view id, Feed** feed) CRV_REQUIRES(mu_);
  Status Save(const std::string& url, Feed& feed) CRV_REQUIRES(mu_);
  // Makes the subscriptions match the list of feeds.
  void Match(const std::map<std::string, PushedFeed>& wanted) CRV_REQUIRES(mu_);
  void MatchFeed(const PushedFeed& wanted, Feed& feed) CRV_REQUIRES(mu_);
  // Does what a subscription needs now; false if it has ended.
  bool Step(const std::string& url, Feed& feed, Subscription& subscription) CRV_REQUIRES(mu_);
  void Ask(const std::string& url, Feed& feed, Subscription& subscription) CRV_REQUIRES(mu_);
  void Fail(std::string trouble, int64_t rest, Feed& feed, Subscription& subscription) CRV_REQUIRES(mu_);
  Status PollHinted(const std::string& url) CRV_EXCLUDES(mu_);

  WebSubCrawl& crawl_;
  const Clock& clock_;
  Random& random_;
  const WebSubOptions options_;
  std::optional<MonotonicTime> scanned_;  // of Look()
  Duration scan_took_{};
  std::optional<MonotonicTime> counted_;

  mutable Mutex mu_;
  Feeds feeds_ CRV_GUARDED_BY(mu_);
  std::unordered_map<std::string, std::string> by_id_ CRV_GUARDED_BY(mu_);  // the feed of a callback
  struct Asked {
    std::string feed;
    std::string id;
  };
  std::unordered_map<uint64_t, Asked> asked_ CRV_GUARDED_BY(mu_);  // by ticket
  std::vector<HubRequest> to_send_ CRV_GUARDED_BY(mu_);
  uint64_t tickets_ CRV_GUARDED_BY(mu_) = 0;
  Stats stats_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::feeds
