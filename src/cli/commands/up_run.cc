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
#include "cli/commands/owner_socket.h"
#include "cli/json.h"
#include "cli/level_signals.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/units.h"
#include "engine/crawl_supervisor.h"
#include "engine/live_indexer.h"
#include "engine/store_forgetter.h"
#include "engine/store_hosts.h"
#include "engine/store_pages.h"
#include "engine/store_sink.h"
#include "search/index_searcher.h"

namespace crivello::cli {
namespace {

using std::chrono::milliseconds;

constexpr Duration kLook = milliseconds(100);
// The crawl waits for the index when so many rows wait to be searchable: a second or two of its work.
constexpr uint64_t kMaxBacklog = 2000;

// The rows that wait to be searchable.
class IndexBacklog final : public crawl::Backlog {
 public:
  explicit IndexBacklog(const index::LiveIndexer& indexer) : indexer_(indexer) {}
  bool Full() const override { return indexer_.counts().backlog > kMaxBacklog; }

 private:
  const index::LiveIndexer& indexer_;
};

// The parts of a running `up`, in the order in which each needs those before it.
struct RunningUp {
  std::unique_ptr<collection::Collection> store;
  std::unique_ptr<search::IndexSearcher> searcher;
  std::unique_ptr<engine::LiveIndexer> indexer;
  std::unique_ptr<engine::StorePages> pages;
  std::unique_ptr<engine::StoreHosts> hosts;
  std::unique_ptr<engine::StoreSink> sink;
  std::unique_ptr<engine::CrawlSupervisor> crawl;
  std::unique_ptr<engine::StoreForgetter> forgetter;
  std::unique_ptr<OwnerSocket> socket;
  std::unique_ptr<WebService> web;
};

serve::IndexFacts IndexFactsOf(const RunningUp& up) {
  serve::IndexFacts facts = FactsOf(*up.searcher->snapshot());
  const engine::LiveIndexer::Counts counts = up.indexer->counts();
  facts.backlog = counts.backlog;
  facts.builds = counts.builds;
  facts.building = counts.building;
  return facts;
}

Status Start(const Session& session, const UpOptions& options, RunningUp* up) {
  crawl::CrawlOptions crawl = options.crawl;
  CRV_ASSIGN(up->store, OpenToCrawl(session, collection::MemoryPlan::Work::kUp, &crawl));

  engine::LiveIndexerOptions live;
  CRV_ASSIGN(live.settings, DefaultIndexSettings());
  live.memory_bytes = up->store->memory().index;
  // Until the first snapshot there is nothing to find.
  const auto nothing =
      std::make_shared<const index::Snapshot>(std::vector<index::SegmentView>(), 0, live.settings.analyser);
  CRV_ASSIGN(up->searcher, search::IndexSearcher::Create(nothing));
  live.publish = [up](std::shared_ptr<const index::Snapshot> snapshot) {
    up->searcher->Use(std::move(snapshot));
  };
  CRV_ASSIGN(up->indexer, engine::LiveIndexer::Start(IndexedTablets(*up->store), std::move(live)));

  up->pages = std::make_unique<engine::StorePages>(*up->store);
  up->hosts = std::make_unique<engine::StoreHosts>(*up->store);
  up->sink = std::make_unique<engine::StoreSink>(
      *up->store, [indexer = up->indexer.get()] { return indexer->counts().backlog; });
  crawl.hold = [indexer = up->indexer.get()] { return indexer->counts().backlog > kMaxBacklog; };
  CRV_ASSIGN(up->crawl, engine::CrawlSupervisor::Start(*up->store, std::move(crawl)));
  up->store->KeepIndex([indexer = up->indexer.get()] { return indexer->Rebuild(); });
  up->forgetter = std::make_unique<engine::StoreForgetter>(*up->store);
  CRV_ASSIGN(up->socket, OwnerSocket::Open(*up->store));
  CRV_ASSIGN(up->web, WebService::Start(options.serve, {.searcher = up->searcher.get(),
                                                        .index = [up] { return IndexFactsOf(*up); },
                                                        .pages = up->pages.get(),
                                                        .crawl = up->crawl.get(),
                                                        .sink = up->sink.get(),
                                                        .hosts = up->hosts.get(),
                                                        .forget = up->forgetter.get(),
                                                        .memory_budget = options.crawl.memory_bytes,
                                                        .log = session.log.get()}));
  return Status::Ok();
}

// Until all is done, someone stops it, or a part has failed.
Status WaitForEnd(const UpOptions& options, Signals& signals, const RunningUp& up) {
  while (!signals.WaitFor(kLook)) {
    CRV_TRY(up.indexer->counts().status);
    CRV_TRY(up.crawl->end().status());
    if (options.once && up.crawl->WaitUntilIdle(Duration::zero())) {
      CRV_TRY(up.indexer->CatchUp(/*build=*/true));
      return Status::Ok();
    }
  }
  return Status::Ok();
}

// In order; at once if someone asks for it meanwhile.
Status StopAll(Signals& signals, RunningUp* up) {
  up->web->Stop();
  up->crawl->Stop(/*at_once=*/false);
  while (!up->crawl->WaitUntilIdle(kLook)) {
    if (signals.WaitFor(Duration::zero())) up->crawl->Stop(/*at_once=*/true);
  }
  const Status crawled = up->crawl->end().status();
  // What is being forgotten is ended; for who is in a hurry the index is not waited for, and the next start
  // ends it.
  while (!up->forgetter->WaitUntilIdle(kLook)) {
    if (signals.WaitFor(Duration::zero())) break;
  }
  const Status indexed = up->indexer->Stop();
  up->forgetter = nullptr;
  up->socket = nullptr;
  CRV_TRY(up->store->Close());
  CRV_TRY(crawled);
  return indexed;
}

void PrintEnd(const Session& session, const RunningUp& up, double seconds) {
  const crawl::CrawlStats stats = up.crawl->stats();
  const engine::LiveIndexer::Counts counts = up.indexer->counts();
  const Result<crawl::CrawlEnd> end = up.crawl->end();
  // People read it among the results.
  if (session.log->format() != LogFormat::kPlain) {
    session.log->Write(LogLevel::kInfo, "up.stopped", EndSentence(*end),
                       {{"pages", stats.pages}, {"documents", counts.documents}, {"seconds", seconds}});
  }
  if (session.json) {
    PrintJson(session, {{"event", "done"},
                        {"pages", stats.pages},
                        {"robots", stats.robots},
                        {"bytes", stats.bytes},
                        {"documents", counts.documents},
                        {"seconds", seconds},
                        {"cpu_seconds", CpuSeconds()},
                        {"why", EndSentence(*end)}});
    return;
  }
  fmt::print(session.out, "{} pages, {} in {:.1f} s, {} of them searchable: {}\n", Grouped(stats.pages),
             FormatSize(stats.bytes), seconds, Grouped(counts.documents), EndSentence(*end));
}

void TellStart(const Session& session, const UpOptions& options, const RunningUp& up) {
  Logger& log = *session.log;
  std::error_code error;
  const std::string where = std::filesystem::absolute(session.collection, error).string();
  const uint64_t memory = options.crawl.memory_bytes;
  log.Write(LogLevel::kInfo, "serve.start",
            fmt::format("Search it at {0} and watch it at {0}dashboard", up.web->url()),
            {{"url", up.web->url()}});
  log.Write(LogLevel::kInfo, "crawl.start",
            fmt::format("The collection is {}; memory {}, {} of it for the crawl and for searches.", where,
                        FormatSize(memory), FormatSize(memory - up.store->memory().index)),
            {{"collection", where}, {"memory_bytes", memory}});
  if (up.crawl->state() == serve::CrawlControl::State::kPaused) {
    log.Write(LogLevel::kInfo, "crawl.paused",
              "The crawl is paused, as it was left: resume it on the dashboard");
  }
  // Only people press keys.
  if (log.format() == LogFormat::kPlain && !session.quiet) {
    fmt::print(session.err, "Ctrl-C stops in order; the same command goes on.\n");
  }
}

}  // namespace

Result<int> RunUp(const Session& session, UpOptions options) {
  Signals signals;  // before there are threads
  const LevelSignals level_signals(*session.log);
  const MonotonicTime start = SystemClock().Now();
  RunningUp up;
  CRV_TRY(Start(session, options, &up));
  TellStart(session, options, up);
  PrintOpened(session, up.web->url());
  if (options.opened) options.opened(up.web->url());
  Status status;
  {
    std::unique_ptr<CrawlScreen> screen;
    if (!session.quiet) {
      screen = std::make_unique<CrawlScreen>([&] { return up.crawl->stats(); }, session,
                                             [&] {
                                               const auto counts = up.indexer->counts();
                                               return fmt::format("searchable {}", Grouped(counts.documents));
                                             });
    }
    status = WaitForEnd(options, signals, up);
  }
  if (session.log->format() != LogFormat::kPlain) {
    session.log->Write(LogLevel::kInfo, "up.stopping", "finishing and committing what is under way");
  }
  const Status stopped = StopAll(signals, &up);
  CRV_TRY(status);
  CRV_TRY(stopped);
  PrintEnd(session, up, std::chrono::duration<double>(SystemClock().Now() - start).count());
  return up.crawl->end()->why == crawl::CrawlEnd::Why::kDiskFull ? kIoFailure : kDone;
}

}  // namespace crivello::cli
