// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/crawl_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "base/process_usage.h"
#include "cli/commands/collection.h"
#include "cli/commands/crawl_screen.h"
#include "cli/config/crawl_flags.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/units.h"
#include "cli/version.h"
#include "page/stage_costs.h"

namespace crivello::cli {
namespace {

// CPU seconds by stage; the rest is background work of the database and the sieve, and the start of the
// program.
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

std::string EndSentence(const crawl::CrawlEnd& end, const crawl::SeedCounts& seeds) {
  switch (end.why) {
    case crawl::CrawlEnd::Why::kFinished:
      if (seeds.none_fetched()) return "no seed could be fetched; 'crivello report' says why";
      return "nothing is left to fetch";
    case crawl::CrawlEnd::Why::kBudget:
      return fmt::format("the limit --{} is reached; run the same command to resume", end.detail);
    case crawl::CrawlEnd::Why::kStopped:
      return "stopped; run the same command to resume";
    case crawl::CrawlEnd::Why::kDiskFull:
      return fmt::format(
          "stopped before the disk is full: {}; free some space or lower --min-free, then run the command "
          "again",
          end.detail);
  }
  return "";
}

int CrawlExitCode(const crawl::CrawlEnd& end, const crawl::SeedCounts& seeds) {
  if (end.why == crawl::CrawlEnd::Why::kDiskFull) return kIoFailure;
  return end.why != crawl::CrawlEnd::Why::kStopped && seeds.none_fetched() ? kIoFailure : kDone;
}

engine::EngineOptions EngineOptionsOf(const Session& session, crawl::CrawlOptions crawl) {
  return {.directory = session.collection,
          .software = fmt::format("crivello/{}", kVersion),
          .crawl = std::move(crawl)};
}

Result<int> RunCrawl(const Session& session, crawl::CrawlOptions options) {
  Signals signals(*session.log);  // before there are threads
  const uint64_t connections = options.connections;
  const uint64_t memory = options.memory_bytes;
  SessionListener listener(session);
  const std::string contact = options.contact;
  CRV_ASSIGN(const auto engine,
             engine::Engine::OpenToCrawl(EngineOptionsOf(session, std::move(options)), listener));
  CRV_TRY(RememberContact(session, contact));
  CRV_TRY(engine->AnswerOthers());
  session.log->Write(
      LogLevel::kInfo, "crawl.start",
      fmt::format("crawling into {} with {} connections in {}", session.collection, connections,
                  FormatSize(memory)),
      {{"collection", session.collection}, {"connections", connections}, {"memory_bytes", memory}});

  const auto start = std::chrono::steady_clock::now();
  Result<crawl::CrawlEnd> end = [&] {
    std::unique_ptr<CrawlScreen> screen;
    if (!session.quiet) {
      screen =
          std::make_unique<CrawlScreen>([&] { return CrawlView{.stats = engine->Health().crawl}; }, session);
    }
    // A second interrupt means: immediately.
    signals.OnInterrupt([&, again = false]() mutable { engine->StopCrawl(std::exchange(again, true)); });
    Result<crawl::CrawlEnd> ended = engine->Crawl();
    signals.OnInterrupt({});
    return ended;
  }();
  CRV_TRY(end.status());
  const crawl::CrawlStats stats = engine->Health().crawl;
  CRV_TRY(engine->Stop([&](Duration limit) { return signals.WaitFor(limit); }));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double cpu = CpuSeconds();
  const auto stages = StageSeconds(stats, cpu);
  const std::string why = EndSentence(*end, stats.seeds);
  if (session.json) {
    Json done = {{"event", "done"},           {"pages", stats.pages}, {"robots", stats.robots},
                 {"bytes", stats.bytes},      {"seconds", seconds},   {"cpu_seconds", cpu},
                 {"peak_bytes", PeakBytes()}, {"why", why},           {"seeds_failed", stats.seeds.failed}};
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
      session.out->Print("{}", table.ToString());
    }
    session.out->Print("{}, {} in {:.1f} s: {}\n", Counted(stats.pages, "page", "pages"),
                       FormatSize(stats.bytes), seconds, why);
  }
  return CrawlExitCode(*end, stats.seeds);
}

}  // namespace crivello::cli
