// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/units.h"
#include "web/http/date_parse.h"

namespace crivello::cli {
namespace {

using What = wire::OrderRequest::What;

Json LimitsJson(const wire::OrderedLimits& limits) {
  return {{"max_pages", *limits.pages},     {"max_bytes", *limits.bytes},
          {"max_seconds", *limits.seconds}, {"max_per_host", *limits.per_host},
          {"max_depth", *limits.depth},     {"max_per_directory", *limits.per_directory}};
}

Result<int> Give(const Session& session, const wire::OrderRequest& order) {
  return WithService(session, [&](wire::CollectionService& service, Listener& listener) -> Result<int> {
    CRV_ASSIGN(const wire::Obeyed done, service.Ask(order, listener));
    if (session.json) {
      Json json = {{"state", done.state},
                   {"queued", done.queued},
                   {"scheduled", done.scheduled},
                   {"exclusions", done.excluded},
                   {"limits", LimitsJson(done.limits)}};
      if (done.dropped) json["dropped"] = *done.dropped;
      PrintJson(session, json);
      return kDone;
    }
    session.out->Print("The crawl is {}; {} queued, {} scheduled for later.\n", done.state,
                       Counted(done.queued, "URL is", "URLs are"), Grouped(done.scheduled));
    if (done.dropped) session.out->Print("Dropped {}.\n", Counted(*done.dropped, "URL", "URLs"));
    for (const std::string& line : done.excluded) session.out->Print("Excluded: {}\n", Printable(line));
    return kDone;
  });
}

}  // namespace

void AddOrderCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("order", "Pause, resume or change the crawl of a running 'crivello up'");
  command->require_subcommand(1);
  auto order = std::make_shared<wire::OrderRequest>();
  auto not_before = std::make_shared<std::string>();
  auto priority = std::make_shared<uint32_t>(0);
  const auto add = [&](const char* name, const char* about, What what, const std::string& example) {
    CLI::App* one = command->add_subcommand(name, about);
    one->footer("Example:\n  crivello order " + example);
    Runs(*one, session, [&session, order, not_before, priority, what]() -> Result<int> {
      order->what = what;
      order->priority = static_cast<uint8_t>(*priority);
      if (not_before->empty()) return Give(session, *order);
      const auto date = web::ParseDate(*not_before);
      if (!date) return Status::InvalidArgument("--not-before: expected a date such as 2030-01-01T06:00:00Z");
      order->not_before = *date;
      return Give(session, *order);
    });
    return one;
  };
  add("status", "Show the state of the crawl", What::kNothing, "status");
  add("pause", "Pause (stays paused after a restart)", What::kPause, "pause");
  add("resume", "Resume with all queues", What::kResume, "resume");
  CLI::App* seeds = add("seeds", "Add seeds", What::kSeeds, "seeds https://example.org/");
  seeds->add_option("URL", order->urls, "URLs to start from")->required();
  CLI::App* fetch = add("fetch", "Fetch URLs, even if they were fetched before", What::kFetch,
                        "fetch https://example.org/news --not-before 2030-01-01T06:00:00Z");
  fetch->add_option("URL", order->urls, "URLs to fetch")->required();
  fetch->add_option("--priority", *priority, "Priority within a host: 0 (first) to 7 (last)")
      ->check(CLI::Range(0, 7));
  fetch->add_option("--not-before", *not_before, "Date before which they are not fetched")->type_name("DATE");
  CLI::App* limits = add("limits", "Change limits until the program ends (0: no limit)", What::kLimits,
                         "limits --max-pages 100000");
  limits->add_option("--max-pages", order->limits.pages, "Maximum number of pages");
  limits->add_option("--max-bytes", order->limits.bytes, "Maximum number of bytes received");
  limits->add_option("--max-seconds", order->limits.seconds, "Maximum duration in seconds");
  limits->add_option("--max-per-host", order->limits.per_host, "Maximum number of URLs from one host");
  limits->add_option("--max-per-directory", order->limits.per_directory,
                     "Maximum number of URLs from one directory");
  limits->add_option("--max-depth", order->limits.depth, "Maximum number of links from a seed");
  for (CLI::App* one : {add("exclude", "Fetch nothing that matches, and drop it from the queues",
                            What::kExclude, "exclude host ads.example"),
                        add("include", "Remove an exclusion; what it dropped stays dropped", What::kInclude,
                            "include host ads.example")}) {
    one->add_option("KIND", order->kind, "Kind of VALUE")
        ->required()
        ->check(CLI::IsMember({"host", "prefix", "filter"}));
    one->add_option("VALUE", order->value, "Host, URL prefix, or filter (docs/filters.md)")->required();
  }
  command->footer(
      "Nothing is restarted: requests in flight continue, and every queue is kept.\n\nExamples:\n"
      "  crivello order pause\n"
      "  crivello order fetch https://example.org/news --not-before 2030-01-01\n"
      "  crivello order exclude host ads.example");
}

}  // namespace crivello::cli
