// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "base/clock.h"
#include "cli/app.h"
#include "cli/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"
#include "cli/units.h"
#include "index/table_indexer.h"
#include "text/analyser.h"

namespace crivello::cli {
namespace {

struct Options {
  std::string analyser{text::kStandardAnalyser};
  std::string format = "packed";
  std::string with = "positions";
  std::string fields;
  std::string order = "url";
  bool no_text = false;
  bool versions = false;
  uint64_t memory = uint64_t{512} << 20;
  unsigned threads = 2;
};

index::PostingContents ContentsOf(const std::string& with) {
  if (with == "documents") return index::PostingContents::kDocuments;
  return with == "counts" ? index::PostingContents::kCounts : index::PostingContents::kPositions;
}

double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Result<index::TableIndexOptions> BuildOptions(const Options& options) {
  index::TableIndexOptions build;
  // Both are read here, so that a wrong one is told before anything is done.
  CRV_ASSIGN(const auto description, text::AnalyserDescription::Parse(options.analyser));
  CRV_TRY(index::FindPostingFormat(options.format).status());
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

// Where the bytes are, and what they come to for each posting and occurrence.
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
  fmt::print(session.out, "{}", table.ToString());
}

Result<int> RunIndex(const Session& session, const Options& options) {
  CRV_ASSIGN(const index::TableIndexOptions build, BuildOptions(options));
  crawl::CrawlStoreOptions store_options = StoreOptions(session);
  store_options.create = false;
  store_options.with_archive = false;
  CRV_ASSIGN(const std::unique_ptr<crawl::CrawlStore> store, crawl::CrawlStore::Open(store_options));
  const MonotonicTime start = SystemClock().Now();
  const double cpu = CpuSeconds();
  const auto progress = MakeProgress(session);
  CRV_ASSIGN(const index::TableIndexSummary summary,
             index::BuildTableIndexes(IndexedTablets(*store), build, *progress));
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
    fmt::print(session.out, "{} documents of {} rows: {} terms, {} postings, {} occurrences\n",
               Grouped(segments.documents), Grouped(summary.rows), Grouped(segments.terms),
               Grouped(segments.postings), Grouped(segments.occurrences));
    fmt::print(session.out, "{} of text in {:.1f} s ({:.1f} MB/s, {:.1f} a CPU-second); the index has {}\n",
               FormatSize(segments.text_bytes), seconds,
               static_cast<double>(segments.text_bytes) / 1e6 / seconds,
               static_cast<double>(segments.text_bytes) / 1e6 / cpu_seconds, FormatSize(summary.index_bytes));
    PrintParts(session, summary);
  }
  return kDone;
}

}  // namespace

void AddIndexCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("index", "Build the index of the collection's pages");
  auto options = std::make_shared<Options>();
  command->add_option("--analyser", options->analyser, "How text becomes terms (docs/analysers.md)")
      ->capture_default_str();
  command
      ->add_option("--format", options->format,
                   "Of posting lists: packed is the fastest, interpolative the smallest")
      ->check(CLI::IsMember({"packed", "quasi-succinct", "partitioned", "interpolative", "classic"}))
      ->capture_default_str();
  command->add_option("--with", options->with, "What postings keep")
      ->check(CLI::IsMember({"documents", "counts", "positions"}))
      ->capture_default_str();
  command->add_option("--fields", options->fields,
                      "Of title, headings, body, rest, url, anchor, site, lang, type, links; all by default");
  command
      ->add_option("--order", options->order,
                   "Of documents: url, bisection (smaller, slower to build), or by a static score")
      ->check(CLI::IsMember({"url", "bisection", "inlinks", "depth"}))
      ->capture_default_str();
  command->add_flag("--no-text", options->no_text, "Keep no text for snippets");
  command->add_flag("--versions", options->versions, "Keep all versions of pages, for search --at");
  AddSizeOption(*command, "--memory", options->memory, "For what is not yet written");
  command->add_option("--threads", options->threads, "To work with")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->footer(
      "Builds the index anew from all rows; searches go on in the old one until it is complete.\n"
      "\n"
      "Examples:\n"
      "  crivello index\n"
      "  crivello index --format interpolative --memory 2G\n"
      "  crivello index --analyser plain --fields body --no-text");
  Runs(*command, session, [&session, options] { return RunIndex(session, *options); });
}

}  // namespace crivello::cli
