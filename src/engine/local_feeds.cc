// SPDX-License-Identifier: Apache-2.0
// The list of feeds of this process's collection, for commands and other processes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/civil_time.h"
#include "engine/local_service.h"
#include "feeds/feed_list.h"
#include "frontier/agenda.h"
#include "policy/seed.h"
#include "web/url/row_key.h"

namespace crivello::engine {
namespace {

using FeedChange = wire::ChangeFeedsRequest::What;

constexpr uint32_t kMostFeedsInAnswer = 10'000;

wire::FeedLine LineOf(std::string_view key, const feeds::FeedRecord& record) {
  const auto url = web::UrlOfRowKey(key);
  return {.url = url.ok() ? std::string(url->href()) : std::string(key),
          .site = record.site,
          .title = record.title,
          .kind = record.format ? std::string(web::FeedFormatName(*record.format)) : "",
          .added = record.origin == feeds::Origin::kAdded,
          .ttl = record.hints.interval_s,
          .last_poll = record.last_poll,
          .next_poll = record.next_poll,
          .last_status = static_cast<uint32_t>(record.last_status),
          .trouble = record.trouble,
          .failures = record.failures,
          .polls = record.polls,
          .items = record.items,
          .last_new = record.last_new,
          .last_news = record.last_news,
          .hubs = record.hubs};
}

// A feed named in a request.
struct Named {
  web::Url url;
  std::string key;
  collection::Tablet* tablet = nullptr;
  feeds::FeedRecord first;  // its record if it is added
};

// Returns whether the list changed.
Result<bool> ChangeOne(FeedChange what, const Named& named, int64_t now) {
  feeds::FeedList& list = named.tablet->feeds();
  const auto changing = list.Changing();
  CRV_ASSIGN(auto there, list.Get(named.key));
  if (there.has_value() == (what == FeedChange::kAdd)) return false;
  kv::Batch batch;
  if (what == FeedChange::kRemove) {
    list.Delete(named.key, &batch);
  } else {
    feeds::FeedRecord record = there ? *std::move(there) : named.first;
    record.next_poll = now;
    list.Put(named.key, record, &batch);
  }
  CRV_TRY(list.Write(batch));
  CRV_TRY(named.tablet->Acknowledge());
  return true;
}

}  // namespace

Result<wire::ListedFeeds> LocalService::Ask(const wire::ListFeedsRequest& request, Listener& /*listener*/) {
  wire::ListedFeeds answer;
  if (!request.url.empty()) {
    CRV_ASSIGN(const web::Url url, policy::UrlAsTyped(request.url));
    CRV_ASSIGN(const Place place, Find(url.href()));
    CRV_ASSIGN(const auto record, place.tablet->feeds().Get(place.key));
    if (!record) {
      return Status::NotFound(fmt::format("{} is not a feed of '{}'; 'crivello feed list' prints all",
                                          url.href(), store_.directory()));
    }
    answer.feeds.push_back(LineOf(place.key, *record));
    return answer;
  }
  const size_t limit = std::clamp<uint32_t>(request.limit, 1, kMostFeedsInAnswer);
  std::string after = request.after.key;
  for (uint32_t slot = request.after.tablet; slot < store_.map().size(); ++slot, after.clear()) {
    collection::Tablet* const tablet = store_.tablet(slot);
    if (tablet == nullptr) continue;
    CRV_TRY(tablet->feeds().ForEach(
        after, [&](std::string_view key, const feeds::FeedRecord& record) -> Result<bool> {
          if (answer.feeds.size() == limit) {
            answer.more = {.tablet = slot, .key = after};
            return false;
          }
          answer.feeds.push_back(LineOf(key, record));
          after = key;
          return true;
        }));
    if (answer.more) break;
  }
  return answer;
}

Result<wire::ChangedFeeds> LocalService::Ask(const wire::ChangeFeedsRequest& request, Listener& listener) {
  const int64_t now = ToSeconds(SystemClock().Wall());
  wire::ChangedFeeds answer = {.crawling = crawl_ != nullptr};
  std::vector<wire::NamedFeed> feeds = request.feeds;
  if (request.what == FeedChange::kPollAll) {
    wire::ListFeedsRequest list;
    for (std::optional<wire::FeedPlace> place = wire::FeedPlace(); place;) {
      list.after = *place;
      CRV_ASSIGN(const wire::ListedFeeds some, Ask(list, listener));
      for (const wire::FeedLine& line : some.feeds) feeds.push_back({.url = line.url});
      place = some.more;
    }
  }
  std::vector<Named> all;
  for (const wire::NamedFeed& feed : feeds) {
    CRV_ASSIGN(web::Url url, policy::UrlAsTyped(feed.url));
    CRV_ASSIGN(std::string key, web::RowKey(url));
    CRV_ASSIGN(collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
    if (request.what == FeedChange::kAdd && store_.forgotten().current()->Find(key) != nullptr) {
      return Status::InvalidArgument(fmt::format(
          "cannot add {}: it is among the pages that were forgotten, which are never fetched again",
          url.href()));
    }
    Named named = {.url = std::move(url), .key = std::move(key), .tablet = tablet, .first = {}};
    const auto fits = [](const std::string& text) { return text.size() <= feeds::FeedRecord::kMaxTextBytes; };
    if (fits(feed.site)) named.first.site = feed.site;
    if (fits(feed.title)) named.first.title = feed.title;
    all.push_back(std::move(named));
  }
  std::vector<std::string> visits;
  const FeedChange what = request.what == FeedChange::kPollAll ? FeedChange::kPoll : request.what;
  for (const Named& named : all) {
    CRV_ASSIGN(const bool changed, ChangeOne(what, named, now));
    if (!changed) {
      answer.unchanged.emplace_back(named.url.href());
      continue;
    }
    answer.changed++;
    if (what != FeedChange::kRemove) visits.emplace_back(named.url.href());
  }
  CRV_TRY(VisitNow(visits));
  return answer;
}

// Without a crawl there is nothing to do: a crawl that starts checks the times of all feeds.
Status LocalService::VisitNow(const std::vector<std::string>& urls) {
  serve::CrawlControl* const crawl = crawl_;
  if (urls.empty() || crawl == nullptr) return Status::Ok();
  return crawl->Offer({.urls = urls, .priority = 0, .not_before = SystemClock().Wall()});
}

}  // namespace crivello::engine
