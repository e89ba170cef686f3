// SPDX-License-Identifier: Apache-2.0
// Messages about the feeds of a collection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wire/message.h"

namespace crivello::wire {

// A feed of the list.  Times are in seconds since 1970; 0: never.
struct FeedLine {
  std::string url = {};
  std::string site = {};
  std::string title = {};
  std::string kind = {};            // "RSS", "Atom", ...; empty: not yet read
  bool added = false;               // by a user
  std::optional<int64_t> ttl = {};  // seconds that the feed asks clients to wait between polls
  int64_t last_poll = 0;
  int64_t next_poll = 0;
  uint32_t last_status = 0;  // of HTTP; 0: no response
  std::string trouble = {};  // why the last poll failed; empty: it succeeded
  uint32_t failures = 0;     // in a row
  uint64_t polls = 0;
  uint64_t items = 0;     // new ones, in total
  uint64_t last_new = 0;  // by the last poll
  int64_t last_news = 0;
  std::vector<std::string> hubs = {};

  static void Fields(auto& visit, auto& self) {
    visit(self.url, self.site, self.title, self.kind, self.added, self.ttl, self.last_poll, self.next_poll,
          self.last_status, self.trouble, self.failures, self.polls, self.items, self.last_new,
          self.last_news, self.hubs);
  }
  friend bool operator==(const FeedLine&, const FeedLine&) = default;
};

// A position in the list of feeds.
struct FeedPlace {
  uint32_t tablet = 0;
  std::string key = {};  // of the previous feed; empty: at the beginning
  static void Fields(auto& visit, auto& self) { visit(self.tablet, self.key); }
  friend bool operator==(const FeedPlace&, const FeedPlace&) = default;
};

struct ListedFeeds {
  static constexpr const char* kName = "listed feeds";
  std::vector<FeedLine> feeds = {};
  std::optional<FeedPlace> more = {};  // where the next request should continue; nullopt: these were the last

  static void Fields(auto& visit, auto& self) { visit(self.feeds, self.more); }
  friend bool operator==(const ListedFeeds&, const ListedFeeds&) = default;
};

// The feeds after a position, or the one with a URL (NotFound if it is not in the list).
struct ListFeedsRequest {
  static constexpr const char* kName = "list feeds";
  static constexpr MessageType kType = MessageType::kListFeeds;
  static constexpr bool kRepeatable = true;
  using Answer = ListedFeeds;

  std::string url = {};  // as typed; empty: all
  FeedPlace after = {};
  uint32_t limit = 1000;

  static void Fields(auto& visit, auto& self) { visit(self.url, self.after, self.limit); }
  friend bool operator==(const ListFeedsRequest&, const ListFeedsRequest&) = default;
};

struct NamedFeed {
  std::string url = {};  // as typed; to add: a feed, or a site whose feeds should be found
  std::string site = {};
  std::string title = {};
  static void Fields(auto& visit, auto& self) { visit(self.url, self.site, self.title); }
  friend bool operator==(const NamedFeed&, const NamedFeed&) = default;
};

struct ChangedFeeds {
  static constexpr const char* kName = "changed feeds";
  uint64_t changed = 0;
  std::vector<std::string> unchanged = {};  // already in the list, or not in it
  bool crawling = false;                    // a crawl that accepts commands is running: it polls them now

  static void Fields(auto& visit, auto& self) { visit(self.changed, self.unchanged, self.crawling); }
  friend bool operator==(const ChangedFeeds&, const ChangedFeeds&) = default;
};

// Changes the list of feeds, durably.  If one is not a URL, changes nothing and returns InvalidArgument.
struct ChangeFeedsRequest {
  static constexpr const char* kName = "change feeds";
  static constexpr MessageType kType = MessageType::kChangeFeeds;
  static constexpr bool kRepeatable = false;
  using Answer = ChangedFeeds;

  enum class What : uint8_t {
    kAdd,  // and polls them now
    kRemove,
    kPoll,  // now, even if they are not due
    kPollAll,
    kLast = kPollAll
  };
  What what = What::kAdd;
  std::vector<NamedFeed> feeds = {};

  static void Fields(auto& visit, auto& self) { visit(self.what, self.feeds); }
  friend bool operator==(const ChangeFeedsRequest&, const ChangeFeedsRequest&) = default;
};

}  // namespace crivello::wire
