// SPDX-License-Identifier: Apache-2.0
#include "engine/push_subscriptions.h"

#include <array>
#include <utility>

#include "base/civil_time.h"
#include "feeds/feed_list.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::engine {

Result<CollectionWebSub::Place> CollectionWebSub::Find(const std::string& feed) const {
  CRV_ASSIGN(const web::Url url, web::CanonicalUrl(feed));
  Place place;
  CRV_ASSIGN(place.key, web::RowKey(url));
  CRV_ASSIGN(place.tablet, store_.TabletOfHost(url.hostname()));
  return place;
}

Status CollectionWebSub::ForEachFeed(const std::function<void(feeds::PushedFeed feed)>& visit) {
  for (collection::Tablet* const tablet : store_.tablets()) {
    CRV_TRY(tablet->feeds().ForEach(
        {}, [&](std::string_view key, const feeds::FeedRecord& record) -> Result<bool> {
          if (!record.push || record.hubs.empty()) return true;
          CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(key));
          const std::string href(url.href());
          visit({.url = href, .topic = record.topic.empty() ? href : record.topic, .hubs = record.hubs});
          return true;
        }));
  }
  return Status::Ok();
}

Status CollectionWebSub::Load(
    const std::function<void(std::string feed, std::vector<feeds::Subscription> subscriptions)>& visit) {
  for (collection::Tablet* const tablet : store_.tablets()) {
    CRV_TRY(tablet->subscriptions().ForEach(
        [&](std::string_view key, std::vector<feeds::Subscription> subscriptions) -> Status {
          CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(key));
          visit(std::string(url.href()), std::move(subscriptions));
          return Status::Ok();
        }));
  }
  return Status::Ok();
}

Status CollectionWebSub::Save(const std::string& feed,
                              const std::vector<feeds::Subscription>& subscriptions) {
  CRV_ASSIGN(const Place place, Find(feed));
  // What is being forgotten leaves no trace here; its hubs are told all the same, from memory.
  const auto forgotten = store_.forgotten().current();
  const bool keeps = forgotten->Find(place.key) == nullptr;
  CRV_TRY(place.tablet->subscriptions().Put(place.key,
                                            keeps ? subscriptions : std::vector<feeds::Subscription>()));
  return place.tablet->Acknowledge();
}

Status CollectionWebSub::Hint(const std::string& feed) {
  const std::array hints = {
      crawl::PageHint{.url = feed, .source = revisit::HintSource::kWebSub, .time = clock_.Wall()}};
  return crawler_.Hint(hints).status();
}

Result<std::optional<uint64_t>> CollectionWebSub::PollSince(const std::string& feed, int64_t since) {
  CRV_ASSIGN(const Place place, Find(feed));
  feeds::FeedList& list = place.tablet->feeds();
  {
    const auto changing = list.Changing();
    CRV_ASSIGN(auto record, list.Get(place.key));
    if (!record) return std::optional<uint64_t>(0);
    if (record->last_poll > since) return std::optional<uint64_t>(record->last_new);
    const int64_t now = ToSeconds(clock_.Wall());
    if (record->next_poll <= now) return std::optional<uint64_t>();
    record->next_poll = now;
    kv::Batch batch;
    list.Put(place.key, *record, &batch);
    CRV_TRY(list.Write(batch));
  }
  CRV_TRY(place.tablet->Acknowledge());
  CRV_TRY(crawler_.Offer({feed}, {}));
  return std::optional<uint64_t>();
}

}  // namespace crivello::engine
