// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/scratch_folder.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/commands/crawl_report.h"
#include "cli/commands/up_run.h"
#include "cli/output.h"
#include "demo/things_to_try.h"
#include "demo/web_server.h"

namespace crivello::cli {
namespace {

using std::chrono::milliseconds;

struct DemoFlags {
  std::string keep;
  bool once = false;
  ServeFlags serve;
};

// It is our own web: politeness is unnecessary, and the traps end soon.
crawl::CrawlOptions CrawlOptionsFor(const demo::WebServer& server) {
  crawl::CrawlOptions options;
  options.seeds = server.web().Seeds();
  for (const demo::HostAddress& host : server.hosts()) {
    const auto address = fetch::IpAddress::Parse(host.address);
    if (address) options.hosts.push_back({*address, std::string(host.name)});
  }
  options.allow_private = true;
  options.politeness.host_delay = milliseconds(20);
  options.politeness.address_delay = milliseconds(5);
  options.politeness.first_back_off = milliseconds(200);
  options.budget.per_host = 200;
  options.memory_bytes = 128 << 20;
  options.min_free_bytes = 16 << 20;
  return options;
}

void PrintThingsToTry(const Session& session, const std::string& url) {
  session.out->Print("Five things to try at {} :\n", url);
  for (const demo::ThingToTry& thing : demo::kThingsToTry) {
    session.out->Print("  {:<30} {}\n", thing.query, thing.shows);
  }
  session.out->Print("\n");
  session.out->Flush().IgnoreError();
}

// The results of the crawl, its near-duplicates, one search and the best hosts, as if typed by a user.
Result<int> ShowAnswers(const Session& session) {
  session.out->Print("\n");
  CRV_TRY(WithService(session, [&](wire::CollectionService& service, Listener& listener) {
            return PrintReport(session, service, listener, {});
          }).status());
  const std::string query(demo::kThingsToTry[0].query);
  const std::vector<std::vector<const char*>> commands = {
      {"dups", "--all"},
      {"dups", "--mirrors"},
      {"search", query.c_str(), "-n", "3"},
      {"rank", "pagerank", "--level", "host", "--top", "3"},
  };
  for (const std::vector<const char*>& words : commands) {
    session.out->Print("\n$ crivello");
    for (const char* const word : words) {
      const std::string_view quote = word == query ? "'" : "";
      session.out->Print(" {}{}{}", quote, word, quote);
    }
    session.out->Print("\n");
    CRV_TRY(session.out->Flush());  // the command reports the same at its end, and would say it twice
    std::vector<const char*> argv = {"crivello", "-C", session.collection.c_str()};
    argv.insert(argv.end(), words.begin(), words.end());
    const int code = Main(static_cast<int>(argv.size()), argv.data(), *session.out, *session.err);
    if (code != kDone) return code;
  }
  return kDone;
}

Result<int> Demo(Session& session, const DemoFlags& flags) {
  CRV_ASSIGN(const ScratchFolder scratch, ScratchFolder::Create({.prefix = "crivello-demo-"}));
  session.collection = flags.keep.empty() ? scratch.path() : flags.keep;

  Signals signals(*session.log);  // before there are threads
  CRV_ASSIGN(const auto server, demo::WebServer::Start());
  UpOptions options;
  options.crawl = CrawlOptionsFor(*server);
  options.serve = flags.serve;
  options.once = flags.once;
  if (!session.json) {
    session.out->Print(
        "A web of {} hosts is served on loopback, port {}; Crivello crawls it. One host has a calendar "
        "without "
        "end,\nof which it fetches at most {} pages.\n\n",
        server->hosts().size(), server->port(), options.crawl.budget.per_host);
    CRV_TRY(session.out->Flush());
    if (!flags.once) options.opened = [&session](const std::string& url) { PrintThingsToTry(session, url); };
  }
  CRV_ASSIGN(const int done, RunUp(session, std::move(options), signals));
  if (session.json || !flags.once || done != kDone) return done;
  return ShowAnswers(session);
}

}  // namespace

void AddDemoCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("demo", "Crawl, index and serve a small built-in web, without a network");
  auto flags = std::make_shared<DemoFlags>();
  command
      ->add_option("--keep", flags->keep,
                   "Keep the collection in this folder (default: it is deleted at the end)")
      ->type_name("DIR");
  command->add_flag("--once", flags->once,
                    "Exit after a summary, one search and the best hosts instead of serving");
  AddServeFlags(*command, flags->serve);
  command->footer(
      "Examples:\n"
      "  crivello demo\n"
      "  crivello demo --once --keep /tmp/demo && crivello -C /tmp/demo search bread");
  Runs(*command, session, [&session, flags] { return Demo(session, *flags); });
}

}  // namespace crivello::cli
