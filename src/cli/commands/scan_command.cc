// SPDX-License-Identifier: Apache-2.0
#include "base/civil_time.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "web/url/row_key.h"
#include "web/url/url.h"

namespace crivello::cli {
namespace {

// A prefix of row keys, from user input: the start of a row key or of a URL, or nothing.
std::string KeyPrefix(const std::string& text) {
  const web::Url* no_base = nullptr;
  web::Url url;
  if (text.find("://") == std::string::npos || !url.Parse(text, no_base) || !url.is_http()) return text;
  const auto key = web::RowKey(url);
  if (!key.ok()) return text;
  // "https://example.org" means the whole site, not only its home page.
  const bool has_path = text.find('/', text.find("://") + 3) != std::string::npos;
  return has_path ? *key : key->substr(0, key->size() - 1);
}

void PrintPage(const Session& session, const wire::ScannedPage& page) {
  const std::string time = FormatRfc3339(page.time / 1'000'000);
  if (session.json) {
    PrintJson(session, {{"url", page.url},
                        {"time", time},
                        {"status", page.status},
                        {"type", page.type},
                        {"bytes", page.bytes}});
  } else {
    session.out->Print("{}  {}  {:>10}  {:<24}  {}\n", time, page.status, Grouped(page.bytes),
                       Printable(page.type), Printable(page.url));
  }
}

Result<int> Scan(const Session& session, wire::CollectionService& service, Listener& listener,
                 const std::string& prefix) {
  const web::RowKeyRange range = web::RowKeysWithPrefix(KeyPrefix(prefix));
  wire::ScanRequest request = {.begin = range.begin, .end = range.end};
  uint64_t rows = 0;
  while (true) {
    CRV_ASSIGN(wire::ScannedPages answer, service.Ask(request, listener));
    for (const wire::ScannedPage& page : answer.pages) PrintPage(session, page);
    rows += answer.pages.size();
    if (!session.out->ok()) return session.out->status();
    if (answer.next.empty()) return rows == 0 ? kNothingFound : kDone;
    request.begin = std::move(answer.next);
  }
}

}  // namespace

void AddScanCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("scan", "List the pages of a collection in order of row key");
  auto prefix = std::make_shared<std::string>();
  command->add_option("PREFIX", *prefix, "Start of a URL or of a row key (default: all pages)");
  command->footer(
      "Examples:\n"
      "  crivello scan\n"
      "  crivello scan https://example.org/docs/ --json\n"
      "  crivello scan org,example");
  Runs(*command, session, [&session, prefix] {
    return WithService(session, [&](wire::CollectionService& service, Listener& listener) {
      return Scan(session, service, listener, *prefix);
    });
  });
}

}  // namespace crivello::cli
