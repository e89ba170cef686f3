// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "feeds/feed_record.h"
#include "web/feed/feed.h"
#include "web/http/http_message.h"
#include "web/url/url.h"

namespace crivello::feeds {

// The result of a request for a feed.
struct PollAnswer {
  int64_t now = 0;                          // seconds since 1970
  int status = 0;                           // 0: no answer
  std::string_view trouble = {};            // why there is none
  const web::HttpFields* fields = nullptr;  // null: no answer
  const web::Feed* feed = nullptr;          // of a good answer; null: its body is not a feed
  std::string_view redirect = {};           // canonical; where it leads; empty: nowhere
  const web::Url* url = nullptr;            // of the feed; null: links in `fields` are not resolved
};

// The page of an item that the feed dates after the previous poll: the feed says that it has changed since.
struct ChangedItem {
  std::string url = {};  // canonical
  int64_t time = 0;      // by the feed: after the previous poll, and not in the future

  friend bool operator==(const ChangedItem&, const ChangedItem&) = default;
};

struct PollOutcome {
  FeedRecord record;
  std::vector<std::string> new_urls = {};  // canonical; pages of new items, in the order of the feed
  std::vector<ChangedItem> changed = {};   // each page once; none at the first poll
  bool remove = false;                     // the feed is gone (410), moved for good, or never existed
  bool add_redirect = false;               // the feed is where the redirect leads
};

// Updates what is known of a feed from an answer.  The result depends on the arguments alone.
//
// 304 brings no items and counts as a good poll.  404 and other errors keep the record and make polls rarer;
// 410 removes it.  After a redirect with 301 or 308, the target replaces the feed; after other redirects,
// both stay in the list.
PollOutcome TakeAnswer(FeedRecord record, const PollAnswer& answer);

}  // namespace crivello::feeds
