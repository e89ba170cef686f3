// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/commands/command_pages.h"
#include "cli/commands/crawl_run.h"
#include "cli/config/serve_flags.h"
#include "cli/level_signals.h"
#include "cli/signals.h"
#include "search/index_searcher.h"

namespace crivello::cli {
namespace {

constexpr Duration kServeLook = std::chrono::seconds(1);

// Serves what was committed last, by whomever; looks for what is newer every second.
Result<int> Serve(const Session& session, const ServeFlags& flags) {
  Signals signals;  // before there are threads
  const LevelSignals level_signals(*session.log);
  RaiseDescriptorLimit();
  CRV_ASSIGN(auto snapshot, OpenSnapshot(session));
  CRV_ASSIGN(const std::unique_ptr<search::IndexSearcher> searcher,
             search::IndexSearcher::Create(std::move(snapshot)));
  CommandPages pages(session.collection);
  CRV_ASSIGN(const std::unique_ptr<WebService> web,
             WebService::Start(flags, {.searcher = searcher.get(),
                                       .index = [&searcher] { return FactsOf(*searcher->snapshot()); },
                                       .pages = &pages,
                                       .log = session.log.get()}));
  session.log->Write(LogLevel::kInfo, "serve.start",
                     fmt::format("Search {} at {}; Ctrl-C stops.", session.collection, web->url()),
                     {{"url", web->url()}, {"collection", session.collection}});
  PrintOpened(session, web->url());
  while (!signals.WaitFor(kServeLook)) {
    const Result<uint64_t> generation = IndexGeneration(session);
    if (!generation.ok() || *generation == searcher->snapshot()->generation()) continue;
    // One that cannot be opened now, for it is being replaced, will be in a second.
    auto newer = OpenSnapshot(session);
    if (!newer.ok()) {
      session.log->Write(LogLevel::kDebug, "serve.snapshot_missed", newer.status().message());
      continue;
    }
    session.log->Write(LogLevel::kDebug, "serve.snapshot", "a newer index is searched",
                       {{"snapshot", (*newer)->generation()}, {"documents", (*newer)->live_documents()}});
    searcher->Use(*std::move(newer));
  }
  web->Stop();
  return kDone;
}

}  // namespace

void AddServeCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("serve", "Answer searches over HTTP: the search page and the JSON API");
  auto flags = std::make_shared<ServeFlags>();
  AddServeFlags(*command, *flags);
  command->footer(
      "Serves any collection that has an index, also while another process crawls or indexes it: what that "
      "commits is\n"
      "searchable within a second.\n"
      "\n"
      "Examples:\n"
      "  crivello serve\n"
      "  crivello -C archive serve --listen 0.0.0.0:80 --name search.example --keys keys.txt");
  Runs(*command, session, [&session, flags] { return Serve(session, *flags); });
}

}  // namespace crivello::cli
