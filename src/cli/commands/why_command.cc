// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/civil_time.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "collection/why.h"
#include "web/url/canonical.h"

namespace crivello::cli {
namespace {

Result<int> Why(const Session& session, collection::Collection& store, const std::string& text) {
  CRV_ASSIGN(const web::Url url, web::CanonicalUrl(text));
  CRV_ASSIGN(const std::vector<collection::Reason> reasons, collection::Why(store, url));
  if (session.json) {
    Json events = Json::array();
    for (const collection::Reason& reason : reasons) {
      Json event = {{"kind", reason.kind}, {"detail", reason.sentence}};
      if (reason.time != 0) event["time"] = FormatRfc3339(reason.time / 1'000'000);
      events.push_back(std::move(event));
    }
    PrintJson(session, {{"url", url.href()}, {"events", std::move(events)}});
  } else {
    fmt::print(session.out, "{}\n", Printable(url.href()));
    for (const collection::Reason& reason : reasons) {
      fmt::print(session.out, "  {:<20}  {}\n",
                 reason.time == 0 ? std::string("now") : FormatRfc3339(reason.time / 1'000'000),
                 Printable(reason.sentence));
    }
  }
  return reasons.empty() ? kNothingFound : kDone;
}

}  // namespace

void AddWhyCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("why", "Tell everything that was decided about a URL");
  auto url = std::make_shared<std::string>();
  command->add_option("URL", *url, "The URL")->required();
  command->footer("Example:\n  crivello why https://example.org/private/");
  Runs(*command, session, [&session, url] {
    return OnCollection(session, [&](collection::Collection& store) { return Why(session, store, *url); });
  });
}

}  // namespace crivello::cli
