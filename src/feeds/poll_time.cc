// SPDX-License-Identifier: Apache-2.0
#include "feeds/poll_time.h"

#include <algorithm>
#include <cmath>

#include "base/civil_time.h"
#include "web/http/http_headers.h"

namespace crivello::feeds {
namespace {

constexpr int64_t kMemory = 14 * kSecondsPerDay;
constexpr int64_t kHour = 3600;

// Half the mean time between news.  Before the first poll, one piece of news an hour is assumed.
int64_t LearntInterval(const NewsHistory& history) {
  const double news = 1 + static_cast<double>(history.thousandths) / 1000;
  const double seconds = static_cast<double>(history.seconds) + kHour;
  return std::clamp(static_cast<int64_t>(seconds / news / 2), kLeastLearnt, kLongest);
}

}  // namespace

int64_t PollInterval(const FeedRecord& record) {
  int64_t interval = 0;
  if (record.hints.interval_s) {
    interval = std::clamp(*record.hints.interval_s, kShortest, kLongestDeclared);
    if (record.last_news > 0) {
      const int64_t silence = std::max<int64_t>(0, record.last_poll - record.last_news);
      interval = std::max(interval, std::min(silence / kSilence, kLongest));
    }
  } else {
    interval = LearntInterval(record.history);
  }
  interval = std::max(interval, std::min(record.hints.fresh_s, kLongest));
  if (record.failures > 0) {
    const uint32_t doublings = std::min<uint32_t>(record.failures, 16);
    interval = std::max(interval, std::min(interval << doublings, kLongestRest));
  }
  return interval;
}

int64_t NextPoll(const FeedRecord& record) {
  return AfterSkipped(record.last_poll + PollInterval(record), record.hints);
}

int64_t AfterSkipped(int64_t time, const PollHints& hints) {
  const auto skipped = [&hints](int64_t moment) {
    return hints.skip_hours[static_cast<size_t>(CivilFromSeconds(moment).hour)] ||
           hints.skip_days[static_cast<size_t>(WeekdayOf(moment))];
  };
  int64_t moment = time;
  for (int hours = 0; hours < 8 * 24; ++hours) {
    if (!skipped(moment)) return moment;
    moment = (moment / kHour + 1) * kHour;
  }
  return time;
}

int64_t FreshFor(const web::HttpFields& fields, int64_t now) {
  return std::clamp<int64_t>(web::FreshSeconds(fields, now).value_or(0), 0, kLongestDeclared);
}

void Watch(int64_t seconds, bool news, NewsHistory* history) {
  seconds = std::max<int64_t>(0, seconds);
  const double left = std::exp(-static_cast<double>(seconds) / static_cast<double>(kMemory));
  history->seconds = static_cast<int64_t>(static_cast<double>(history->seconds) * left) + seconds;
  history->thousandths =
      static_cast<int64_t>(static_cast<double>(history->thousandths) * left) + (news ? 1000 : 0);
}

NewsHistory HistoryOfDates(const std::vector<web::FeedItem>& items, int64_t now) {
  NewsHistory history;
  int64_t first = now;
  for (const web::FeedItem& item : items) {
    const auto date = item.date_seconds();
    if (!date || *date > now || *date < now - kMemory) continue;
    first = std::min(first, *date);
    history.thousandths += 1000;
  }
  history.seconds = now - first;
  return history;
}

}  // namespace crivello::feeds
