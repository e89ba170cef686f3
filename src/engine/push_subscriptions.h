// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collection/collection.h"
#include "crawl/crawler.h"
#include "feeds/websub_desk.h"

namespace crivello::engine {

// The feeds and subscriptions of a collection, and its crawl, as the desk of WebSub sees them.  Thread-safe;
// the store and the crawler outlive it.
class CollectionWebSub final : public feeds::WebSubCrawl {
 public:
  using Sender = std::function<void(feeds::HubRequest request)>;

  CollectionWebSub(collection::Collection& store, crawl::Crawler& crawler, const Clock& clock)
      : store_(store), crawler_(crawler), clock_(clock) {}
  // To be called before a desk looks.
  void SetSender(Sender sender) { sender_ = std::move(sender); }

  Status ForEachFeed(const std::function<void(feeds::PushedFeed feed)>& visit) override;
  Status Load(const std::function<void(std::string feed, std::vector<feeds::Subscription> subscriptions)>&
                  visit) override;
  Status Save(const std::string& feed, const std::vector<feeds::Subscription>& subscriptions) override;
  void Send(feeds::HubRequest request) override { sender_(std::move(request)); }
  Status Hint(const std::string& feed) override;
  Result<std::optional<uint64_t>> PollSince(const std::string& feed, int64_t since) override;

 private:
  struct Place {
    collection::Tablet* tablet = nullptr;
    std::string key;
  };
  Result<Place> Find(const std::string& feed) const;

  collection::Collection& store_;
  crawl::Crawler& crawler_;
  const Clock& clock_;
  Sender sender_;
};

}  // namespace crivello::engine
