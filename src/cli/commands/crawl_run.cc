// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/crawl_run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <utility>
#include <vector>

#include "base/process_usage.h"
#include "cli/commands/care.h"
#include "cli/commands/collection.h"
#include "cli/commands/crawl_screen.h"
#include "cli/commands/owner_socket.h"
#include "cli/json.h"
#include "cli/level_signals.h"
#include "cli/output.h"
#include "cli/units.h"
#include "cli/version.h"
#include "crawl/crawler.h"
#include "page/stage_costs.h"

namespace crivello::cli {
namespace {

std::atomic<crawl::Crawler*> running = nullptr;
std::atomic<int> interrupts = 0;

extern "C" void OnInterrupt(int) {
  if (crawl::Crawler* crawler = running.load()) crawler->Stop(/*at_once=*/interrupts.fetch_add(1) > 0);
}

// Lets Ctrl-C and a service manager's word reach the crawler while it runs.
class Interrupts {
 public:
  explicit Interrupts(crawl::Crawler& crawler) {
    running = &crawler;
    interrupts = 0;
    struct sigaction action = {};
    action.sa_handler = OnInterrupt;
    sigaction(SIGINT, &action, &old_int_);
    sigaction(SIGTERM, &action, &old_term_);
  }
  ~Interrupts() {
    sigaction(SIGINT, &old_int_, nullptr);
    sigaction(SIGTERM, &old_term_, nullptr);
    running = nullptr;
  }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  struct sigaction old_int_ = {};
  struct sigaction old_term_ = {};
};

// CPU seconds by stage; what no stage accounts for is the work of the database and the sieve in the
// background, and the start of the program.
std::vector<std::pair<std::string, double>> StageSeconds(const crawl::CrawlStats& stats, double all) {
  std::vector<std::pair<std::string, double>> rows;
  double rest = all;
  for (size_t i = 0; i < stats.stages.size(); ++i) {
    const double seconds = std::chrono::duration<double>(stats.stages[i]).count();
    rows.emplace_back(page::StageName(static_cast<page::Stage>(i)), seconds);
    rest -= seconds;
  }
  if (!rows.empty()) rows.emplace_back("background", rest);
  return rows;
}

}  // namespace

void RaiseDescriptorLimit() {
  struct rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::string EndSentence(const crawl::CrawlEnd& end) {
  switch (end.why) {
    case crawl::CrawlEnd::Why::kFinished:
      return "nothing is left to fetch";
    case crawl::CrawlEnd::Why::kBudget:
      return fmt::format("the limit is reached (--{}); run it again to go on", end.detail);
    case crawl::CrawlEnd::Why::kStopped:
      return "stopped; run it again to go on";
    case crawl::CrawlEnd::Why::kDiskFull:
      return fmt::format(
          "stopped before the disk is full: {}; make room, or lower --min-free, and run it again",
          end.detail);
  }
  return "";
}

Result<std::unique_ptr<collection::Collection>> OpenToCrawl(const Session& session,
                                                            collection::MemoryPlan::Work work,
                                                            crawl::CrawlOptions* options) {
  if (options->user_agent.empty()) {
    options->user_agent = options->contact.empty()
                              ? fmt::format("crivello/{}", kVersion)
                              : fmt::format("crivello/{} (+{})", kVersion, options->contact);
  }
  collection::CollectionOptions store_options = StoreOptions(session);
  store_options.tablets = options->tablets;
  store_options.work = work;
  store_options.memory_bytes = options->memory_bytes;
  store_options.archive.warc.compression = options->compression;
  store_options.archive.warcinfo = {{"software", fmt::format("crivello/{}", kVersion)},
                                    {"format", "WARC File Format 1.1"},
                                    {"robots", "obey"},
                                    {"http-header-user-agent", options->user_agent}};
  if (!options->contact.empty()) store_options.archive.warcinfo.emplace_back("operator", options->contact);
  store_options.sieve = options->sieve;
  RaiseDescriptorLimit();
  CRV_ASSIGN(std::unique_ptr<collection::Collection> store, collection::Collection::Open(store_options));
  for (collection::Tablet* const tablet : store->tablets()) {
    for (const std::string& sentence : tablet->archive()->recovery().Sentences()) {
      session.log->Write(LogLevel::kWarning, "archive.repaired", sentence);
    }
  }
  CRV_TRY(FinishCare(session, *store));
  return store;
}

Result<int> RunCrawl(const Session& session, crawl::CrawlOptions options) {
  const LevelSignals level_signals(*session.log);  // before there are threads
  CRV_ASSIGN(const auto store, OpenToCrawl(session, collection::MemoryPlan::Work::kCrawl, &options));
  const uint64_t connections = options.connections;
  const uint64_t memory = options.memory_bytes;
  CRV_ASSIGN(crawl::CrawlParts parts, crawl::OpenWebParts(options, store->memory()));
  CRV_ASSIGN(const auto crawler, crawl::Crawler::Open(*store, std::move(options), std::move(parts)));
  CRV_ASSIGN(const auto socket, OwnerSocket::Open(*store));
  session.log->Write(
      LogLevel::kInfo, "crawl.start",
      fmt::format("crawling into {} with {} connections in {}", session.collection, connections,
                  FormatSize(memory)),
      {{"collection", session.collection}, {"connections", connections}, {"memory_bytes", memory}});

  const auto start = std::chrono::steady_clock::now();
  Result<crawl::CrawlEnd> end = [&] {
    std::unique_ptr<CrawlScreen> screen;
    if (!session.quiet) screen = std::make_unique<CrawlScreen>([&] { return crawler->stats(); }, session);
    const Interrupts interrupts_reach(*crawler);
    return crawler->Run();
  }();
  CRV_TRY(end.status());
  CRV_TRY(store->Close());
  const crawl::CrawlStats stats = crawler->stats();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double cpu = CpuSeconds();
  const auto stages = StageSeconds(stats, cpu);
  if (session.json) {
    Json done = {{"event", "done"},           {"pages", stats.pages},    {"robots", stats.robots},
                 {"bytes", stats.bytes},      {"seconds", seconds},      {"cpu_seconds", cpu},
                 {"peak_bytes", PeakBytes()}, {"why", EndSentence(*end)}};
    for (const auto& [name, spent] : stages) done["stages"][name] = spent;
    PrintJson(session, done);
  } else {
    if (!stages.empty()) {
      Table table({{"stage"}, {"CPU s", true}, {"%", true}, {"µs a page", true}});
      for (const auto& [name, spent] : stages) {
        table.Row(
            {name, fmt::format("{:.2f}", spent), fmt::format("{:.1f}", 100 * spent / cpu),
             fmt::format("{:.0f}", 1e6 * spent / static_cast<double>(std::max<uint64_t>(stats.pages, 1)))});
      }
      fmt::print(session.out, "{}", table.ToString());
    }
    fmt::print(session.out, "{} pages, {} in {:.1f} s: {}\n", Grouped(stats.pages), FormatSize(stats.bytes),
               seconds, EndSentence(*end));
  }
  return end->why == crawl::CrawlEnd::Why::kDiskFull ? kIoFailure : kDone;
}

}  // namespace crivello::cli
