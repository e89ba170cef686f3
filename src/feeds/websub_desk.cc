// SPDX-License-Identifier: Apache-2.0
#include "feeds/websub_desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/civil_time.h"

namespace crivello::feeds {
namespace {

using Pending = Subscription::Pending;

// Pauses after failed requests to a hub: they double from the first to the longest.
constexpr int64_t kFirstRest = 60;
constexpr int64_t kLongestRest = 6 * 3600;
// The pause after a hub has refused.
constexpr int64_t kRestOfDenied = 86400;
// Attempts to unsubscribe from a hub before the subscription is dropped without its answer.
constexpr uint32_t kLeavings = 3;
constexpr size_t kMostTroubleBytes = 512;
// Each poll without news doubles the wait before the next: 2^9 times 10 seconds are more than an hour.
constexpr uint32_t kMostDoublings = 9;
constexpr int64_t kLongestBetweenPolls = 3600;
// A slow scan is made rarely.
constexpr int kScanTimes = 50;

int64_t RestAfter(uint32_t failures) {
  return std::min(kFirstRest << std::min<uint32_t>(failures, 10), kLongestRest);
}

uint64_t FirstWord(std::string_view code) {
  uint64_t word = 0;
  for (size_t i = 0; i < 8 && i < code.size(); ++i) word = word << 8 | static_cast<uint8_t>(code[i]);
  return word;
}

}  // namespace

Result<std::unique_ptr<WebSubDesk>> WebSubDesk::Open(WebSubCrawl& crawl, const Clock& clock, Random& random,
                                                     WebSubOptions options) {
  std::vector<std::pair<std::string, std::vector<Subscription>>> stored;
  CRV_TRY(crawl.Load([&stored](std::string url, std::vector<Subscription> subscriptions) {
    stored.emplace_back(std::move(url), std::move(subscriptions));
  }));
  std::unique_ptr<WebSubDesk> desk(new WebSubDesk(crawl, clock, random, std::move(options)));
  MutexLock lock(desk->mu_);
  for (auto& [url, subscriptions] : stored) {
    for (const Subscription& one : subscriptions) desk->by_id_[one.id] = url;
    desk->feeds_[std::move(url)].subscriptions = std::move(subscriptions);
  }
  return desk;
}

int64_t WebSubDesk::now() const { return std::max<int64_t>(0, ToSeconds(clock_.Wall())); }

Subscription* WebSubDesk::Find(std::string_view id, Feed** feed) {
  const auto found = by_id_.find(std::string(id));
  if (found == by_id_.end()) return nullptr;
  *feed = &feeds_[found->second];
  for (Subscription& one : (*feed)->subscriptions) {
    if (one.id == id) return &one;
  }
  return nullptr;
}

Status WebSubDesk::Save(const std::string& url, Feed& feed) {
  CRV_TRY(crawl_.Save(url, feed.subscriptions));
  feed.changed = false;
  feed.counted = false;
  return Status::Ok();
}

WebSubDesk::Verdict WebSubDesk::Verify(std::string_view id, const HubQuestion& question) {
  using Mode = HubQuestion::Mode;
  MutexLock lock(mu_);
  Feed* feed = nullptr;
  Subscription* const one = Find(id, &feed);
  const int64_t time = now();
  const bool in_time = one != nullptr && time < one->asked + patience_s();
  const bool asked =
      one != nullptr && one->topic == question.topic &&
      (question.mode == Mode::kSubscribe     ? one->pending == Pending::kSubscribe && in_time
       : question.mode == Mode::kUnsubscribe ? one->pending == Pending::kUnsubscribe && in_time
                                             : one->pending == Pending::kSubscribe || one->active(time));
  if (!asked) {
    stats_.unsolicited++;
    return Verdict::kUnknown;
  }
  const std::string url = by_id_[one->id];
  const Subscription before = *one;
  feed->changed = true;
  switch (question.mode) {
    case Mode::kDenied:
      one->lease_end = 0;
      Fail(question.reason.empty() ? "the hub denies the subscription"
                                   : fmt::format("the hub denies the subscription: {}", question.reason),
           kRestOfDenied, *feed, *one);
      return Verdict::kTaken;
    case Mode::kSubscribe: {
      const int64_t lease = ClampLease(question.lease_s);
      one->pending = Pending::kNothing;
      one->failures = 0;
      one->trouble.clear();
      one->lease_end = time + lease;
      // Early enough for some attempts before the end.
      one->next = time + lease - lease / 4;
      break;
    }
    case Mode::kUnsubscribe:
      one->pending = Pending::kNothing;
      one->lease_end = 0;
      one->next = time;  // Look() drops it
      break;
  }
  // For the hub, the request is verified once it has the challenge back.
  if (!Save(url, *feed).ok()) {
    *one = before;
    return Verdict::kBusy;
  }
  stats_.verified++;
  return Verdict::kEcho;
}

WebSubDesk::Verdict WebSubDesk::Deliver(std::string_view id, std::string_view signature,
                                        std::string_view body) {
  std::string secret;
  {
    MutexLock lock(mu_);
    Feed* feed = nullptr;
    Subscription* const one = Find(id, &feed);
    if (one == nullptr || one->leaving || !one->active(now())) {
      stats_.unsolicited++;
      if (one != nullptr) {
        one->refused++;
        feed->counted = true;
      }
      return Verdict::kGone;
    }
    secret = one->secret;
  }
  const auto claimed = ParseHubSignature(signature);
  bool right = false;
  uint64_t word = 0;
  if (claimed) {
    const auto code = Hmac(claimed->hash, secret, body);
    if (!code.ok()) return Verdict::kBusy;
    right = EqualsInConstantTime(*code, claimed->code);
    word = FirstWord(*code);
  }
  MutexLock lock(mu_);
  Feed* feed = nullptr;
  Subscription* const one = Find(id, &feed);
  if (one == nullptr) return Verdict::kGone;
  feed->counted = true;
  if (!right) {
    stats_.forged++;
    one->refused++;
    return Verdict::kForged;
  }
  if (std::find(one->recent.begin(), one->recent.end(), word) != one->recent.end()) {
    stats_.repeated++;
    one->repeated++;
    return Verdict::kTaken;
  }
  one->recent.insert(one->recent.begin(), word);
  if (one->recent.size() > Subscription::kMostRecent) one->recent.pop_back();
  one->deliveries++;
  one->last_delivery = now();
  stats_.deliveries++;
  feed->hinted = now();
  feed->told = false;
  return Verdict::kTaken;
}

void WebSubDesk::Fail(std::string trouble, int64_t rest, Feed& feed, Subscription& subscription) {
  if (trouble.size() > kMostTroubleBytes) trouble.resize(kMostTroubleBytes);
  subscription.pending = Pending::kNothing;
  subscription.failures = std::min(subscription.failures, UINT32_MAX - 1) + 1;
  subscription.trouble = std::move(trouble);
  subscription.next = now() + rest;
  feed.changed = true;
}

void WebSubDesk::Answered(uint64_t ticket, const HubAnswer& answer) {
  MutexLock lock(mu_);
  const auto found = asked_.find(ticket);
  if (found == asked_.end()) return;
  const Asked asked = std::move(found->second);
  asked_.erase(found);
  Feed* feed = nullptr;
  Subscription* const one = Find(asked.id, &feed);
  // The hub may have verified before it answered.
  if (one == nullptr || one->pending == Pending::kNothing) return;
  if (answer.status >= 200 && answer.status <= 299) return;
  const bool refused = answer.status >= 400 && answer.status <= 499 && answer.status != 429;
  int64_t rest = refused ? kRestOfDenied : RestAfter(one->failures);
  if (answer.retry_after_s) rest = std::clamp(*answer.retry_after_s, kFirstRest, kRestOfDenied);
  // A hub that does not know the subscription has already ended it.
  if (refused && one->leaving) one->failures = kLeavings;
  Fail(answer.status != 0 ? fmt::format("the hub answered {}", answer.status) : answer.trouble, rest, *feed,
       *one);
}

void WebSubDesk::MatchFeed(const PushedFeed& wanted, Feed& feed) {
  const int64_t time = now();
  for (Subscription& one : feed.subscriptions) {
    const bool named = std::find(wanted.hubs.begin(), wanted.hubs.end(), one.hub) != wanted.hubs.end();
    const bool stays = named && one.topic == wanted.topic && one.base == options_.public_url;
    if (one.leaving != stays) continue;
    one.leaving = !stays;  // a callback that was about to end can be used again
    one.failures = 0;
    one.next = time;
    feed.changed = true;
  }
  for (const std::string& hub : wanted.hubs) {
    const bool there = std::any_of(feed.subscriptions.begin(), feed.subscriptions.end(),
                                   [&](const Subscription& one) { return one.hub == hub && !one.leaving; });
    if (there || feed.subscriptions.size() >= kMostSubscriptions) continue;
    if (by_id_.size() >= options_.subscriptions) {
      stats_.left_out++;
      continue;
    }
    Subscription one = Subscription::New(random_);
    one.hub = hub;
    one.topic = wanted.topic;
    one.base = options_.public_url;
    one.next = time;
    by_id_[one.id] = wanted.url;
    feed.subscriptions.push_back(std::move(one));
    feed.changed = true;
  }
}

void WebSubDesk::Match(const std::map<std::string, PushedFeed>& wanted) {
  stats_.left_out = 0;
  for (auto& [url, feed] : feeds_) {
    if (!wanted.contains(url)) MatchFeed({}, feed);
  }
  for (const auto& [url, feed] : wanted) MatchFeed(feed, feeds_[url]);
}

void WebSubDesk::Ask(const std::string& url, Feed& feed, Subscription& subscription) {
  if (asked_.size() >= options_.requests) return;  // the next Look() asks
  subscription.pending = subscription.leaving ? Pending::kUnsubscribe : Pending::kSubscribe;
  subscription.asked = now();
  feed.changed = true;
  const uint64_t ticket = ++tickets_;
  asked_[ticket] = {.feed = url, .id = subscription.id};
  to_send_.push_back(
      {.ticket = ticket, .hub = subscription.hub, .form = HubForm(subscription, !subscription.leaving)});
}

bool WebSubDesk::Step(const std::string& url, Feed& feed, Subscription& subscription) {
  const int64_t time = now();
  if (subscription.pending != Pending::kNothing) {
    // A subscription that must end does not wait for its earlier request.
    const bool other = subscription.leaving && subscription.pending == Pending::kSubscribe;
    if (!other && time < subscription.asked + patience_s()) return true;
    if (other) {
      subscription.pending = Pending::kNothing;
      // The hub may have stored it, although it was never verified.
      subscription.lease_end = std::max(subscription.lease_end, time + 1);
    } else {
      Fail("the hub has not verified the request", RestAfter(subscription.failures), feed, subscription);
    }
  }
  if (subscription.leaving && (!subscription.active(time) || subscription.failures >= kLeavings))
    return false;
  if (subscription.next <= time) Ask(url, feed, subscription);
  return true;
}

Status WebSubDesk::Look() {
  const MonotonicTime began = clock_.Now();
  if (!scanned_ || began >= *scanned_ + std::max<Duration>(options_.scan, kScanTimes * scan_took_)) {
    std::map<std::string, PushedFeed> wanted;
    CRV_TRY(crawl_.ForEachFeed([&](PushedFeed feed) {
      std::string url = feed.url;
      wanted.emplace(std::move(url), std::move(feed));
    }));
    scan_took_ = clock_.Now() - began;
    scanned_ = clock_.Now();
    MutexLock lock(mu_);
    Match(wanted);
  }
  const bool with_counts = !counted_ || clock_.Now() >= *counted_ + options_.count;
  if (with_counts) counted_ = clock_.Now();
  std::vector<HubRequest> to_send;
  std::vector<std::string> hinted;
  Status status;
  {
    MutexLock lock(mu_);
    for (auto at = feeds_.begin(); at != feeds_.end();) {
      auto& [url, feed] = *at;
      for (size_t i = 0; i < feed.subscriptions.size();) {
        if (Step(url, feed, feed.subscriptions[i])) {
          ++i;
          continue;
        }
        by_id_.erase(feed.subscriptions[i].id);
        feed.subscriptions.erase(feed.subscriptions.begin() + static_cast<std::ptrdiff_t>(i));
        feed.changed = true;
      }
      // Before the hubs are asked: a hub that verifies must find the subscription, also after a crash.
      if (feed.changed || (with_counts && feed.counted)) {
        const Status saved = Save(url, feed);
        if (status.ok()) status = saved;
      }
      if (feed.hinted) hinted.push_back(url);
      at = feed.subscriptions.empty() && !feed.changed ? feeds_.erase(at) : std::next(at);
    }
    to_send.swap(to_send_);
  }
  for (HubRequest& request : to_send) crawl_.Send(std::move(request));
  for (const std::string& url : hinted) {
    const Status polled = PollHinted(url);
    if (status.ok()) status = polled;
  }
  return status;
}

Status WebSubDesk::SaveCounts() {
  MutexLock lock(mu_);
  Status status;
  for (auto& [url, feed] : feeds_) {
    if (!feed.changed && !feed.counted) continue;
    const Status saved = Save(url, feed);
    if (status.ok()) status = saved;
  }
  return status;
}

Status WebSubDesk::PollHinted(const std::string& url) {
  const int64_t time = now();
  int64_t since = 0;
  bool told = true;
  {
    MutexLock lock(mu_);
    const auto found = feeds_.find(url);
    if (found == feeds_.end() || !found->second.hinted) return Status::Ok();
    Feed& feed = found->second;
    // Polls are dated in seconds, so a poll of this second may have been made before the delivery.
    if (time == *feed.hinted) return Status::Ok();
    const int64_t least = std::min(options_.least_between_polls / std::chrono::seconds(1)
                                       << std::min(feed.fruitless, kMostDoublings),
                                   kLongestBetweenPolls);
    if (time < feed.polled + least && time >= feed.polled) return Status::Ok();
    since = *feed.hinted;
    told = std::exchange(feed.told, true);
  }
  if (!told) CRV_TRY(crawl_.Hint(url));
  CRV_ASSIGN(const std::optional<uint64_t> news, crawl_.PollSince(url, since));
  if (!news) return Status::Ok();
  MutexLock lock(mu_);
  const auto found = feeds_.find(url);
  if (found == feeds_.end()) return Status::Ok();
  Feed& feed = found->second;
  feed.polled = time;
  feed.fruitless = *news > 0 ? 0 : std::min(feed.fruitless + 1, kMostDoublings);
  if (feed.hinted == since) feed.hinted = std::nullopt;  // else another delivery has come since
  return Status::Ok();
}

WebSubDesk::Stats WebSubDesk::stats() const {
  MutexLock lock(mu_);
  Stats stats = stats_;
  const int64_t time = now();
  for (const auto& [url, feed] : feeds_) {
    for (const Subscription& one : feed.subscriptions) {
      if (one.leaving) continue;
      stats.subscriptions++;
      if (one.active(time)) stats.active++;
      if (one.failures > 0) stats.failing++;
    }
  }
  return stats;
}

}  // namespace crivello::feeds
