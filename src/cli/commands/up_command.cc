// SPDX-License-Identifier: Apache-2.0
#include "base/signing/key_file.h"
#include "cli/app.h"
#include "cli/commands/up_run.h"
#include "cli/config/crawl_flags.h"

namespace crivello::cli {
namespace {

struct UpFlags {
  CrawlFlags crawl;
  ServeFlags serve;
  bool once = false;
  bool no_ranks = false;
  std::string push_listen;
};

Result<int> Up(const Session& session, const UpFlags& flags) {
  UpOptions options;
  CRV_ASSIGN(options.crawl, FinishCrawlOptions(session, flags.crawl));
  CRV_ASSIGN(options.crawl.contact, Contact(session, options.crawl));
  WarnOfSeedsOnly(session, options.crawl);
  options.serve = flags.serve;
  CRV_ASSIGN(options.serve.sign_key, ReadSignKey(flags.crawl.sign_key));
  options.once = flags.once;
  options.ranks = !flags.no_ranks;
  options.push_listen = flags.push_listen;
  Signals signals(*session.log);  // before there are threads
  return RunUp(session, std::move(options), signals);
}

}  // namespace

void AddUpCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("up", "Crawl, index and serve at the same time");
  auto flags = std::make_shared<UpFlags>();
  AddCrawlFlags(*command, flags->crawl);
  AddServeFlags(*command, flags->serve);
  command->add_flag("--once", flags->once, "Exit when everything is crawled and indexed instead of serving");
  command->add_flag("--no-ranks", flags->no_ranks,
                    "Do not build link graphs and compute the ranks 'pagerank' and 'host-pagerank'");
  command
      ->add_option(
          "--push-listen", flags->push_listen,
          "Address and port for sites that submit changed pages by IndexNow, and for WebSub hubs; needs "
          "--public-url")
      ->type_name("ADDRESS:PORT")
      ->group("Server");
  command->footer(
      "Creates the collection if it does not exist. Pages can be searched some seconds after they are "
      "fetched.\n"
      "Ctrl-C stops cleanly; press it twice to stop immediately. The same command resumes; without seeds it\n"
      "uses those of the collection, and its contact.\n"
      "\n"
      "Examples:\n"
      "  crivello up https://example.org/ --contact me@example.org\n"
      "  crivello -C intranet up https://wiki.example/ --allow-private --listen 0.0.0.0:8765 --name "
      "search.example\n"
      "  crivello up");
  Runs(*command, session, [&session, flags] { return Up(session, *flags); });
}

}  // namespace crivello::cli
