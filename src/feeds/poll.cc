// SPDX-License-Identifier: Apache-2.0
#include "feeds/poll.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "feeds/item_memory.h"
#include "feeds/poll_time.h"
#include "web/http/http_headers.h"
#include "web/http/http_link.h"
#include "web/url/canonical.h"

namespace crivello::feeds {
namespace {

// How many polls a URL gets that no person added and that has never been a feed.
constexpr uint32_t kTries = 5;

// Cuts before the character that would exceed the limit.
std::string CutText(std::string text) {
  if (text.size() <= FeedRecord::kMaxTextBytes) return text;
  size_t size = FeedRecord::kMaxTextBytes;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  text.resize(size);
  return text;
}

std::string UrlOrNothing(std::string_view text) {
  const auto url = web::CanonicalUrl(text);
  return url.ok() && url->href().size() <= FeedRecord::kMaxTextBytes ? std::string(url->href()) : "";
}

// The URL as a hub must get it: a hub compares topics as texts, so it is not made canonical.
std::string HubUrl(std::string_view text, const web::Url* base) {
  web::Url url;
  if (!url.Parse(text, base) || !url.is_http() || url.has_credentials()) return "";
  url.set_hash("");
  return url.href().size() <= FeedRecord::kMaxTextBytes ? url.href() : "";
}

// Hubs and topic by the Link header count before those in the feed (WebSub, section 4).
void TakeHubs(const PollAnswer& answer, FeedRecord* record) {
  std::vector<std::string> hubs;
  std::string topic;
  answer.fields->ForEach("link", [&](std::string_view value) {
    for (const web::HttpLink& link : web::ParseLinks(value)) {
      if (!link.anchor.empty()) continue;
      if (link.HasRel("hub")) hubs.push_back(link.target);
      if (link.HasRel("self") && topic.empty()) topic = link.target;
    }
  });
  if (hubs.empty()) hubs = answer.feed->hubs;
  if (topic.empty()) topic = answer.feed->self;
  record->topic = HubUrl(topic, answer.url);
  record->hubs.clear();
  for (const std::string& hub : hubs) {
    const std::string url = HubUrl(hub, answer.url);
    if (url.empty() || record->hubs.size() == FeedRecord::kMaxHubs) continue;
    if (std::find(record->hubs.begin(), record->hubs.end(), url) == record->hubs.end())
      record->hubs.push_back(url);
  }
}

void TakeHints(const web::Feed& feed, PollHints* hints) {
  hints->interval_s = feed.poll_interval_s();
  if (hints->interval_s) hints->interval_s = std::clamp<int64_t>(*hints->interval_s, 0, kLongestDeclared);
  hints->skip_hours = feed.skip_hours;
  hints->skip_days = feed.skip_days;
}

void TakeItems(const PollAnswer& answer, PollOutcome* outcome) {
  FeedRecord& record = outcome->record;
  const web::Feed& feed = *answer.feed;
  ItemMemory memory(std::move(record.seen));
  std::unordered_set<std::string> urls;
  for (const size_t place : memory.TakeNew(feed.items)) {
    const auto url = web::CanonicalUrl(feed.items[place].link);
    if (url.ok() && urls.insert(std::string(url->href())).second) outcome->new_urls.emplace_back(url->href());
  }
  record.seen = std::move(memory).keys();
}

// A feed that dates all items with the time of day says at each poll that all of them have changed.  How far
// such hints are believed is learnt (revisit/hints.h).
std::vector<ChangedItem> ChangedSince(const web::Feed& feed, int64_t since, int64_t now) {
  std::map<std::string, int64_t> latest;
  const size_t items = std::min(feed.items.size(), ItemMemory::kMaxItems);
  for (size_t i = 0; i < items && since > 0; ++i) {
    const web::FeedItem& item = feed.items[i];
    const int64_t time = std::max(item.published.seconds.value_or(0), item.updated.seconds.value_or(0));
    if (time <= since || time > now) continue;
    const auto url = web::CanonicalUrl(item.link);
    if (!url.ok()) continue;
    int64_t& of = latest[std::string(url->href())];
    of = std::max(of, time);
  }
  std::vector<ChangedItem> changed;
  for (auto& [url, time] : latest) changed.push_back({.url = url, .time = time});
  return changed;
}

void Fail(const PollAnswer& answer, std::string trouble, FeedRecord* record) {
  record->failures = std::min(record->failures, UINT32_MAX - 1) + 1;
  record->trouble = CutText(std::move(trouble));
  if (answer.fields != nullptr) record->hints.fresh_s = FreshFor(*answer.fields, answer.now);
  record->last_new = 0;
  record->next_poll = NextPoll(*record);
}

bool Redirects(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace

PollOutcome TakeAnswer(FeedRecord before, const PollAnswer& answer) {
  PollOutcome outcome = {.record = std::move(before)};
  FeedRecord& record = outcome.record;
  const int64_t before_poll = record.last_poll;
  const int64_t since = before_poll > 0 ? answer.now - before_poll : 0;
  record.last_poll = std::max<int64_t>(0, answer.now);
  record.last_status = std::clamp(answer.status, 0, 999);
  record.polls++;
  const bool candidate = !record.format;
  // Removed without a trace: a guess that fails, and a URL that is not a feed and that no person added.
  const bool fleeting = candidate && record.origin != Origin::kAdded;

  if (answer.status == 410) {
    outcome.remove = true;
  } else if (Redirects(answer.status) && !answer.redirect.empty()) {
    outcome.add_redirect = true;
    outcome.remove = answer.status == 301 || answer.status == 308 || fleeting;
    Fail(answer, fmt::format("redirects to {}", answer.redirect), &record);
  } else if (answer.status == 304 && !candidate) {
    Watch(since, false, &record.history);
    record.failures = 0;
    record.trouble.clear();
    record.last_new = 0;
    record.hints.fresh_s = FreshFor(*answer.fields, answer.now);
    record.next_poll = NextPoll(record);
  } else if (answer.status >= 200 && answer.status <= 299 && answer.feed != nullptr) {
    const web::Feed& feed = *answer.feed;
    record.format = feed.format;
    record.title = CutText(feed.title.PlainText());
    if (const std::string site = UrlOrNothing(feed.link); !site.empty()) record.site = site;
    TakeHubs(answer, &record);
    TakeHints(feed, &record.hints);
    record.hints.fresh_s = FreshFor(*answer.fields, answer.now);
    TakeItems(answer, &outcome);
    if (!candidate) outcome.changed = ChangedSince(feed, before_poll, answer.now);
    record.last_new = outcome.new_urls.size();
    record.items += record.last_new;
    if (candidate) {
      record.history = HistoryOfDates(feed.items, answer.now);
    } else {
      Watch(since, record.last_new > 0, &record.history);
    }
    if (candidate || record.last_new > 0) record.last_news = answer.now;
    record.failures = 0;
    record.trouble.clear();
    const web::Validators validators = web::FindValidators(*answer.fields, answer.now);
    record.etag = validators.etag.size() <= FeedRecord::kMaxTextBytes ? std::string(validators.etag) : "";
    record.last_modified = validators.last_modified;
    record.next_poll = NextPoll(record);
  } else if (fleeting && ((answer.status >= 200 && answer.status < 500) || record.failures >= kTries)) {
    outcome.remove = true;
  } else if (answer.status >= 200 && answer.status <= 299) {
    Fail(answer, "the answer is not a feed", &record);
  } else {
    Fail(answer,
         answer.status != 0 ? fmt::format("the server answered {}", answer.status)
                            : std::string(answer.trouble),
         &record);
  }
  return outcome;
}

}  // namespace crivello::feeds
