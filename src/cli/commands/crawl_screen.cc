// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/crawl_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "cli/output.h"
#include "cli/units.h"
#include "collection/why_idle.h"

namespace crivello::cli {
namespace {

using std::chrono::milliseconds;

constexpr auto kScreenRedraw = milliseconds(500);
constexpr auto kScreenLine = std::chrono::seconds(10);

double PerSecond(uint64_t now, uint64_t before, double interval) {
  return interval > 0 ? static_cast<double>(now - before) / interval : 0;
}

std::string Elapsed(double seconds) {
  const auto whole = static_cast<uint64_t>(seconds);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

std::string DescribeCrawl(const CrawlView& view, const crawl::CrawlStats& before, double interval,
                          double seconds) {
  const crawl::CrawlStats& now = view.stats;
  const frontier::FrontierStats& counts = now.frontier;
  std::string text = fmt::format(
      "{}  {} pages ({:.1f}/s)  {} ({}/s)  2xx {}  3xx {}  4xx {}  5xx {}  no answer {}\n", Elapsed(seconds),
      Grouped(now.pages), PerSecond(now.pages, before.pages, interval), FormatSize(now.bytes),
      FormatSize(static_cast<uint64_t>(PerSecond(now.bytes, before.bytes, interval))),
      Grouped(now.statuses[2]), Grouped(now.statuses[3]), Grouped(now.statuses[4]), Grouped(now.statuses[5]),
      Grouped(now.failures));
  text += fmt::format("queued {}  fetching {}  to read {}  to commit {}  to sift {}\n",
                      Grouped(counts.queued_urls), Grouped(now.in_flight), Grouped(now.to_read),
                      Grouped(now.to_commit), Grouped(counts.sieve_waiting + counts.sieve_untaken));
  text +=
      fmt::format("hosts: {} known, {} ready, {} waiting, {} asleep, {} given up; robots refused {} URLs\n",
                  Grouped(counts.known), Grouped(counts.ready),
                  Grouped(counts.host_delay + counts.address_delay + counts.resolving + counts.robots),
                  Grouped(counts.sleeping), Grouped(counts.given_up), Grouped(now.refused));
  const std::string idle =
      view.standing.empty() ? collection::WhyIdle(counts, SystemClock().Now()) : view.standing;
  if (!view.more.empty()) text.insert(text.find('\n'), "  " + view.more);
  if (!idle.empty()) text += "idle: " + Printable(idle) + "\n";
  return text;
}

CrawlScreen::CrawlScreen(std::function<CrawlView()> view, const Session& session)
    : view_(std::move(view)),
      log_(*session.log),
      to_(*session.err),
      terminal_(log_.format() == LogFormat::kPlain && session.err->is_terminal()),
      thread_([this] { Run(); }) {}

CrawlScreen::~CrawlScreen() {
  {
    std::lock_guard lock(mu_);
    stopping_ = true;
  }
  stop_.notify_one();
  thread_.join();
}

void CrawlScreen::Run() {
  const auto start = std::chrono::steady_clock::now();
  auto last = start;
  crawl::CrawlStats before;
  std::string said;  // the last message besides the numbers
  std::unique_lock lock(mu_);
  while (!stop_.wait_for(lock, terminal_ ? Duration(kScreenRedraw) : Duration(kScreenLine),
                         [this] { return stopping_; })) {
    const auto now = std::chrono::steady_clock::now();
    const CrawlView view = view_();
    const crawl::CrawlStats& stats = view.stats;
    const double interval = std::chrono::duration<double>(now - last).count();
    const double seconds = std::chrono::duration<double>(now - start).count();
    const std::string text = DescribeCrawl(view, before, interval, seconds);
    const bool news = view.standing.empty() || stats.pages != before.pages || said != view.more;
    said = view.more;
    if (terminal_) {
      Draw(text);
    } else if (news) {
      Log(text, stats, PerSecond(stats.pages, before.pages, interval));
    }
    before = stats;
    last = now;
  }
}

void CrawlScreen::Draw(const std::string& text) {
  if (drawn_lines_ > 0) to_.Print("\x1b[{}A\x1b[J", drawn_lines_);
  to_.Print("{}", text);
  drawn_lines_ = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  to_.Flush().IgnoreError();
}

void CrawlScreen::Log(const std::string& text, const crawl::CrawlStats& stats, double pages_per_second) {
  // Only the first line.
  log_.Write(LogLevel::kInfo, "crawl.progress", text.substr(0, text.find('\n')),
             {{"pages", stats.pages},
              {"pages_per_second", pages_per_second},
              {"bytes", stats.bytes},
              {"failures", stats.failures},
              {"queued", uint64_t{stats.frontier.queued_urls}},
              {"fetching", uint64_t{stats.in_flight}},
              {"hosts_ready", uint64_t{stats.frontier.ready}}});
}

}  // namespace crivello::cli
