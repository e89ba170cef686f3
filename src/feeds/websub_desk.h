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

// A feed that hubs are to push.
struct PushedFeed {
  std::string url = {};
  std::string topic = {};
  std::vector<std::string> hubs = {};
};

// A request to a hub, and what came of it.
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

// What a desk asks of the rest of the program.  Thread-safe.
class WebSubCrawl {
 public:
  virtual ~WebSubCrawl() = default;
  // Every feed that is to be pushed and names a topic and hubs.
  virtual Status ForEachFeed(const std::function<void(PushedFeed feed)>& visit) = 0;
  // Every feed with subscriptions, and these.
  virtual Status Load(
      const std::function<void(std::string feed, std::vector<Subscription> subscriptions)>& visit) = 0;
  // Takes the place of what the feed had; durable when it returns.
  virtual Status Save(const std::string& feed, const std::vector<Subscription>& subscriptions) = 0;
  // Sends a request, politely; its answer goes to WebSubDesk::Answered(), later and from any thread.
  virtual void Send(HubRequest request) = 0;
  // Tells the crawl, once for each delivery, that somebody says the feed has changed.
  virtual Status Hint(const std::string& feed) = 0;
  // Has a feed polled unless it was since that moment (in seconds since 1970): then returns how many new
  // items that poll brought.  A feed that is not in the list counts as polled.
  virtual Result<std::optional<uint64_t>> PollSince(const std::string& feed, int64_t since) = 0;
};

struct WebSubOptions {
  std::string public_url = {};  // under which hubs reach this program
  size_t subscriptions = 10'000;
  size_t requests = 32;                       // to hubs, without an answer yet
  Duration scan = std::chrono::seconds(2);    // between two looks at the list of feeds, at least
  Duration patience = std::chrono::hours(1);  // for a hub to verify
  Duration least_between_polls = std::chrono::seconds(10);  // that deliveries ask for, of one feed
  Duration count = std::chrono::seconds(5);                 // how long what is only counted waits to be saved
};

// Subscribes to feeds at their hubs, answers the hubs, and has feeds polled that they deliver.
//
// What a hub delivers is a hint and nothing else: its body is checked and dropped, and the feed is fetched
// from its origin.  Polls that bring nothing new make the next ones rarer, up to once an hour.
//
// The caller calls Look() about once a second.  Memory: some 1 KiB for each subscription.  Thread-safe.  The
// crawl, the clock and the random source outlive it.
class WebSubDesk {
 public:
  // Reads the subscriptions that there are.  `random` must be a source that nobody can predict.
  static Result<std::unique_ptr<WebSubDesk>> Open(WebSubCrawl& crawl, const Clock& clock, Random& random,
                                                  WebSubOptions options);

  // What a hub is told.
  enum class Verdict : uint8_t {
    kEcho,     // the challenge, as the body
    kTaken,    // all is well
    kUnknown,  // there is no such callback, or nothing of the kind was asked for
    kGone,     // the subscription has ended, or there never was one
    kForged,   // not signed, or not by who knows the secret
    kBusy,     // the disk does not take it: come back later
  };
  Verdict Verify(std::string_view id, const HubQuestion& question) CRV_EXCLUDES(mu_);
  // `signature` is X-Hub-Signature.  Linear in the body.
  Verdict Deliver(std::string_view id, std::string_view signature, std::string_view body) CRV_EXCLUDES(mu_);
  // Of a request that was sent.
  void Answered(uint64_t ticket, const HubAnswer& answer) CRV_EXCLUDES(mu_);

  // Starts and ends subscriptions as the list of feeds wants it, renews them, and has feeds polled.  One
  // thread at a time.  An error comes from the disk.
  Status Look() CRV_EXCLUDES(mu_);

  // Saves what Look() would save in a moment.
  Status SaveCounts() CRV_EXCLUDES(mu_);

  struct Stats {
    uint64_t subscriptions = 0;  // that are to be, now
    uint64_t active = 0;         // of those, verified by their hubs
    uint64_t failing = 0;        // of those that are to be, whose last request failed
    uint64_t left_out = 0;       // feeds that were not subscribed to because there are too many
    uint64_t verified = 0;       // requests that hubs have verified
    uint64_t deliveries = 0;     // by what came of them
    uint64_t repeated = 0;
    uint64_t forged = 0;
    uint64_t unsolicited = 0;  // deliveries and verifications that nobody had asked for
  };
  Stats stats() const CRV_EXCLUDES(mu_);

 private:
  struct Feed {
    std::vector<Subscription> subscriptions = {};
    bool changed = false;                // and not saved yet
    bool counted = false;                // only counts have changed
    bool told = false;                   // the crawl knows of the delivery
    std::optional<int64_t> hinted = {};  // when it was delivered last, if no poll has followed
    int64_t polled = 0;                  // when a delivery last had it polled
    uint32_t fruitless = 0;              // such polls in a row that brought nothing
  };
  using Feeds = std::map<std::string, Feed, std::less<>>;

  WebSubDesk(WebSubCrawl& crawl, const Clock& clock, Random& random, WebSubOptions options)
      : crawl_(crawl), clock_(clock), random_(random), options_(std::move(options)) {}

  int64_t now() const;
  int64_t patience_s() const { return options_.patience / std::chrono::seconds(1); }
  // The subscription of a callback, and its feed; null: none.
  Subscription* Find(std::string_view id, Feed** feed) CRV_REQUIRES(mu_);
  Status Save(const std::string& url, Feed& feed) CRV_REQUIRES(mu_);
  // Brings the subscriptions to what the list of feeds wants.
  void Match(const std::map<std::string, PushedFeed>& wanted) CRV_REQUIRES(mu_);
  void MatchFeed(const PushedFeed& wanted, Feed& feed) CRV_REQUIRES(mu_);
  // What a subscription needs now; false: it has ended.
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
