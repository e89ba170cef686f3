// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/atomic_file.h"
#include "base/civil_time.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/version.h"
#include "index/build/ciff.h"
#include "page/trec_answer.h"

namespace crivello::cli {
namespace {

struct ExportFlags {
  std::string ciff;
  std::string field = "body";
  bool jsonl = false;
  bool links = false;
  bool unique = false;
  std::string trec;
};

// Calls each(page) for the searchable pages, in order of row key.
template <typename Each>
Status ForEachExported(wire::CollectionService& service, Listener& listener, wire::ExportRequest request,
                       Each each) {
  while (true) {
    CRV_ASSIGN(wire::ExportedPages answer, service.Ask(request, listener));
    for (wire::ExportedPage& page : answer.pages) CRV_TRY(each(page));
    if (answer.next.empty()) return Status::Ok();
    request.begin = std::move(answer.next);
  }
}

// The main blocks, with an empty line between them.
std::string TextOf(const wire::ExportedPage& page) {
  std::string text;
  for (const wire::ExportedBlock& block : page.blocks) {
    if (!block.main) continue;
    if (!text.empty()) text += "\n\n";
    text += block.text;
  }
  return text;
}

Json LineOf(const wire::ExportedPage& page) {
  Json line = {{"url", page.url}};
  if (!page.id.empty()) line["id"] = page.id;
  line["time"] = FormatRfc3339(page.time / 1'000'000);
  line["status"] = page.status;
  line["language"] = page.language;
  line["title"] = page.title;
  if (page.cluster) {
    line["near_duplicates"] = {{"representative", page.cluster->representative},
                               {"pages", page.cluster->pages}};
  }
  line["text"] = TextOf(page);
  if (!page.usage.empty()) line["usage"] = page.usage;
  // The structure that plain text lacks: headings, lists, what surrounds the main text.
  const bool plain = std::all_of(
      page.blocks.begin(), page.blocks.end(),
      [](const wire::ExportedBlock& block) { return block.main && block.kind == 0 && block.level == 0; });
  if (plain) return line;
  Json blocks = Json::array();
  for (const wire::ExportedBlock& block : page.blocks) {
    Json one = {{"text", block.text}};
    if (block.kind != 0) one["kind"] = block.kind;
    if (block.level != 0) one["level"] = block.level;
    if (!block.main) one["main"] = false;
    blocks.push_back(std::move(one));
  }
  line["blocks"] = std::move(blocks);
  return line;
}

Result<int> ExportLines(const Session& session, const ExportFlags& flags) {
  return WithService(session, [&](wire::CollectionService& service, Listener& listener) -> Result<int> {
    uint64_t pages = 0;
    const wire::ExportRequest request = {.links = flags.links, .unique = flags.unique};
    CRV_TRY(ForEachExported(service, listener, request, [&](const wire::ExportedPage& page) {
      PrintJson(session, LineOf(page));
      for (const wire::ExportedLink& link : page.links) {
        Json line = {{"from", page.url}, {"to", link.url}, {"text", link.text}};
        if (link.nofollow) line["rel"] = "nofollow";
        PrintJson(session, line);
      }
      pages++;
      return session.out->ok() ? Status::Ok() : session.out->status();
    }));
    return pages == 0 ? kNothingFound : kDone;
  });
}

// Documents in the order of their numbers, as in TREC's collections.
Result<int> ExportTrec(const Session& session, const ExportFlags& flags) {
  return WithService(session, [&](wire::CollectionService& service, Listener& listener) -> Result<int> {
    std::vector<std::pair<std::string, std::string>> documents;  // number, URL
    uint64_t without = 0;
    CRV_TRY(ForEachExported(
        service, listener, {.text = false, .records = true, .unique = flags.unique},
        [&](const wire::ExportedPage& page) {
          if (page.record.empty()) {
            without++;
          } else {
            documents.emplace_back(
                page::TrecNumber({.url = page.url, .docno = page.id, .block = page.record}), page.url);
          }
          return Status::Ok();
        }));
    std::sort(documents.begin(), documents.end());
    CRV_ASSIGN(AtomicFile file, AtomicFile::Create(flags.trec));
    for (const auto& document : documents) {
      CRV_ASSIGN(const wire::PageRecord record,
                 service.Ask(wire::RecordRequest{.url = document.second}, listener));
      std::string text;
      CRV_TRY(page::AppendTrecPage({.url = document.second,
                                    .docno = document.first,
                                    .time = record.time / 1'000'000,
                                    .block = record.bytes},
                                   &text));
      CRV_TRY(file.Append(AsBytes(text)));
    }
    CRV_TRY(file.Finish());
    if (session.json) {
      PrintJson(session, {{"documents", documents.size()}, {"without_archive", without}});
    } else {
      session.out->Print("{} in {}", Counted(documents.size(), "document", "documents"),
                         Printable(flags.trec));
      if (without > 0) session.out->Print("; {} not: they were imported as text", Grouped(without));
      session.out->Print("\n");
    }
    return kDone;
  });
}

Result<int> ExportIndex(const Session& session, const ExportFlags& options) {
  CRV_ASSIGN(const auto snapshot, OpenSnapshot(session));
  CRV_ASSIGN(AtomicFile file, AtomicFile::Create(options.ciff));
  CRV_ASSIGN(const index::CiffSummary summary,
             index::ExportCiff(
                 *snapshot,
                 {.field = options.field,
                  .description = fmt::format("{} of {}, by crivello", options.field, session.collection)},
                 [&file](Bytes bytes) { return file.Append(bytes); }));
  CRV_TRY(file.Finish());
  if (session.json) {
    PrintJson(session, {{"documents", summary.documents},
                        {"lists", summary.lists},
                        {"postings", summary.postings},
                        {"occurrences", summary.occurrences}});
  } else {
    session.out->Print("{}, {}, {} in {}\n", Counted(summary.documents, "document", "documents"),
                       Counted(summary.lists, "list", "lists"),
                       Counted(summary.postings, "posting", "postings"), options.ciff);
  }
  return kDone;
}

Result<int> RunExport(const Session& session, const ExportFlags& options) {
  const int ways = (options.ciff.empty() ? 0 : 1) + (options.jsonl ? 1 : 0) + (options.trec.empty() ? 0 : 1);
  if (ways != 1)
    return Status::InvalidArgument("export to what? Give one of --jsonl, --trec FILE and --ciff FILE");
  if (options.links && !options.jsonl) return Status::InvalidArgument("--links needs --jsonl");
  if (options.unique && !options.ciff.empty()) {
    return Status::InvalidArgument(
        "--unique cannot be used with --ciff: an index is exported with all its pages");
  }
  if (options.jsonl) return ExportLines(session, options);
  return options.trec.empty() ? ExportIndex(session, options) : ExportTrec(session, options);
}

}  // namespace

void AddExportCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("export", "Export pages or the index to an interchange format");
  auto options = std::make_shared<ExportFlags>();
  command->add_flag("--jsonl", options->jsonl, "Print the text of each searchable page as a line of JSON");
  command->add_flag("--links", options->links,
                    "With --jsonl: also print each link as a line, after its page");
  command->add_flag("--unique", options->unique,
                    "Only the representative of each cluster of near-duplicates that 'dups --all' has found");
  command
      ->add_option("--trec", options->trec,
                   "Write archived pages to this file in the TREC Web format, in order of document number")
      ->type_name("FILE");
  command
      ->add_option("--ciff", options->ciff,
                   "Write this file in the Common Index File Format (Lucene, PISA, Terrier, JASS)")
      ->type_name("FILE");
  command->add_option("--field", options->field, "Field of the index, for --ciff")->capture_default_str();
  command->footer(
      "A page is {\"url\", \"id\"?, \"time\", \"status\", \"language\", \"title\", \"text\"}, and \"blocks\" "
      "if its text has\n"
      "headings, lists or surroundings. A page with near-duplicates has \"near_duplicates\": "
      "{\"representative\",\n"
      "\"pages\"}. A link is {\"from\", \"to\", \"text\", \"rel\"?}. 'crivello import' reads both back. "
      "Pages\n"
      "that ask not to be indexed are left out.\n"
      "\n"
      "Examples:\n"
      "  crivello export --jsonl --links > pages.jsonl\n"
      "  crivello export --jsonl --unique > corpus.jsonl\n"
      "  crivello export --trec pages.trec\n"
      "  crivello export --ciff collection.ciff\n"
      "  crivello export --ciff titles.ciff --field title");
  Runs(*command, session, [&session, options] { return RunExport(session, *options); });
}

}  // namespace crivello::cli
