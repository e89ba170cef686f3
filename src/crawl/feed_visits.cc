// SPDX-License-Identifier: Apache-2.0
#include "crawl/feed_visits.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/civil_time.h"
#include "charset/charset.h"
#include "charset/encoding_decode.h"
#include "crawl/revisits.h"
#include "feeds/feed_list.h"
#include "frontier/host_ranks.h"
#include "web/feed/xml_scanner.h"
#include "web/http/decompress.h"
#include "web/http/http_headers.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::crawl {
namespace {

// Entries of the agenda that are written together.
constexpr size_t kWakesAtOnce = 1024;

// Whether the host of a URL has as many feeds as may be found.
Result<bool> HasEnoughFeeds(const feeds::FeedList& list, const web::Url& url) {
  const web::RowKeyRange host = web::RowKeysOfHost(url.hostname());
  uint64_t count = 0;
  CRV_TRY(list.ForEach(host.begin, [&](std::string_view key, const feeds::FeedRecord&) -> Result<bool> {
    if (!host.Contains(key)) return false;
    return ++count < kMaxFoundFeedsPerHost;
  }));
  return count >= kMaxFoundFeedsPerHost;
}

}  // namespace

Result<bool> HasReachedLimit(const CrawlContext& context, const web::Url& url) {
  uint64_t limit = context.frontier.budget().per_host;
  if (limit == 0) return false;
  const frontier::HostRankUse& by = context.options.host_ranks;
  if (by.limits && by.ranks != nullptr) limit = frontier::LimitByRank(limit, by.ranks->Of(url.hostname()));
  CRV_ASSIGN(collection::Tablet* const tablet, context.store.TabletOfHost(url.hostname()));
  CRV_ASSIGN(const auto host, tablet->queues().Load(web::HostHash(url.hostname())));
  return host && host->enqueued >= limit;
}

std::optional<web::Feed> ReadFeed(const web::Url& url, const web::HttpFields& fields, std::string_view body,
                                  uint64_t max_body_bytes) {
  const web::DecodedContent content =
      web::DecodeContent(body, fields.Joined("content-encoding"), {.max_bytes = max_body_bytes});
  const web::MediaType type = web::ParseMediaType(fields.Find("content-type").value_or(""));
  const std::string_view declared = web::XmlDeclaredEncoding(content.body());
  const charset::CharsetDecision charset = charset::DecideCharset(
      content.body(), type.charset.empty() ? declared : std::string_view(type.charset));
  const charset::DecodedText text = charset::DecodeToUtf8(content.body(), charset.encoding);
  Result<web::Feed> feed = web::ParseFeed(
      text.text(),
      {.base_url = url.href(), .language = std::string(fields.Find("content-language").value_or(""))});
  return feed.ok() ? std::optional(std::move(feed).value()) : std::nullopt;
}

Status AddFoundFeeds(const CrawlContext& context, const FoundFeeds& found) {
  std::vector<frontier::Appointment> wakes;  // which refer to `found`
  for (const std::string& text : found.urls) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(text));
    CRV_ASSIGN(const std::string key, web::RowKey(url));
    collection::Tablet* const tablet = context.store.Find(url.hostname());
    if (tablet == nullptr) continue;
    const auto changing = tablet->feeds().Changing();
    CRV_ASSIGN(const auto there, tablet->feeds().Get(key));
    if (there) continue;
    if (found.limited) {
      CRV_ASSIGN(const bool enough, HasEnoughFeeds(tablet->feeds(), url));
      if (enough) continue;
    }
    kv::Batch batch;
    tablet->feeds().Put(key, found.as, &batch);
    CRV_TRY(tablet->feeds().Write(batch));
    wakes.push_back({.record = {.url = text, .depth = found.as.depth}, .not_before = context.clock.Wall()});
  }
  if (wakes.empty()) return Status::Ok();
  const collection::Gate::Pass pass(context.store.gate());
  return context.frontier.Schedule(wakes);
}

Status OfferItems(const CrawlContext& context, const frontier::Visit& feed,
                  const std::vector<std::string>& urls) {
  std::vector<frontier::Appointment> visits;  // which refer to `urls`
  for (const std::string& text : urls) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(text));
    CRV_ASSIGN(const std::string key, web::RowKey(url));
    collection::Tablet* const tablet = context.store.Find(url.hostname());
    if (tablet == nullptr) continue;
    CRV_ASSIGN(const auto newest, tablet->table().Newest(key));
    if (newest) continue;
    CRV_ASSIGN(const bool full, HasReachedLimit(context, url));
    if (full) continue;
    visits.push_back({.record = {.url = text, .depth = feed.depth, .via = frontier::Via::Of(text, feed.url)},
                      .not_before = context.clock.Wall()});
  }
  if (visits.empty()) return Status::Ok();
  context.counters.feed_items.Add(visits.size());
  const collection::Gate::Pass pass(context.store.gate());
  return context.frontier.Schedule(visits);
}

Status HintItems(const CrawlContext& context, const std::vector<feeds::ChangedItem>& changed) {
  std::vector<PageHint> hints;
  for (const feeds::ChangedItem& item : changed) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(item.url));
    CRV_ASSIGN(const std::string key, web::RowKey(url));
    collection::Tablet* const tablet = context.store.Find(url.hostname());
    if (tablet == nullptr) continue;
    CRV_ASSIGN(const auto newest, tablet->table().Newest(key));
    if (!newest || *newest / 1'000'000 >= item.time) continue;
    hints.push_back({.url = item.url,
                     .source = revisit::HintSource::kFeed,
                     .time = WallTime(std::chrono::seconds(item.time))});
  }
  if (hints.empty()) return Status::Ok();
  // Those that are not scheduled were never visited, or bring no page.
  return context.revisits.Take(hints).status();
}

Status WakeFeeds(const CrawlContext& context, int64_t until) {
  for (collection::Tablet* const tablet : context.store.tablets()) {
    CRV_TRY(WakeFeedsOf(context, *tablet, until));
  }
  return Status::Ok();
}

Status WakeFeedsOf(const CrawlContext& context, collection::Tablet& tablet, int64_t until) {
  // What was to be polled before is to be polled now: its page may have been fetched since, as a page.
  const WallTime now = context.clock.Wall();
  std::vector<std::string> urls;
  std::vector<frontier::Appointment> wakes;  // which refer to `urls`
  std::string after;
  urls.reserve(kWakesAtOnce);
  do {
    urls.clear();
    wakes.clear();
    CRV_TRY(tablet.feeds().ForEach(
        after, [&](std::string_view key, const feeds::FeedRecord& record) -> Result<bool> {
          after = key;
          if (record.next_poll > until) return true;
          CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(key));
          urls.emplace_back(url.href());
          wakes.push_back({.record = {.url = urls.back(), .depth = record.depth},
                           .not_before = std::max(WallTime(std::chrono::seconds(record.next_poll)), now),
                           .known = true});
          return urls.size() < kWakesAtOnce;
        }));
    if (wakes.empty()) break;
    const collection::Gate::Pass pass(context.store.gate());
    CRV_TRY(context.frontier.Schedule(wakes));
  } while (urls.size() == kWakesAtOnce);
  return Status::Ok();
}

}  // namespace crivello::crawl
