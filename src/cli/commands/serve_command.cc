// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "base/signing/key_file.h"
#include "cli/app.h"
#include "cli/config/serve_flags.h"
#include "cli/signals.h"
#include "engine/collection_visits.h"
#include "engine/engine.h"
#include "engine/service_pages.h"

namespace crivello::cli {
namespace {

constexpr Duration kServeLook = std::chrono::seconds(1);

// Serves the last committed index, whichever process commits; checks for a newer one every second.
Result<int> Serve(const Session& session, ServeFlags flags, const std::string& sign_key) {
  CRV_ASSIGN(flags.sign_key, ReadSignKey(sign_key));
  Signals signals(*session.log);  // before there are threads
  engine::CollectionVisits visits(session.collection);
  engine::ServicePages pages(visits);
  CRV_ASSIGN(const auto engine, engine::Engine::OpenToServe(session.collection, pages));
  CRV_ASSIGN(const auto web, StartServer(session, flags, engine->sources()));
  session.log->Write(LogLevel::kInfo, "serve.start",
                     fmt::format("Searching {} at {}; press Ctrl-C to stop.", session.collection, web->url()),
                     {{"url", web->url()}, {"collection", session.collection}});
  PrintOpened(session, web->url());
  while (!signals.WaitFor(kServeLook)) {
    const Result<bool> newer = engine->FollowIndex();
    if (!newer.ok()) {
      // If it cannot be opened now, because it is being replaced, it can be in a second.
      session.log->Write(LogLevel::kDebug, "serve.snapshot_missed", newer.status().message());
    } else if (*newer) {
      const auto snapshot = engine->snapshot();
      session.log->Write(LogLevel::kDebug, "serve.snapshot", "opened a newer index",
                         {{"snapshot", snapshot->generation()}, {"documents", snapshot->live_documents()}});
    }
  }
  web->Stop();
  return kDone;
}

}  // namespace

void AddServeCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("serve", "Serve the search page and the JSON API over HTTP");
  auto flags = std::make_shared<ServeFlags>();
  AddServeFlags(*command, *flags);
  auto sign_key = std::make_shared<std::string>();
  command
      ->add_option("--sign-key", *sign_key,
                   "Serve the public half of this key at /.well-known/http-message-signatures-directory")
      ->type_name("FILE")
      ->group("Server");
  command->footer(
      "Serves any collection that has an index, even while another process crawls or indexes it. What that "
      "process\n"
      "commits can be searched within a second.\n"
      "\n"
      "Examples:\n"
      "  crivello serve\n"
      "  crivello -C archive serve --listen 0.0.0.0:80 --name search.example --keys keys.txt");
  Runs(*command, session, [&session, flags, sign_key] { return Serve(session, *flags, *sign_key); });
}

}  // namespace crivello::cli
