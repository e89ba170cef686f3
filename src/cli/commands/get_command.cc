// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/civil_time.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "web/http/date_parse.h"

namespace crivello::cli {
namespace {

struct GetFlags {
  std::string url;
  std::string column;
  bool versions = false;
  std::string at;
};

Json RowJson(const wire::PageVersion& version) {
  Json json = {{"time", FormatRfc3339(version.time / 1'000'000)},
               {"status", version.status},
               {"type", version.type},
               {"bytes", version.bytes},
               {"digest", version.digest}};
  if (!version.location.empty()) json["location"] = version.location;
  if (version.noindex) json["noindex"] = true;
  if (version.noarchive) json["noarchive"] = true;
  if (version.nofollow) json["nofollow"] = true;
  if (version.truncated) json["truncated"] = true;
  if (version.revisit) json["revisit"] = true;
  if (version.unavailable_after) json["unavailable_after"] = FormatRfc3339(*version.unavailable_after);
  if (!version.usage.empty()) json["usage"] = version.usage;
  if (version.text) {
    const wire::PageText& text = *version.text;
    json["title"] = text.title;
    json["text"] = text.text;
    if (!text.language.empty()) json["language"] = text.language;
    if (!text.charset.empty()) json["charset"] = text.charset;
    if (!text.author.empty()) json["author"] = text.author;
    if (text.published) json["published"] = FormatRfc3339(*text.published);
  }
  if (version.links) {
    Json links = Json::array();
    for (const wire::PageLink& link : *version.links)
      links.push_back({{"url", link.url}, {"text", link.text}});
    json["links"] = std::move(links);
  }
  return json;
}

void PrintRow(const Session& session, const Json& row) {
  for (const auto& [name, value] : row.items()) {
    if (name == "links") {
      for (const Json& link : value) {
        session.out->Print("{:<10} {}  {}\n", "link", Printable(link["url"].get<std::string>()),
                           Printable(link["text"].get<std::string>()));
      }
    } else if (name == "text") {
      session.out->Print("\n{}\n\n", Printable(value.get<std::string>(), Lines::kKept));
    } else {
      session.out->Print("{:<10} {}\n", name,
                         Printable(value.is_string() ? value.get<std::string>() : value.dump()));
    }
  }
}

// Reports on standard error that the collection does not have the page; there is no result.
int NotHere(const Session& session, const Status& status) {
  session.err->Print("crivello: {}; run 'crivello why URL' to see what was decided about it\n",
                     Printable(status.message()));
  return kNothingFound;
}

Result<int> GetRecord(const Session& session, wire::CollectionService& service, Listener& listener,
                      const std::string& url, int64_t at) {
  const auto record = service.Ask(wire::RecordRequest{.url = url, .raw = true, .at = at}, listener);
  if (record.status().code() == StatusCode::kNotFound) return NotHere(session, record.status());
  if (!record.ok()) return record.status();
  session.out->Write(record->bytes);
  return kDone;
}

Result<int> Get(const Session& session, wire::CollectionService& service, Listener& listener,
                const GetFlags& options) {
  int64_t at = INT64_MAX;
  if (!options.at.empty()) {
    const auto seconds = web::ParseDate(options.at);
    if (!seconds) {
      return Status::InvalidArgument(fmt::format(
          "invalid --at '{}': expected a date such as 2026-01-31 or 2026-01-31T12:00:00Z", options.at));
    }
    at = *seconds * 1'000'000 + 999'999;
  }
  if (options.column == "record") return GetRecord(session, service, listener, options.url, at);
  const auto page = service.Ask(wire::GetRequest{.url = options.url,
                                                 .all = options.versions,
                                                 .text = options.column.empty() || options.column == "text",
                                                 .links = options.column.empty() || options.column == "link",
                                                 .at = at},
                                listener);
  if (page.status().code() == StatusCode::kNotFound) return NotHere(session, page.status());
  if (!page.ok()) return page.status();
  Json versions = Json::array();
  for (const wire::PageVersion& version : page->versions) versions.push_back(RowJson(version));
  if (session.json) {
    PrintJson(session, {{"url", page->url}, {"versions", std::move(versions)}});
    return kDone;
  }
  session.out->Print("{:<10} {}\n", "url", Printable(page->url));
  for (const Json& row : versions) PrintRow(session, row);
  return kDone;
}

}  // namespace

void AddGetCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("get", "Show a page of a collection: its row, text, links or archived record");
  auto options = std::make_shared<GetFlags>();
  command->add_option("URL", options->url, "URL of the page")->required();
  command
      ->add_option("--column", options->column,
                   "Show only this column: fetch, text, link, or record (as archived)")
      ->check(CLI::IsMember({"fetch", "text", "link", "record"}))
      ->type_name("COLUMN");
  command->add_flag("--versions", options->versions, "Show all versions, newest first");
  command
      ->add_option("--at", options->at,
                   "Show the version that was current at this time (UTC unless it says otherwise)")
      ->type_name("TIME");
  command->footer(
      "Examples:\n"
      "  crivello get https://example.org/\n"
      "  crivello get https://example.org/ --at 2026-01-31T12:00:00Z\n"
      "  crivello get https://example.org/ --column record | less");
  Runs(*command, session, [&session, options] {
    return WithService(session, [&](wire::CollectionService& service, Listener& listener) {
      return Get(session, service, listener, *options);
    });
  });
}

}  // namespace crivello::cli
