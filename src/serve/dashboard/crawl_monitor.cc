// SPDX-License-Identifier: Apache-2.0
#include "serve/dashboard/crawl_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/civil_time.h"
#include "base/process_usage.h"
#include "serve/api/json.h"
#include "serve/pages/wording.h"

namespace crivello::serve {
namespace {

constexpr int64_t kRateSeconds = 10;
constexpr int64_t kTrendSeconds = 60;

CrawlSample SampleOf(const CrawlMoment& moment) {
  return {.time = ToSeconds(SystemClock().Wall()),
          .pages = moment.crawl.pages,
          .rows = moment.counts.pages,
          .bytes = moment.crawl.bytes,
          .failures = moment.crawl.failures,
          .queued = moment.crawl.queued,
          .documents = moment.index.documents,
          .resident = moment.resident_bytes};
}

// Computes the current rates from the samples of the last minute.
void AddTrends(const std::vector<CrawlSample>& samples, CrawlMoment* moment) {
  if (samples.size() < 2) return;
  const CrawlSample& last = samples.back();
  const auto from = std::find_if(samples.begin(), samples.end(), [&](const CrawlSample& sample) {
    return sample.time >= last.time - kRateSeconds;
  });
  const auto seconds = static_cast<double>(last.time - from->time);
  if (seconds > 0) {
    moment->pages_per_second = static_cast<double>(last.pages - from->pages) / seconds;
    moment->bytes_per_second = static_cast<double>(last.bytes - from->bytes) / seconds;
  }
  const CrawlSample& first = samples.front();
  if (moment->state != CrawlControl::State::kRunning || last.queued >= first.queued) return;
  const double shrinks =
      static_cast<double>(first.queued - last.queued) / static_cast<double>(last.time - first.time);
  moment->seconds_left = static_cast<double>(last.queued) / shrinks;
}

// A continuous crawl has no end: it only waits.
bool Waits(const CrawlMoment& moment) {
  return moment.state == CrawlControl::State::kFinished && moment.crawl.revisits.continuous &&
         moment.crawl.queued == 0;
}

std::string EndOf(const CrawlMoment& moment) {
  if (Waits(moment)) return "runs until stopped";
  if (moment.state == CrawlControl::State::kFinished) return moment.crawl.queued > 0 ? "stopped" : "finished";
  if (moment.state == CrawlControl::State::kPaused) return "paused";
  if (moment.seconds_left) return "about " + LastingOf(*moment.seconds_left);
  const uint64_t queued = moment.crawl.queued;
  const double least = static_cast<double>(queued) / std::max(moment.pages_per_second, 1e-9);
  if (least < 1 || moment.pages_per_second <= 0) return "not known yet";
  return "at least " + LastingOf(least);
}

std::string IdleOf(const CrawlMoment& moment) {
  switch (moment.state) {
    case CrawlControl::State::kFinished:
      return "Nothing is being fetched: " + StandstillOf(moment.state, moment.crawl) + ".";
    case CrawlControl::State::kPaused:
      return moment.crawl.in_flight > 0 ? "Paused: requests in progress are finishing." : "Paused.";
    case CrawlControl::State::kRunning:
      break;
  }
  return moment.idle.empty() ? "Fetching." : "Idle: " + moment.idle + ".";
}

Json ChartsJson(const std::vector<CrawlChart>& charts) {
  Json json = Json::object();
  for (const CrawlChart& chart : charts) {
    Json lines = Json::array();
    for (const CrawlChart::Line& line : chart.lines) {
      lines.push_back({{"path", line.path}, {"now", line.now}});
    }
    json[std::string(chart.id)] = {{"top", chart.top}, {"since", chart.since}, {"lines", std::move(lines)}};
  }
  return json;
}

}  // namespace

std::string_view NameOf(CrawlControl::State state) {
  switch (state) {
    case CrawlControl::State::kRunning:
      return "running";
    case CrawlControl::State::kPaused:
      return "paused";
    case CrawlControl::State::kFinished:
      break;
  }
  return "finished";
}

std::vector<std::pair<std::string_view, std::string>> TextsOf(const CrawlMoment& moment) {
  const CrawlStatus& crawl = moment.crawl;
  const CrawlStatus::Hosts& hosts = crawl.hosts;
  std::vector<std::pair<std::string_view, std::string>> texts = {
      {"state", Waits(moment) ? "waiting" : std::string(NameOf(moment.state))},
      {"idle", IdleOf(moment)},
      {"end", EndOf(moment)},
      {"pages-rate", fmt::format("{:.1f}/s", moment.pages_per_second)},
      {"bytes-rate", SizeOf(static_cast<uint64_t>(moment.bytes_per_second)) + "/s"},
      {"pages", Grouped(crawl.pages)},
      {"rows", Grouped(moment.counts.pages)},
      {"bytes", SizeOf(crawl.bytes)},
      {"queued", Grouped(crawl.queued)},
      {"scheduled", Grouped(crawl.scheduled)},
      {"in-flight", Grouped(crawl.in_flight)},
      {"to-read", Grouped(crawl.to_read)},
      {"to-commit", Grouped(crawl.to_commit)},
      {"to-sift", Grouped(crawl.to_sift)},
      {"links", Grouped(crawl.links)},
      {"2xx", Grouped(crawl.statuses[2])},
      {"3xx", Grouped(crawl.statuses[3])},
      {"4xx", Grouped(crawl.statuses[4])},
      {"5xx", Grouped(crawl.statuses[5])},
      {"failures", Grouped(crawl.failures)},
      {"retries", Grouped(crawl.retries)},
      {"refused", Grouped(crawl.refused)},
      {"filtered", Grouped(crawl.filtered)},
      {"copies", Grouped(crawl.copies)},
      {"revisit-pages", Grouped(crawl.revisits.pages)},
      // Without an estimate the value is exactly 0.
      {"revisit-fresh",
       crawl.revisits.fresh > 0 ? fmt::format("{:.1f}%", 100 * crawl.revisits.fresh) : "not known yet"},
      {"revisit-age", fmt::format("{:.1f} days", crawl.revisits.age_days)},
      {"revisit-planned", fmt::format("{:.1f} per day{}", crawl.revisits.planned,
                                      crawl.revisits.continuous ? "" : " (only with --continuous)")},
      {"revisit-new", Grouped(crawl.revisits.firsts)},
      {"revisit-again", Grouped(crawl.revisits.again)},
      {"revisit-changes", Grouped(crawl.revisits.changes)},
      {"revisit-failing", Grouped(crawl.revisits.failing)},
      {"hosts-known", Grouped(hosts.known)},
      {"hosts-ready", Grouped(hosts.ready + hosts.taken)},
      {"hosts-waiting", Grouped(hosts.delayed + hosts.waiting)},
      {"hosts-sleeping", Grouped(hosts.sleeping)},
      {"hosts-given-up", Grouped(hosts.given_up)},
      {"feeds", Grouped(crawl.feeds.followed)},
      {"feeds-failing", Grouped(crawl.feeds.failing)},
      {"feed-polls", Grouped(crawl.feeds.polls)},
      {"feed-items", Grouped(crawl.feeds.items)},
      {"feed-subscriptions",
       fmt::format("{} of {}", Grouped(crawl.feeds.subscribed), Grouped(crawl.feeds.subscriptions))},
      {"feed-deliveries", Grouped(crawl.feeds.deliveries)},
      {"feed-refused", Grouped(crawl.feeds.forged + crawl.feeds.unsolicited)},
      {"documents", Grouped(moment.index.documents)},
      {"backlog", Grouped(moment.index.backlog)},
      {"segments", Grouped(moment.index.segments)},
      {"building", moment.index.building ? "a full build is running"
                                         : Counted(moment.index.builds, "build", "builds") + " so far"},
      {"resident", SizeOf(moment.resident_bytes)},
      {"budget", moment.memory_budget > 0 ? SizeOf(moment.memory_budget) : "not set"},
      {"bodies", SizeOf(crawl.body_bytes)},
      {"awake", hosts.awake_limit > 0 ? Grouped(hosts.awake) + " of " + Grouped(hosts.awake_limit) : "none"},
  };
  return texts;
}

CrawlMonitor::CrawlMonitor(Sources sources, Duration interval)
    : sources_(std::move(sources)), interval_(interval) {
  assert(sources_.crawl != nullptr && sources_.index && sources_.pages != nullptr);
  thread_ = std::thread([this] { Run(); });
}

CrawlMonitor::~CrawlMonitor() {
  {
    MutexLock lock(mu_);
    stopping_ = true;
  }
  stop_.notify_all();
  thread_.join();
}

void CrawlMonitor::Run() {
  for (Look();;) {
    {
      MutexLock lock(mu_);
      if (stop_.wait_for(mu_, interval_, [this]() CRV_REQUIRES(mu_) { return stopping_; })) return;
    }
    Look();
    Publish();
  }
}

void CrawlMonitor::Look() {
  const CrawlSample sample = SampleOf(Now());
  MutexLock lock(mu_);
  history_.Add(sample);
}

CrawlMoment CrawlMonitor::Now() const {
  CrawlMoment moment;
  moment.state = sources_.crawl->state();
  moment.crawl = sources_.crawl->status();
  moment.index = sources_.index();
  if (auto counts = sources_.pages->Stats(); counts.ok()) moment.counts = *counts;
  moment.resident_bytes = ResidentBytes();
  moment.memory_budget = sources_.memory_budget;
  if (moment.state == CrawlControl::State::kRunning && moment.crawl.in_flight == 0) {
    moment.idle = moment.crawl.idle;
  }
  AddTrends(Last(kTrendSeconds), &moment);
  return moment;
}

std::vector<CrawlSample> CrawlMonitor::Last(int64_t span) const {
  MutexLock lock(mu_);
  return history_.Last(span);
}

std::vector<CrawlChart> CrawlMonitor::Charts(int64_t span) const {
  return DrawCrawl(Last(span), span, sources_.memory_budget);
}

void CrawlMonitor::Publish() {
  if (events_.subscribers() == 0) return;
  const CrawlMoment moment = Now();
  Json texts = Json::object();
  for (const auto& [name, text] : TextsOf(moment)) texts[std::string(name)] = text;
  Json charts = Json::object();
  for (const int64_t span : {CrawlHistory::kNearSpan, CrawlHistory::kFarSpan}) {
    charts[std::to_string(span)] = ChartsJson(Charts(span));
  }
  events_.Publish("crawl", JsonText({{"state", NameOf(moment.state)},
                                     {"texts", std::move(texts)},
                                     {"charts", std::move(charts)}}));
}

}  // namespace crivello::serve
