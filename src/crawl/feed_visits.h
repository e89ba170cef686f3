// SPDX-License-Identifier: Apache-2.0
// Feeds in a crawl: a page whose URL is in the list of feeds (src/feeds) is visited when its next poll is
// due.
//
// The record of a feed says when that is; the agenda only wakes the crawl.  An entry of the agenda that comes
// at another time is passed over, so an entry too many does no harm, and one that was lost is made again.
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

// Feeds of one host that a crawl adds to the list by itself: many sites name one for the comments of each
// page.
inline constexpr uint64_t kMaxFoundFeedsPerHost = 8;

// The feed in a response; nothing if there is none.
std::optional<web::Feed> ReadFeed(const web::Url& url, const web::HttpFields& fields, std::string_view body,
                                  uint64_t max_body_bytes);

// Adds feeds that are not in the list yet, durably, and has them polled now.  `as` is their first record.
// Those of tablets of other processes are left out.
struct FoundFeeds {
  std::vector<std::string> urls = {};  // canonical, and wanted by the policy
  feeds::FeedRecord as = {};
  bool limited = false;  // not more than kMaxFoundFeedsPerHost of a host
};
Status AddFoundFeeds(const CrawlContext& context, const FoundFeeds& found);

// Whether the host of a URL has come to --max-per-host, which does not hold for the entries of the agenda.
Result<bool> HasReachedLimit(const CrawlContext& context, const web::Url& url);

// Has the pages of new items visited now, ahead of other URLs of their hosts: those that were not fetched
// before and whose hosts have not come to their limit.  Durable when it returns.  `urls` are canonical and
// wanted by the policy.
Status OfferItems(const CrawlContext& context, const frontier::Visit& feed,
                  const std::vector<std::string>& urls);

// Tells the schedule of revisits which pages a feed says have changed after they were fetched last: how often
// that is right is learnt for each host.
Status HintItems(const CrawlContext& context, const std::vector<feeds::ChangedItem>& changed);

// Enters every feed in the agenda whose next poll is at `until` or earlier.
Status WakeFeeds(const CrawlContext& context, int64_t until);
Status WakeFeedsOf(const CrawlContext& context, collection::Tablet& tablet, int64_t until);

}  // namespace crivello::crawl
