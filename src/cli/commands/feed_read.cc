// SPDX-License-Identifier: Apache-2.0
#include "base/file_system.h"
#include "charset/charset.h"
#include "charset/encoding_decode.h"
#include "cli/app.h"
#include "cli/json.h"
#include "cli/output.h"
#include "web/feed/feed.h"
#include "web/feed/xml_scanner.h"
#include "web/http/http_date.h"

namespace crivello::cli {
namespace {

std::string DateOf(std::optional<int64_t> seconds) { return seconds ? web::FormatHttpDate(*seconds) : ""; }

void PrintJsonFeed(const Session& session, const web::Feed& feed) {
  Json head = {{"format", web::FeedFormatName(feed.format)},
               {"version", feed.version},
               {"title", feed.title.PlainText()},
               {"link", feed.link},
               {"self", feed.self},
               {"hubs", feed.hubs},
               {"items", feed.items.size()}};
  if (const auto interval = feed.poll_interval_s()) head["poll_interval_s"] = *interval;
  PrintJson(session, head);
  for (const auto& item : feed.items) {
    PrintJson(session, {{"id", item.id},
                        {"link", item.link},
                        {"title", item.title.PlainText()},
                        {"date", DateOf(item.date_seconds())},
                        {"summary", item.summary.PlainText()},
                        {"content", item.content.PlainText()}});
  }
}

Result<int> ReadFeedFile(const Session& session, const std::string& path, const std::string& url) {
  CRV_ASSIGN(const std::string bytes, ReadFile(path));
  const auto decision = charset::DecideCharset(bytes, web::XmlDeclaredEncoding(bytes));
  const auto decoded = charset::DecodeToUtf8(bytes, decision.encoding);
  web::FeedOptions options;
  options.base_url = url;
  Result<web::Feed> feed = web::ParseFeed(decoded.text(), options);
  if (!feed.ok()) return feed.status().WithContext(path);
  if (session.json) {
    PrintJsonFeed(session, *feed);
    return kDone;
  }
  session.out->Print("{} {}: {}\n", web::FeedFormatName(feed->format), Printable(feed->version),
                     Printable(feed->title.PlainText()));
  if (!feed->link.empty()) session.out->Print("page {}\n", Printable(feed->link));
  if (const auto interval = feed->poll_interval_s()) session.out->Print("poll interval {} s\n", *interval);
  for (const auto& hub : feed->hubs) session.out->Print("hub {}\n", Printable(hub));
  session.out->Print("{} items\n", feed->items.size());
  for (const auto& item : feed->items) {
    session.out->Print("\n{}\n  {}\n", Printable(item.title.PlainText()), Printable(item.link));
    if (item.date_seconds()) session.out->Print("  {}\n", DateOf(item.date_seconds()));
  }
  return kDone;
}

}  // namespace

void AddFeedReadCommand(CLI::App& feed, Session& session) {
  CLI::App* read = feed.add_subcommand("read", "Print a feed from a file, and its items");
  struct Options {
    std::string file;
    std::string url;
  };
  auto options = std::make_shared<Options>();
  read->add_option("FILE", options->file, "File with a feed")->required();
  read->add_option("--url", options->url, "URL of the feed, to resolve its links")->type_name("URL");
  read->footer(
      "Examples:\n"
      "  crivello feed read news.xml --url https://example.org/news.xml\n"
      "  crivello --json feed read feed.json");
  Runs(*read, session, [&session, options] { return ReadFeedFile(session, options->file, options->url); });
}

}  // namespace crivello::cli
