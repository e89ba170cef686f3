// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>

#include "base/clock.h"
#include "base/process_usage.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/commands/index_care.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"
#include "cli/units.h"
#include "engine/stored_index.h"
#include "text/terms/analyser.h"

namespace crivello::cli {
namespace {

struct IndexFlags {
  std::string analyser{text::kStandardAnalyser};
  std::string format = "packed";
  std::string with = "positions";
  std::string fields;
  std::string order = "url";
  bool no_text = false;
  bool versions = false;
  uint64_t memory = uint64_t{512} << 20;
  unsigned threads = 2;
  bool rebuild = false;
  bool any_setting = false;  // a setting was given: the index is rebuilt with it
};

index::PostingContents ContentsOf(const std::string& with) {
  if (with == "documents") return index::PostingContents::kDocuments;
  return with == "counts" ? index::PostingContents::kCounts : index::PostingContents::kPositions;
}

Result<index::TableIndexOptions> BuildOptions(const IndexFlags& options) {
  index::TableIndexOptions build;
  // Both are parsed here, so that an error is reported before any work is done.
  CRV_ASSIGN(const auto description, text::AnalyserDescription::Parse(options.analyser));
  if (const auto format = index::FindPostingFormat(options.format); !format.ok())
    return Status::InvalidArgument("--format: " + format.status().message());
  if (!options.fields.empty()) {
    CRV_ASSIGN(build.fields, index::PageFields::Parse(options.fields));
  }
  build.settings = {.analyser = description.ToString(),
                    .format = options.format,
                    .contents = ContentsOf(options.with),
                    .store_text = !options.no_text,
                    .versions = options.versions};
  build.order = options.order;
  build.memory_bytes = options.memory;
  build.threads = options.threads;
  return build;
}

// The size of each part, and the bytes per posting and occurrence.
void PrintParts(const Session& session, const index::TableIndexSummary& summary) {
  Table table({{"part"}, {"size", true}, {"bits each", true}});
  for (const auto& [part, bytes] : summary.parts) {
    const index::SegmentSummary& segments = summary.segments;
    const uint64_t of = part == "documents" || part == "counts" ? segments.postings
                        : part == "positions"                   ? segments.occurrences
                        : part == "terms"                       ? segments.terms
                                                                : segments.documents;
    table.Row(
        {part, FormatSize(bytes),
         of == 0 ? "" : fmt::format("{:.2f}", 8 * static_cast<double>(bytes) / static_cast<double>(of))});
  }
  session.out->Print("{}", table.ToString());
}

void PrintRefreshed(const Session& session, const index::TableRefreshSummary& summary) {
  if (session.json) {
    PrintJson(session, {{"changed", summary.changed}, {"gone", summary.gone}});
  } else {
    session.out->Print("{} pages are new or have changed, {} were removed; the index is up to date\n",
                       Grouped(summary.changed), Grouped(summary.gone));
  }
}

Result<int> RunIndex(const Session& session, const IndexFlags& options) {
  CRV_ASSIGN(index::TableIndexOptions build, BuildOptions(options));
  CRV_ASSIGN(const std::unique_ptr<collection::Collection> store, OpenExisting(session));
  const MonotonicTime start = SystemClock().Now();
  const double cpu = CpuSeconds();
  const auto progress = MakeProgress(session);
  CRV_ASSIGN(const engine::IndexUpdate update,
             engine::UpdateIndex(
                 *store,
                 {.build = std::move(build), .rebuild = options.rebuild, .new_settings = options.any_setting},
                 *progress));
  if (update.refreshed) {
    PrintRefreshed(session, update.refresh);
    return kDone;
  }
  const index::TableIndexSummary& summary = update.built;
  const double seconds = std::chrono::duration<double>(SystemClock().Now() - start).count();
  const double cpu_seconds = CpuSeconds() - cpu;
  const index::SegmentSummary& segments = summary.segments;
  if (session.json) {
    PrintJson(session, {{"documents", segments.documents},
                        {"rows", summary.rows},
                        {"terms", segments.terms},
                        {"postings", segments.postings},
                        {"occurrences", segments.occurrences},
                        {"text_bytes", segments.text_bytes},
                        {"index_bytes", summary.index_bytes},
                        {"parts", summary.parts},
                        {"seconds", seconds},
                        {"cpu_seconds", cpu_seconds}});
  } else {
    session.out->Print("{} of {}: {} terms, {} postings, {} occurrences\n",
                       Counted(segments.documents, "document", "documents"),
                       Counted(summary.rows, "row", "rows"), Grouped(segments.terms),
                       Grouped(segments.postings), Grouped(segments.occurrences));
    session.out->Print(
        "{} of text in {:.1f} s ({:.1f} MB/s, {:.1f} a CPU-second); the index has {}\n",
        FormatSize(segments.text_bytes), seconds, static_cast<double>(segments.text_bytes) / 1e6 / seconds,
        static_cast<double>(segments.text_bytes) / 1e6 / cpu_seconds, FormatSize(summary.index_bytes));
    PrintParts(session, summary);
  }
  return kDone;
}

}  // namespace

void AddIndexCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("index", "Build or update the index of the collection");
  auto options = std::make_shared<IndexFlags>();
  command->add_option("--analyser", options->analyser, "How text is split into terms (docs/analysers.md)")
      ->capture_default_str();
  command
      ->add_option(
          "--format", options->format,
          "Format of posting lists: packed (the fastest), quasi-succinct, partitioned, interpolative "
          "(the smallest), classic, or classic-delta-Q with a skip every Q postings, 1 to 128")
      ->type_name("FORMAT")
      ->capture_default_str();
  command->add_option("--with", options->with, "What a posting contains")
      ->check(CLI::IsMember({"documents", "counts", "positions"}))
      ->capture_default_str();
  command->add_option("--fields", options->fields,
                      "Fields to index: title, headings, body, rest, url, anchor, site, lang, type, links, "
                      "name (default: all)");
  command
      ->add_option(
          "--order", options->order,
          "Document order: url, bisection (smaller, slower to build); or the best first, which lets searches "
          "end early: a static score (inlinks, depth) or "
          "a rank of the collection")
      ->capture_default_str();
  command->add_flag("--rebuild", options->rebuild,
                    "Rebuild the index, including the texts of links to each page");
  command->add_flag("--no-text", options->no_text,
                    "Store URLs and ids only: results have no titles or snippets");
  command->add_flag("--versions", options->versions, "Index all versions of pages, for search --at");
  AddSizeOption(*command, "--memory", options->memory, "Memory limit for postings that are not yet written");
  command->add_option("--threads", options->threads, "Number of threads")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->footer(
      "An existing index is refreshed if less than a fifth of its pages have changed. Otherwise, or if any "
      "setting\n"
      "is given, it is rebuilt from all rows; searches use the old index until the new one is complete.\n"
      "\n"
      "Examples:\n"
      "  crivello index\n"
      "  crivello index --format interpolative --memory 2G\n"
      "  crivello index --analyser plain --fields body --no-text\n"
      "  crivello index delete https://example.org/secret\n"
      "  crivello index merge");
  AddIndexCare(*command, session);
  const auto run = [&session, command, options] {
    for (const char* setting :
         {"--analyser", "--format", "--with", "--fields", "--order", "--no-text", "--versions"}) {
      options->any_setting = options->any_setting || command->count(setting) > 0;
    }
    return RunIndex(session, *options);
  };
  // Called after the callbacks of its subcommands, which have set the action.
  command->callback([&session, command, run] {
    if (command->get_subcommands().empty()) session.run = run;
  });
}

}  // namespace crivello::cli
