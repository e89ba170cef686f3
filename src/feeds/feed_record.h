// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "web/feed/feed.h"

namespace crivello::feeds {

// How a feed came into the list.  The numbers are stored (docs/formats/feeds.md): never renumber or reuse
// one.
enum class Origin : uint8_t {
  kAdded = 0,  // a person added its URL, or that of a site whose feeds the crawl looks for
  kFound = 1,  // a page or a redirect names it
  kGuess = 2,  // a usual path; removed if the answer is not a feed
};

// When the feed and its server ask to be polled again.
struct PollHints {
  std::optional<int64_t> interval_s = {};  // ttl, or sy:updatePeriod over updateFrequency
  int64_t fresh_s = 0;                     // how long the last answer was fresh, by Cache-Control or Expires
  std::bitset<24> skip_hours = {};         // of UTC
  std::bitset<7> skip_days = {};           // 0 is Sunday

  friend bool operator==(const PollHints&, const PollHints&) = default;
};

// How often there was something new.  Older polls count less.
struct NewsHistory {
  int64_t seconds = 0;      // watched
  int64_t thousandths = 0;  // of polls with news, or of items by their dates
  friend bool operator==(const NewsHistory&, const NewsHistory&) = default;
};

// What is known of a feed, except its URL.  Times are in seconds since 1970 and never negative; 0: never.
struct FeedRecord {
  Origin origin = Origin::kAdded;
  std::optional<web::FeedFormat> format = {};  // nothing until it has been read once
  std::string title = {};
  std::string site = {};               // the page it belongs to
  std::vector<std::string> hubs = {};  // WebSub hubs that it names, at most kMaxHubs
  std::string topic = {};              // its own URL, as it gives it to its hubs
  bool push = false;                   // its hubs are asked to deliver it (websub_desk.h)

  uint32_t depth = 0;  // links from a seed; its items have the same depth

  int64_t last_poll = 0;
  int64_t next_poll = 0;
  int last_status = 0;       // of HTTP; 0: no answer
  std::string trouble = {};  // why the last poll failed; empty: it succeeded
  uint32_t failures = 0;     // in a row
  uint64_t polls = 0;
  uint64_t items = 0;     // handed on so far
  uint64_t last_new = 0;  // handed on by the last poll
  int64_t last_news = 0;  // when a poll last brought some

  PollHints hints = {};
  NewsHistory history = {};
  // Validators of the answer that the items were read from, for conditional requests.
  std::string etag = {};
  std::optional<int64_t> last_modified = {};
  std::vector<uint64_t> seen = {};  // item_memory.h

  static constexpr size_t kMaxHubs = 3;
  static constexpr size_t kMaxTextBytes =
      1024;  // of title, site, trouble, each hub; longer ones are cut or dropped

  // Format: docs/formats/feeds.md.
  std::string Encode() const;
  static Result<FeedRecord> Decode(std::string_view bytes);

  friend bool operator==(const FeedRecord&, const FeedRecord&) = default;
};

}  // namespace crivello::feeds
