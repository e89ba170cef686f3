// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/lab/sieve_measure.h"
#include "cli/output.h"
#include "cli/units.h"
#include "sieve/line_filters.h"
#include "sieve/sieve_factory.h"
#include "web/url/canonical.h"
#include "web/url/signature.h"

namespace crivello::cli {
namespace {

void AddFilterOptions(CLI::App& command, sieve::LineFilterOptions& options, const char* input) {
  command.add_option("FILE", options.input, std::string(input) + "; - is standard input")
      ->capture_default_str();
  AddSizeOption(command, "--memory", options.memory_bytes, "For sorting; what does not fit goes to the disk")
      ->default_str("256M");
  command.add_option("--temporary", options.temporary, "Folder of temporary files; else $TMPDIR, or /tmp")
      ->type_name("DIR");
}

sieve::PrintLines ToOutput(const Session& session) {
  return [&out = *session.out](std::string_view lines) {
    out.Write(lines);
    return out.Flush();
  };
}

Result<int> SieveSort(const Session& session, const sieve::SortLinesOptions& options) {
  web::Url url, canonical;
  const auto sign = [&](std::string_view text) -> Result<std::optional<sieve::SignedUrl>> {
    if (!url.Parse(text)) {
      return Status::Corruption(fmt::format("'{}' is no URL", Printable(text.substr(0, 200))));
    }
    if (!web::Canonicalize(url, &canonical)) return std::optional<sieve::SignedUrl>();
    return std::optional(sieve::SignedUrl{web::UrlSignature(canonical), canonical.href()});
  };
  CRV_ASSIGN(const sieve::SortLinesSummary summary, sieve::SortLines(options, sign, ToOutput(session)));
  if (summary.skipped > 0) {
    session.log->Write(LogLevel::kWarning, "lines.skipped",
                       fmt::format("skipped {} of {} lines: no http or https URL of a host",
                                   Grouped(summary.skipped), Grouped(summary.lines)),
                       {{"skipped", summary.skipped}});
  }
  return kDone;
}

void AddSort(CLI::App& sieve, Session& session) {
  CLI::App* command = sieve.add_subcommand("sort", "Sign URLs, sort them by signature and drop repeats");
  auto options = std::make_shared<sieve::SortLinesOptions>();
  AddFilterOptions(*command, *options, "Lines of a URL, or of an ordinal, TAB and a URL");
  command->add_flag("--unsorted", options->unsorted, "Only sign them: another program sorts");
  command->footer(
      "Each URL is put in canonical form and signed.  The lines that come out are\n"
      "  SIGNATURE TAB ORDINAL TAB URL\n"
      "sorted by signature, then by ordinal, which is the line's number unless the line gave one; of the "
      "lines\n"
      "of one signature the first is kept.  'LC_ALL=C sort' sorts such lines alike, so it, or Hadoop, can "
      "sort\n"
      "in place of this command (--unsorted), and 'LC_ALL=C sort -m' joins sorted parts.  URLs other than "
      "http\n"
      "and https are skipped and counted on standard error.\n"
      "\n"
      "Examples:\n"
      "  crivello sieve sort links.txt > A.sorted\n"
      "  crivello sieve sort --unsorted links.txt | LC_ALL=C sort > A.sorted");
  Runs(*command, session, [&session, options] { return SieveSort(session, *options); });
}

void AddMerge(CLI::App& sieve, Session& session) {
  CLI::App* command =
      sieve.add_subcommand("merge", "Print sorted lines that were not seen yet, and note them");
  auto options = std::make_shared<sieve::MergeLinesOptions>();
  AddFilterOptions(*command, *options, "Lines of 'sieve sort', sorted");
  command
      ->add_option(
          "--seen", options->seen,
          "Z, the signatures seen so far: a Z file of a sieve, or sorted lines of 16 hexadecimal digits")
      ->required()
      ->type_name("FILE");
  command->add_option("--to", options->to, "Write the new Z here instead of in place of the old")
      ->type_name("FILE");
  command->add_flag("--by-arrival", options->by_arrival, "Print them in order of arrival, not of signature");
  command->footer(
      "One round of a crawl with files alone: Z are the signatures seen, A the links met, F what to visit "
      "next.\n"
      "  : > Z                                           # nothing was seen yet\n"
      "  printf '%s\\n' http://b.it/ http://a.it/ HTTP://b.it:80 > A\n"
      "  crivello sieve sort A | crivello sieve merge --seen Z --by-arrival | cut -f3 > F\n"
      "  cat F                                           # http://b.it/, then http://a.it/; now Z has both\n"
      "The same with Hadoop Streaming: the mapper is 'crivello sieve sort --unsorted' over lines that carry "
      "their\n"
      "ordinals, the shuffle sorts, and each reducer merges its range of signatures with its part of Z.\n"
      "If it is interrupted Z is as it was, and lines may be printed again; none is lost.\n"
      "\n"
      "Examples:\n"
      "  crivello sieve merge --seen Z A.sorted\n"
      "  crivello sieve merge --seen Z --to Z.new --by-arrival A.sorted");
  Runs(*command, session, [&session, options]() -> Result<int> {
    CRV_TRY(sieve::MergeLines(*options, ToOutput(session)));
    return kDone;
  });
}

void AddBench(CLI::App& sieve, Session& session) {
  CLI::App* command = sieve.add_subcommand("bench", "Measure the ways to build a sieve");
  auto options = std::make_shared<SieveBenchOptions>();
  std::string about = "Which: all if none is named.";
  std::vector<std::string> names;
  for (const auto& kind : sieve::SieveKinds()) {
    names.emplace_back(kind.name);
    about += "\n  " + names.back() + ": " + std::string(kind.about);
  }
  command->add_option("--kind", options->kinds, about)->check(CLI::IsMember(names))->type_name("KIND");
  AddCountOption(*command, "--keys", options->keys, "Keys to offer")->default_str("10M");
  AddCountListOption(*command, "--known", options->known,
                     "Keys that it knows before; several: measured at each")
      ->default_str("0");
  command->add_option("--repeats", options->repeats, "The part of the keys that repeat others")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  AddSizeOption(*command, "--memory", options->memory_bytes, "What a sieve may use")->default_str("256M");
  command
      ->add_option("--folder", options->folder, "Where; else a folder in $TMPDIR or /tmp, removed at the end")
      ->type_name("DIR");
  command->footer(
      "The keys are URLs of 70 bytes on a million hosts, from a seed; repeats are recent, or of any age, as "
      "links\n"
      "on the web are.  They are synced every 10,000, and what comes through is taken at once.  CPU time is "
      "that\n"
      "of all threads, making the keys included; memory is the most that the process held.\n"
      "\n"
      "Examples:\n"
      "  crivello sieve bench --keys 1M\n"
      "  crivello sieve bench --kind mercator --kind offline --known 10M 50M 200M --repeats 0.9");
  Runs(*command, session, [&session, options] { return SieveBench(session, *options); });
}

}  // namespace

void AddSieveCommand(CLI::App& app, Session& session) {
  CLI::App* sieve = app.add_subcommand("sieve", "Let each URL through once, ever");
  sieve->require_subcommand(1);
  AddSort(*sieve, session);
  AddMerge(*sieve, session);
  AddBench(*sieve, session);
}

}  // namespace crivello::cli
