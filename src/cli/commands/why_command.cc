// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/civil_time.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "policy/seed.h"

namespace crivello::cli {
namespace {

Result<int> Why(const Session& session, wire::CollectionService& service, Listener& listener,
                const std::string& url) {
  CRV_ASSIGN(const web::Url parsed, policy::UrlAsTyped(url));
  CRV_ASSIGN(const wire::Reasons answer, service.Ask(wire::WhyRequest{.url = parsed.href()}, listener));
  if (session.json) {
    Json events = Json::array();
    for (const wire::Reason& reason : answer.reasons) {
      Json event = {{"kind", reason.kind}, {"detail", reason.sentence}};
      if (reason.time != 0) event["time"] = FormatRfc3339(reason.time / 1'000'000);
      events.push_back(std::move(event));
    }
    PrintJson(session, {{"url", answer.url}, {"events", std::move(events)}});
  } else {
    session.out->Print("{}\n", Printable(answer.url));
    for (const wire::Reason& reason : answer.reasons) {
      session.out->Print("  {:<20}  {}\n",
                         reason.time == 0 ? std::string("now") : FormatRfc3339(reason.time / 1'000'000),
                         Printable(reason.sentence));
    }
  }
  return answer.reasons.empty() ? kNothingFound : kDone;
}

}  // namespace

void AddWhyCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("why", "Explain every decision about a URL");
  auto url = std::make_shared<std::string>();
  command->add_option("URL", *url, "URL to explain")->required();
  command->footer("Example:\n  crivello why https://example.org/private/");
  Runs(*command, session, [&session, url] {
    return WithService(session, [&](wire::CollectionService& service, Listener& listener) {
      return Why(session, service, listener, *url);
    });
  });
}

}  // namespace crivello::cli
