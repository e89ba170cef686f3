// SPDX-License-Identifier: Apache-2.0
#include "web/feed/feed.h"

#include <algorithm>

#include "base/ascii.h"
#include "web/feed/feed_internal.h"
#include "web/http/date_parse.h"

namespace crivello::web {

std::string_view FeedFormatName(FeedFormat format) {
  switch (format) {
    case FeedFormat::kRss:
      return "RSS";
    case FeedFormat::kRdf:
      return "RSS (RDF)";
    case FeedFormat::kAtom:
      return "Atom";
    case FeedFormat::kCdf:
      return "CDF";
    case FeedFormat::kJson:
      return "JSON Feed";
  }
  return "";
}

std::optional<int64_t> Feed::poll_interval_s() const {
  std::optional<int64_t> interval;
  if (ttl_minutes) interval = int64_t{*ttl_minutes} * 60;
  if (update_period_s) {
    interval =
        std::max(interval.value_or(0), int64_t{*update_period_s} / std::max<int64_t>(1, update_frequency));
  }
  return interval;
}

Result<Feed> ParseFeed(std::string_view utf8, const FeedOptions& options) {
  if (utf8.starts_with("\xEF\xBB\xBF")) utf8.remove_prefix(3);
  while (!utf8.empty() && (IsAsciiSpace(utf8.front()) || utf8.front() == '\0')) utf8.remove_prefix(1);
  return utf8.starts_with("{") ? internal::ParseJsonFeed(utf8, options)
                               : internal::ParseXmlFeed(utf8, options);
}

namespace internal {

FeedDate MakeDate(std::string_view text) {
  text = TrimAsciiSpace(text);
  return {.text = std::string(text), .seconds = ParseDate(text)};
}

namespace {

bool IsHtmlType(std::string_view type) {
  return type.empty() || type == "text/html" || type == "application/xhtml+xml";
}

// The first alternate link, preferring HTML.
const FeedLink* Alternate(const std::vector<FeedLink>& links) {
  const FeedLink* first = nullptr;
  for (const FeedLink& link : links) {
    if (link.rel != "alternate" || link.href.empty()) continue;
    if (IsHtmlType(link.type)) return &link;
    if (first == nullptr) first = &link;
  }
  return first;
}

}  // namespace

void ChooseItemLink(FeedItem* item) {
  if (const FeedLink* link = Alternate(item->links)) {
    item->link = link->href;
  } else if (item->id_is_permalink) {
    item->link = item->id;
  }
}

void ChooseFeedLinks(Feed* feed) {
  if (const FeedLink* link = Alternate(feed->links)) feed->link = link->href;
  for (const FeedLink& link : feed->links) {
    if (link.href.empty()) continue;
    if (link.rel == "self" && feed->self.empty()) feed->self = link.href;
    if (link.rel == "next" && feed->next.empty()) feed->next = link.href;
    if (link.rel == "hub") feed->hubs.push_back(link.href);
  }
}

}  // namespace internal
}  // namespace crivello::web
