// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "feeds/feed_record.h"
#include "web/http/http_message.h"

namespace crivello::feeds {

// When a feed is polled again, in seconds.  docs/feeds.md explains the choice.
//
//   declared = ttl, or sy:updatePeriod over updateFrequency, at least kShortest
//   interval = declared, or kSilence of the time without news if that is longer (at most kLongest)
//            = half the mean time between news, within [kLeastLearnt, kLongest], if nothing is declared
//   interval is never shorter than the answer is fresh, up to kLongest
//   after n failures in a row: interval times 2^n, at most kLongestRest
//
// A time in an hour or on a day that the feed asks to skip moves to the next one that it does not.
inline constexpr int64_t kShortest = 60;
inline constexpr int64_t kLeastLearnt = 600;
inline constexpr int64_t kLongest = 24 * 3600;
inline constexpr int64_t kLongestDeclared = 30 * int64_t{24} * 3600;
inline constexpr int64_t kLongestRest = 7 * int64_t{24} * 3600;
// A feed that has had no news for a month is polled every 43 minutes, even if it declares a shorter time.
inline constexpr int64_t kSilence = 1000;

// Seconds from one poll to the next, before skipped hours are considered.  REQUIRES: record.last_poll is the
// poll that has just ended.
int64_t PollInterval(const FeedRecord& record);

// The time of the next poll.
int64_t NextPoll(const FeedRecord& record);

// The first second at or after `time` that is not in a skipped hour or day; `time` itself if all are skipped.
int64_t AfterSkipped(int64_t time, const PollHints& hints);

// For how many seconds an answer is fresh (web::FreshSeconds()), within what a feed may declare; 0 if it does
// not say.  `now`: seconds since 1970.
int64_t FreshFor(const web::HttpFields& fields, int64_t now);

// Adds a time of `seconds`, with or without news.  What is older than two weeks fades.
void Watch(int64_t seconds, bool news, NewsHistory* history);
// How often there was news so far, by the dates of the items of a feed that is read for the first time.
NewsHistory HistoryOfDates(const std::vector<web::FeedItem>& items, int64_t now);

}  // namespace crivello::feeds
