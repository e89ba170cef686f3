// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/civil_time.h"
#include "base/digest.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "store/archive_reader.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::cli {
namespace {

struct GetFlags {
  std::string url;
  std::string column;
  bool versions = false;
};

Json RowJson(const store::Row& row) {
  const store::FetchCell& cell = row.fetch;
  Json json = {{"time", FormatRfc3339(row.time / 1'000'000)},
               {"status", cell.status},
               {"type", cell.content_type},
               {"bytes", cell.body_bytes},
               {"digest", Sha1Text(cell.payload)}};
  if (!cell.location.empty()) json["location"] = cell.location;
  if (cell.noindex) json["noindex"] = true;
  if (cell.noarchive) json["noarchive"] = true;
  if (cell.nofollow) json["nofollow"] = true;
  if (cell.truncated) json["truncated"] = true;
  if (cell.revisit) json["revisit"] = true;
  if (row.text) {
    const store::TextCell& text = **row.text;
    json["title"] = text.title;
    json["text"] = text.MainText();
    if (!text.language.empty()) json["language"] = text.language;
    if (!text.charset.empty()) json["charset"] = text.charset;
    if (!text.author.empty()) json["author"] = text.author;
    if (text.published) json["published"] = FormatRfc3339(*text.published);
  }
  if (row.links) {
    Json links = Json::array();
    for (const store::OutLink& link : *row.links) links.push_back({{"url", link.url}, {"text", link.text}});
    json["links"] = std::move(links);
  }
  return json;
}

void PrintRow(const Session& session, const Json& row) {
  for (const auto& [name, value] : row.items()) {
    if (name == "links") {
      for (const Json& link : value) {
        fmt::print(session.out, "{:<10} {}  {}\n", "link", Printable(link["url"].get<std::string>()),
                   Printable(link["text"].get<std::string>()));
      }
    } else if (name == "text") {
      fmt::print(session.out, "\n{}\n\n", Printable(value.get<std::string>(), Lines::kKept));
    } else {
      fmt::print(session.out, "{:<10} {}\n", name,
                 Printable(value.is_string() ? value.get<std::string>() : value.dump()));
    }
  }
}

Result<int> PrintRecord(const Session& session, const collection::Tablet& tablet, const store::Row& row) {
  store::ArchiveReader reader(tablet.archive_directory());
  CRV_ASSIGN(const store::ArchivedRecord record, reader.Read(row.fetch.record));
  std::fwrite(record->block.data(), 1, record->block.size(), session.out);
  return kDone;
}

Result<int> Get(const Session& session, collection::Collection& store, const GetFlags& options) {
  CRV_ASSIGN(const web::Url url, web::CanonicalUrl(options.url));
  CRV_ASSIGN(const std::string key, web::RowKey(url));
  CRV_ASSIGN(collection::Tablet* const found, store.TabletOfHost(url.hostname()));
  collection::Tablet& tablet = *found;
  store::ReadOptions read;
  if (options.versions) read.versions = UINT64_MAX;
  read.text = options.column.empty() || options.column == "text";
  read.links = options.column.empty() || options.column == "link";
  CRV_ASSIGN(const std::vector<store::Row> rows, tablet.table().Get(key, read));
  if (rows.empty()) {
    fmt::print(session.err, "crivello: {} has no row here; 'crivello why' may tell more\n",
               Printable(url.href()));
    return kNothingFound;
  }
  if (options.column == "record") return PrintRecord(session, tablet, rows.front());
  Json versions = Json::array();
  for (const store::Row& row : rows) versions.push_back(RowJson(row));
  if (session.json) {
    PrintJson(session, {{"url", url.href()}, {"versions", std::move(versions)}});
    return kDone;
  }
  fmt::print(session.out, "{:<10} {}\n", "url", Printable(url.href()));
  for (const Json& row : versions) PrintRow(session, row);
  return kDone;
}

}  // namespace

void AddGetCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("get", "Show a page of a collection: its row, text, links, or record");
  auto options = std::make_shared<GetFlags>();
  command->add_option("URL", options->url, "The page")->required();
  command->add_option("--column", options->column, "Only this: fetch, text, link, or record (as archived)")
      ->check(CLI::IsMember({"fetch", "text", "link", "record"}))
      ->type_name("COLUMN");
  command->add_flag("--versions", options->versions, "All versions, newest first, not only the newest");
  command->footer(
      "Examples:\n"
      "  crivello get https://example.org/\n"
      "  crivello get https://example.org/ --column record | less");
  Runs(*command, session, [&session, options] {
    return OnCollection(session,
                        [&](collection::Collection& store) { return Get(session, store, *options); });
  });
}

}  // namespace crivello::cli
