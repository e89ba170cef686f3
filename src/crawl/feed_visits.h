// SPDX-License-Identifier: Apache-2.0
// Feeds in a crawl: a page whose URL is in the list of feeds (src/feeds) is visited when its next poll is
// due.
//
// The record of a feed says when that is; the agenda only wakes the crawl.  Entries of the agenda at other
// times are ignored, so an extra entry does no harm, and a lost one is created again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "crawl/crawl_context.h"
#include "feeds/feed_record.h"
#include "feeds/poll.h"
#include "web/feed/feed.h"
#include "web/http/http_message.h"
#include "web/url/url.h"

namespace crivello::crawl {

// The maximum number of feeds of one host that a crawl adds to the list by itself, because many sites name a
// feed for the comments of each page.
inline constexpr uint64_t kMaxFoundFeedsPerHost = 8;

// The feed in a response; nothing if there is none.
std::optional<web::Feed> ReadFeed(const web::Url& url, const web::HttpFields& fields, std::string_view body,
                                  uint64_t max_body_bytes);

// Adds feeds that are not in the list yet, durably, and schedules a poll of each now.  `as` is their first
// record. Feeds in tablets of other processes are left out.
struct FoundFeeds {
  std::vector<std::string> urls = {};  // canonical, and wanted by the policy
  feeds::FeedRecord as = {};
  bool limited = false;  // not more than kMaxFoundFeedsPerHost of a host
};
Status AddFoundFeeds(const CrawlContext& context, const FoundFeeds& found);

// Whether the host of a URL has reached --max-per-host.  The agenda itself does not apply that limit.
Result<bool> HasReachedLimit(const CrawlContext& context, const web::Url& url);

// Schedules visits of the pages of new items now, ahead of other URLs of their hosts.  Leaves out pages that
// were fetched before, and hosts that have reached their limit.  Durable when it returns.  `urls` are
// canonical and allowed by the policy.
Status OfferItems(const CrawlContext& context, const frontier::Visit& feed,
                  const std::vector<std::string>& urls);

// Gives the schedule of revisits hints about pages that changed, according to a feed, after they were last
// fetched. How often such hints are right is learnt for each host.
Status HintItems(const CrawlContext& context, const std::vector<feeds::ChangedItem>& changed);

// Adds every feed whose next poll is at `until` or earlier to the agenda.
Status WakeFeeds(const CrawlContext& context, int64_t until);
Status WakeFeedsOf(const CrawlContext& context, collection::Tablet& tablet, int64_t until);

}  // namespace crivello::crawl
