// SPDX-License-Identifier: Apache-2.0
#include "serve/api/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace crivello::serve {
namespace {

using Type = MetricsText::Type;

std::string_view NameOfType(Type type) {
  switch (type) {
    case Type::kCounter:
      return "counter";
    case Type::kGauge:
      return "gauge";
    case Type::kHistogram:
      break;
  }
  return "histogram";
}

double Number(uint64_t value) { return static_cast<double>(value); }

}  // namespace

void MetricsText::Family(std::string_view name, Type type, std::string_view help) {
  name_ = name;
  text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, NameOfType(type));
}

void MetricsText::Sample(std::string_view suffix, std::string_view labels, double value) {
  text_ += name_;
  text_ += suffix;
  if (!labels.empty()) text_ += fmt::format("{{{}}}", labels);
  text_ += fmt::format(" {}\n", value);
}

void MetricsText::One(std::string_view name, Type type, std::string_view help, double value) {
  Family(name, type, help);
  Sample("", "", value);
}

void RequestMetrics::Record(std::string_view route, unsigned status, Duration duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  const auto bound =
      static_cast<size_t>(std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin());
  const MutexLock lock(mutex_);
  auto at = routes_.find(route);
  if (at == routes_.end()) at = routes_.emplace(std::string(route), OfRoute()).first;
  at->second.statuses[status]++;
  at->second.times.counts[bound]++;
  at->second.times.seconds += seconds;
}

void RequestMetrics::AppendTo(MetricsText* text) const {
  const MutexLock lock(mutex_);
  text->Family("crivello_http_requests_total", Type::kCounter, "Requests that a handler answered");
  for (const auto& [route, of_route] : routes_) {
    for (const auto& [status, count] : of_route.statuses) {
      text->Sample("", fmt::format("route=\"{}\",status=\"{}\"", route, status), Number(count));
    }
  }
  text->Family("crivello_http_request_duration_seconds", Type::kHistogram, "Time spent in handlers");
  for (const auto& [route, of_route] : routes_) {
    uint64_t sum = 0;
    for (size_t i = 0; i < kBounds.size(); i++) {
      sum += of_route.times.counts[i];
      text->Sample("_bucket", fmt::format("route=\"{}\",le=\"{}\"", route, kBounds[i]), Number(sum));
    }
    sum += of_route.times.counts.back();
    text->Sample("_bucket", fmt::format("route=\"{}\",le=\"+Inf\"", route), Number(sum));
    text->Sample("_sum", fmt::format("route=\"{}\"", route), of_route.times.seconds);
    text->Sample("_count", fmt::format("route=\"{}\"", route), Number(sum));
  }
}

void AppendHttp(const HttpStats& counters, MetricsText* text) {
  text->One("crivello_http_connections", Type::kGauge, "Open connections",
            Number(counters.connections.value()));
  text->One("crivello_http_streams", Type::kGauge, "Open connections that stream events",
            Number(counters.streams.value()));
  text->One("crivello_http_connections_total", Type::kCounter, "Connections accepted",
            Number(counters.connections_total.value()));
  text->Family("crivello_http_refused_total", Type::kCounter, "Requests refused by the server itself");
  text->Sample("", "reason=\"connections\"", Number(counters.connections_refused.value()));
  text->Sample("", "reason=\"overloaded\"", Number(counters.overloaded.value()));
  text->Sample("", "reason=\"malformed\"", Number(counters.malformed.value()));
  text->One("crivello_http_answers_total", Type::kCounter,
            "Responses sent, including those of the server itself", Number(counters.requests.value()));
  text->One("crivello_http_sent_bytes_total", Type::kCounter, "Bytes of responses",
            Number(counters.bytes_sent.value()));
}

void AppendDisk(const DiskStats& disk, MetricsText* text) {
  if (!disk.known) return;
  text->Family("crivello_collection_bytes", Type::kGauge, "Bytes of the files of the collection");
  text->Sample("", "part=\"archive\"", Number(disk.archive));
  text->Sample("", "part=\"index\"", Number(disk.index));
  text->Sample("", "part=\"database\"", Number(disk.database));
  text->Sample("", "part=\"other\"", Number(disk.other));
  text->One("crivello_disk_free_bytes", Type::kGauge, "Free bytes of the file system of the collection",
            Number(disk.free));
  text->One("crivello_disk_total_bytes", Type::kGauge, "Size of the file system of the collection",
            Number(disk.total));
}

void AppendCrawl(const CrawlStatus& crawl, MetricsText* text) {
  const auto counter = [text](std::string_view name, std::string_view help, uint64_t value) {
    text->One(name, Type::kCounter, help, Number(value));
  };
  const auto gauge = [text](std::string_view name, std::string_view help, uint64_t value) {
    text->One(name, Type::kGauge, help, Number(value));
  };
  counter("crivello_crawl_pages_total", "Pages committed", crawl.pages);
  counter("crivello_crawl_received_bytes_total", "Bytes received", crawl.bytes);
  counter("crivello_crawl_links_total", "Links found", crawl.links);
  counter("crivello_crawl_failures_total", "Fetches without a response", crawl.failures);
  counter("crivello_crawl_retries_total", "Fetches retried", crawl.retries);
  counter("crivello_crawl_refused_total", "Visits that robots.txt forbade", crawl.refused);
  counter("crivello_crawl_filtered_total", "Visits that a filter or the scope forbade", crawl.filtered);
  text->Family("crivello_crawl_answers_total", Type::kCounter, "Responses by status class");
  for (size_t i = 0; i < crawl.statuses.size(); i++) {
    text->Sample("", fmt::format("class=\"{}\"", i == 0 ? "other" : fmt::format("{}xx", i)),
                 Number(crawl.statuses[i]));
  }
  gauge("crivello_crawl_in_flight", "Fetches in progress", crawl.in_flight);
  gauge("crivello_crawl_waiting_pages", "Pages fetched and not yet committed",
        crawl.to_read + crawl.to_commit);
  gauge("crivello_crawl_queued_urls", "URLs in the queues", crawl.queued);
  gauge("crivello_crawl_scheduled_urls", "URLs to be fetched at a time of their own", crawl.scheduled);
  const CrawlStatus::Revisits& revisits = crawl.revisits;
  text->Family("crivello_crawl_visits_total", Type::kCounter, "Visits of pages, new or known");
  text->Sample("", "page=\"new\"", Number(revisits.firsts));
  text->Sample("", "page=\"known\"", Number(revisits.again));
  counter("crivello_revisit_changes_total", "Revisits that found a change", revisits.changes);
  gauge("crivello_revisit_pages", "Pages scheduled for another visit", revisits.pages);
  gauge("crivello_revisit_queued_pages", "Pages that were due and are in the queues", revisits.queued);
  gauge("crivello_revisit_failing_pages", "Pages whose last visit brought no page", revisits.failing);
  text->One("crivello_revisit_planned_per_day", Type::kGauge, "Revisits planned per day", revisits.planned);
  text->One("crivello_revisit_budget_per_day", Type::kGauge, "Revisits that the budget allows per day",
            revisits.budget);
  text->One("crivello_fresh_share", Type::kGauge, "Share of the copies that are current, an estimate",
            revisits.fresh);
  text->One("crivello_age_seconds", Type::kGauge, "Time since the last visit of a page, in the mean",
            revisits.age_days * 86400);
  gauge("crivello_feeds", "Feeds that the crawl follows", crawl.feeds.followed);
  gauge("crivello_feeds_failing", "Feeds whose last poll failed", crawl.feeds.failing);
  counter("crivello_feed_polls_total", "Polls of feeds", crawl.feeds.polls);
  counter("crivello_feed_items_total", "New items of feeds that were asked for", crawl.feeds.items);
  counter("crivello_feed_documents_total", "Items of feeds that became documents", crawl.feeds.documents);
  gauge("crivello_websub_subscriptions", "WebSub subscriptions that there are to be",
        crawl.feeds.subscriptions);
  gauge("crivello_websub_verified", "WebSub subscriptions that hubs have verified", crawl.feeds.subscribed);
  gauge("crivello_websub_failing", "WebSub subscriptions whose last request to the hub failed",
        crawl.feeds.subscriptions_failing);
  text->Family("crivello_websub_requests_total", Type::kCounter, "Requests of WebSub hubs by outcome");
  text->Sample("", "outcome=\"delivered\"", Number(crawl.feeds.deliveries));
  text->Sample("", "outcome=\"repeated\"", Number(crawl.feeds.repeated));
  text->Sample("", "outcome=\"forged\"", Number(crawl.feeds.forged));
  text->Sample("", "outcome=\"unsolicited\"", Number(crawl.feeds.unsolicited));
  text->Family("crivello_crawl_hosts", Type::kGauge, "Hosts by state");
  const auto hosts = [text](std::string_view state, uint64_t value) {
    text->Sample("", fmt::format("state=\"{}\"", state), Number(value));
  };
  hosts("ready", crawl.hosts.ready);
  hosts("delayed", crawl.hosts.delayed);
  hosts("taken", crawl.hosts.taken);
  hosts("sleeping", crawl.hosts.sleeping);
  hosts("given_up", crawl.hosts.given_up);
}

}  // namespace crivello::serve
