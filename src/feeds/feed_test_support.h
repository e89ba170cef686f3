// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "feeds/poll.h"
#include "web/feed/feed.h"
#include "web/http/http_message.h"

namespace crivello::feeds {

// 2026-03-02 10:00:00 UTC, a Monday.
inline constexpr int64_t kMonday = 1772445600;

inline web::FeedItem Item(const std::string& id, const std::string& link) {
  web::FeedItem item;
  item.id = id;
  item.link = link;
  return item;
}

// A feed that is polled when its record says so, with answers from the test.
class PolledFeed {
 public:
  explicit PolledFeed(int64_t now = kMonday) : now_(now) {}

  PollOutcome Answer(int status, const web::Feed* feed, const std::string& head = {}) {
    const web::HttpFieldBlock block = web::ParseHttpFields(head);
    PollOutcome outcome = TakeAnswer(
        record, {.now = now_, .status = status, .trouble = "timeout", .fields = &block.fields, .feed = feed});
    record = outcome.record;
    return outcome;
  }
  // Advances the time to the next poll, and returns by how much.
  int64_t Wait() {
    const int64_t waited = record.next_poll - now_;
    now_ = record.next_poll;
    return waited;
  }
  void Pass(int64_t seconds) { now_ += seconds; }
  int64_t now() const { return now_; }

  FeedRecord record;

 private:
  int64_t now_;
};

}  // namespace crivello::feeds
