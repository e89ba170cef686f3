// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"
#include "cli/json.h"
#include "cli/output.h"
#include "web/url/canonical.h"
#include "web/url/public_suffix.h"
#include "web/url/row_key.h"
#include "web/url/url.h"

namespace crivello::cli {
namespace {

Result<int> PrintUrl(const Session& session, const std::string& text, const std::string& base_text) {
  web::Url base;
  if (!base_text.empty()) {
    CRV_ASSIGN(base, web::ParseUrl(base_text));
  }
  CRV_ASSIGN(const web::Url url, web::ParseUrl(text, base.empty() ? nullptr : &base));
  Json parts = {{"url", url.href()},
                {"protocol", url.protocol()},
                {"username", url.username()},
                {"password", url.password()},
                {"hostname", url.hostname()},
                {"port", url.effective_port()},
                {"pathname", url.pathname()},
                {"search", url.search()},
                {"hash", url.hash()},
                {"origin", url.origin()},
                {"registrable_domain", web::PublicSuffixList::BuiltIn().RegistrableDomain(url.hostname())}};
  // Only http and https URLs can be in a collection.
  if (url.is_http()) {
    CRV_ASSIGN(const web::Url canonical, web::CanonicalUrl(text, base.empty() ? nullptr : &base));
    CRV_ASSIGN(const std::string key, web::RowKey(canonical));
    parts["canonical"] = canonical.href();
    parts["row_key"] = key;
  }
  if (session.json) {
    PrintJson(session, parts);
    return kDone;
  }
  for (const auto& [name, value] : parts.items()) {
    const std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
    if (!shown.empty()) session.out->Print("{:<20} {}\n", name, Printable(shown));
  }
  return kDone;
}

}  // namespace

void AddUrlCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("url", "Parse a URL as browsers do; show its parts, canonical form and row key");
  struct Options {
    std::string url;
    std::string base;
  };
  auto options = std::make_shared<Options>();
  command->add_option("URL", options->url, "URL, or a relative reference with --base")->required();
  command->add_option("--base", options->base, "URL against which a reference is resolved")->type_name("URL");
  command->footer(
      "Examples:\n"
      "  crivello url 'HTTP://EXAMPLE.org:80/a/../b?q#f'\n"
      "  crivello url ../c --base https://example.org/a/b");
  Runs(*command, session, [&session, options] { return PrintUrl(session, options->url, options->base); });
}

}  // namespace crivello::cli
