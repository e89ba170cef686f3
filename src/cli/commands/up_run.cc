// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/up_run.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/process_usage.h"
#include "cli/commands/collection.h"
#include "cli/commands/crawl_run.h"
#include "cli/commands/crawl_screen.h"
#include "cli/config/crawl_flags.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/units.h"
#include "engine/engine.h"
#include "engine/open_collection.h"
#include "serve/push/push_service.h"

namespace crivello::cli {
namespace {

constexpr Duration kLook = std::chrono::milliseconds(100);
constexpr std::string_view kWaitsForDue =
    "The crawl waits for pages and feeds that are due; press Ctrl-C to stop.";

// Why nothing is being fetched, if nothing will be without a command; else empty.
std::string Standing(engine::Engine& engine) {
  const bool quiet = engine.WaitUntilCrawled(Duration::zero());
  const engine::EngineHealth health = engine.Health();  // after that: before, the reason may not be known yet
  if (health.paused) return "The crawl is paused; resume it on the dashboard.";
  if (!quiet || !health.end.ok()) return "";
  switch (health.end->why) {
    case crawl::CrawlEnd::Why::kFinished:
      if ((health.crawl.schedule.continuous || health.crawl.feed_polls > 0) &&
          !health.crawl.seeds.none_fetched()) {
        return std::string(kWaitsForDue);
      }
      return health.crawl.seeds.none_fetched() ? "The crawl is finished: no seed could be fetched."
                                               : "The crawl is finished: nothing is left to fetch. Searching "
                                                 "continues until you press Ctrl-C.";
    case crawl::CrawlEnd::Why::kBudget:
      return fmt::format("The crawl has reached its limit --{}; raise it on the dashboard to continue.",
                         health.end->detail);
    case crawl::CrawlEnd::Why::kDiskFull:
      return fmt::format("The crawl waits for free disk space: {}.", health.end->detail);
    case crawl::CrawlEnd::Why::kStopped:
      break;
  }
  return "";
}

// Waits until everything is done, the user stops it, or a part has failed.
Status WaitForEnd(const UpOptions& options, Logger& log, Signals& signals, engine::Engine& engine) {
  std::string told;
  bool told_waits = false;
  while (!signals.WaitFor(kLook)) {
    CRV_TRY(engine.Health().status());
    if (options.once && engine.WaitUntilCrawled(Duration::zero())) return engine.CatchUp();
    // Report it once each time that the crawl becomes idle, but only once that it waits for what is due, as
    // it does after every poll of a feed.
    const std::string standing = Standing(engine);
    if (!standing.empty() && standing != told && !(told_waits && standing == kWaitsForDue)) {
      told_waits = standing == kWaitsForDue;
      log.Write(LogLevel::kInfo, engine.Health().paused ? "crawl.paused" : "crawl.idle", standing);
    }
    told = standing;
  }
  return Status::Ok();
}

void PrintEnd(const Session& session, const engine::EngineHealth& health, double seconds) {
  const crawl::CrawlStats& stats = health.crawl;
  const uint64_t documents = health.index.documents;
  const std::string why = EndSentence(*health.end, stats.seeds);
  // In plain format, people read it among the results.
  if (session.log->format() != LogFormat::kPlain) {
    session.log->Write(LogLevel::kInfo, "up.stopped", why,
                       {{"pages", stats.pages}, {"documents", documents}, {"seconds", seconds}});
  }
  if (session.json) {
    PrintJson(session, {{"event", "done"},
                        {"pages", stats.pages},
                        {"robots", stats.robots},
                        {"bytes", stats.bytes},
                        {"documents", documents},
                        {"seconds", seconds},
                        {"cpu_seconds", CpuSeconds()},
                        {"why", why},
                        {"seeds_failed", stats.seeds.failed}});
    return;
  }
  session.out->Print("{}, {} in {:.1f} s; {} searchable in all: {}\n", Counted(stats.pages, "page", "pages"),
                     FormatSize(stats.bytes), seconds, Grouped(documents), why);
}

void TellStart(const Session& session, const UpOptions& options, const std::string& url,
               engine::Engine& engine) {
  Logger& log = *session.log;
  std::error_code error;
  const std::string where = std::filesystem::absolute(session.collection, error).string();
  const uint64_t memory = options.crawl.memory_bytes;
  log.Write(LogLevel::kInfo, "serve.start", fmt::format("Search it at {0} and watch it at {0}dashboard", url),
            {{"url", url}});
  log.Write(LogLevel::kInfo, "crawl.start",
            fmt::format("Collection {}; memory {}, of which {} for the index.", where, FormatSize(memory),
                        FormatSize(engine.collection().memory().index)),
            {{"collection", where}, {"memory_bytes", memory}});
  // Only users on a terminal press keys.
  if (log.format() == LogFormat::kPlain && !session.quiet) {
    session.err->Print("Press Ctrl-C to stop cleanly; run the same command to resume.\n");
  }
}

void TellPush(const Session& session, const std::string& url) {
  session.log->Write(LogLevel::kInfo, "push.start",
                     fmt::format("Sites submit changed pages to {0}indexnow, and hubs call {0}websub/", url),
                     {{"url", url}});
  if (!session.json) return;
  PrintJson(session, {{"event", "push"}, {"url", url}});
  session.out->Flush().IgnoreError();
}

}  // namespace

Result<int> RunUp(const Session& session, UpOptions options, Signals& signals) {
  const MonotonicTime start = SystemClock().Now();
  SessionListener listener(session);
  engine::EngineOptions parts = EngineOptionsOf(session, options.crawl);
  parts.ranks = options.ranks;
  CRV_ASSIGN(const auto engine, engine::Engine::StartAll(std::move(parts), listener));
  CRV_TRY(RememberContact(session, options.crawl.contact));
  CRV_TRY(engine->AnswerOthers());
  CRV_ASSIGN(const auto web, StartServer(session, options.serve, engine->sources()));
  std::unique_ptr<serve::PushService> push;
  if (!options.push_listen.empty()) {
    const serve::PushServiceOptions how = {.listen = options.push_listen,
                                           .public_url = options.serve.public_url};
    CRV_TRY(serve::CheckPushOptions(how));
    CRV_TRY(engine->OpenPush(how.public_url, listener));
    CRV_ASSIGN(push, serve::PushService::Start(
                         how, {.index_now = engine->push().index_now(), .websub = engine->push().websub()}));
  }
  TellStart(session, options, web->url(), *engine);
  PrintOpened(session, web->url());
  if (push != nullptr) TellPush(session, push->url());
  if (options.opened) options.opened(web->url());
  Status status;
  {
    std::unique_ptr<CrawlScreen> screen;
    if (!session.quiet) {
      screen = std::make_unique<CrawlScreen>(
          [&] {
            const engine::EngineHealth health = engine->Health();
            return CrawlView{.stats = health.crawl,
                             .more = fmt::format("searchable {}", Grouped(health.index.documents)),
                             .standing = Standing(*engine)};
          },
          session);
    }
    status = WaitForEnd(options, *session.log, signals, *engine);
  }
  if (session.log->format() != LogFormat::kPlain) {
    session.log->Write(LogLevel::kInfo, "up.stopping",
                       "shutting down: finishing and committing requests in progress");
  }
  web->Stop();
  if (push != nullptr) push->Stop();
  const Status stopped = engine->Stop([&](Duration limit) { return signals.WaitFor(limit); });
  CRV_TRY(status);
  CRV_TRY(stopped);
  const engine::EngineHealth health = engine->Health();
  PrintEnd(session, health, std::chrono::duration<double>(SystemClock().Now() - start).count());
  // A server that was told to stop has succeeded, whatever the result of the crawl.
  return options.once                                         ? CrawlExitCode(*health.end, health.crawl.seeds)
         : health.end->why == crawl::CrawlEnd::Why::kDiskFull ? kIoFailure
                                                              : kDone;
}

}  // namespace crivello::cli
