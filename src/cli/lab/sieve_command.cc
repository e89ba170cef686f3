// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/json.h"
#include "cli/lab/sieve_measure.h"
#include "cli/output.h"
#include "cli/units.h"
#include "sieve/line_filters.h"
#include "sieve/sieve_factory.h"
#include "succinct/filter_plan.h"
#include "web/url/canonical.h"
#include "web/url/signature.h"

namespace crivello::cli {
namespace {

void AddFilterOptions(CLI::App& command, sieve::LineFilterOptions& options, const char* input) {
  command.add_option("FILE", options.input, std::string(input) + " (-: standard input)")
      ->capture_default_str();
  AddSizeOption(command, "--memory", options.memory_bytes, "Memory for sorting; the rest is sorted on disk")
      ->default_str("256M");
  command
      .add_option("--temporary", options.temporary, "Folder for temporary files (default: $TMPDIR, or /tmp)")
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
      return Status::Corruption(fmt::format("invalid URL '{}'", Printable(text.substr(0, 200))));
    }
    if (!web::Canonicalize(url, &canonical)) return std::optional<sieve::SignedUrl>();
    return std::optional(sieve::SignedUrl{web::UrlSignature(canonical), canonical.href()});
  };
  CRV_ASSIGN(const sieve::SortLinesSummary summary, sieve::SortLines(options, sign, ToOutput(session)));
  if (summary.skipped > 0) {
    session.log->Write(LogLevel::kWarning, "lines.skipped",
                       fmt::format("skipped {} of {} lines that are not http:// or https:// URLs",
                                   Grouped(summary.skipped), Grouped(summary.lines)),
                       {{"skipped", summary.skipped}});
  }
  return kDone;
}

void AddSort(CLI::App& sieve, Session& session) {
  CLI::App* command = sieve.add_subcommand("sort", "Sign URLs, sort them by signature and drop duplicates");
  auto options = std::make_shared<sieve::SortLinesOptions>();
  AddFilterOptions(*command, *options,
                   "File of URLs, one per line, each optionally after an ordinal and a TAB");
  command->add_flag("--unsorted", options->unsorted, "Only sign the URLs, for another program to sort");
  command->footer(
      "Puts each URL in canonical form and signs it. Prints lines\n"
      "  SIGNATURE TAB ORDINAL TAB URL\n"
      "sorted by signature, then by ordinal (the line number, unless the line has an ordinal). Of several "
      "lines with\n"
      "one signature, the first is kept. 'LC_ALL=C sort' sorts such lines in the same order, so it or Hadoop "
      "can sort\n"
      "instead (--unsorted), and 'LC_ALL=C sort -m' merges sorted files. URLs that are not http or https are "
      "skipped\n"
      "and counted on standard error.\n"
      "\n"
      "Examples:\n"
      "  crivello sieve sort links.txt > A.sorted\n"
      "  crivello sieve sort --unsorted links.txt | LC_ALL=C sort > A.sorted");
  Runs(*command, session, [&session, options] { return SieveSort(session, *options); });
}

void AddMerge(CLI::App& sieve, Session& session) {
  CLI::App* command =
      sieve.add_subcommand("merge", "Print sorted lines that were not seen yet, and record them as seen");
  auto options = std::make_shared<sieve::MergeLinesOptions>();
  AddFilterOptions(*command, *options, "Output of 'sieve sort', sorted");
  command
      ->add_option(
          "--seen", options->seen,
          "Signatures seen so far (Z): a Z file of a sieve, or sorted lines of 16 hexadecimal digits")
      ->required()
      ->type_name("FILE");
  command->add_option("--to", options->to, "File for the new Z (default: replace the old one)")
      ->type_name("FILE");
  command->add_flag("--by-arrival", options->by_arrival,
                    "Print lines in order of arrival instead of signature");
  command->footer(
      "One round of a crawl with files only: Z holds the signatures seen, A the links found, F the URLs to "
      "visit "
      "next.\n"
      "  : > Z                                           # nothing has been seen\n"
      "  printf '%s\\n' http://b.it/ http://a.it/ HTTP://b.it:80 > A\n"
      "  crivello sieve sort A | crivello sieve merge --seen Z --by-arrival | cut -f3 > F\n"
      "  cat F                                           # http://b.it/, then http://a.it/; now Z has both\n"
      "With Hadoop Streaming, the mapper is 'crivello sieve sort --unsorted' over lines with ordinals, the "
      "shuffle\n"
      "sorts, and each reducer merges its range of signatures with its part of Z. If the command is "
      "interrupted, Z\n"
      "is unchanged and some lines may be printed again; none is lost.\n"
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
  CLI::App* command = sieve.add_subcommand("bench", "Measure the kinds of sieve");
  auto options = std::make_shared<SieveBenchOptions>();
  std::string about = "Kind to measure (default: all).";
  std::vector<std::string> names;
  for (const auto& kind : sieve::SieveKinds()) {
    names.emplace_back(kind.name);
    about += "\n  " + names.back() + ": " + std::string(kind.about);
  }
  command->add_option("--kind", options->kinds, about)->check(CLI::IsMember(names))->type_name("KIND");
  AddCountOption(*command, "--keys", options->keys, "Number of keys to offer")->default_str("10M");
  AddCountListOption(*command, "--known", options->known,
                     "Number of keys known before; several numbers are measured in turn")
      ->default_str("0");
  command->add_option("--repeats", options->repeats, "Share of the keys that repeat others")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  AddSizeOption(*command, "--memory", options->memory_bytes, "Memory limit of a sieve")->default_str("256M");
  command
      ->add_option("--folder", options->folder,
                   "Folder for the sieve (default: a temporary folder that is removed at the end)")
      ->type_name("DIR");
  command->footer(
      "The keys are URLs of 70 bytes on a million hosts, generated from a seed. Repeats are recent or of any "
      "age, as\n"
      "links on the web are. Keys are synced every 10,000, and new ones are taken at once. CPU time is that "
      "of all\n"
      "threads and includes making the keys; memory is the peak of the process.\n"
      "\n"
      "Examples:\n"
      "  crivello sieve bench --keys 1M\n"
      "  crivello sieve bench --kind mercator --kind offline --known 10M 50M 200M --repeats 0.9");
  Runs(*command, session, [&session, options] { return SieveBench(session, *options); });
}

struct PlanFlags {
  uint64_t keys = 0;
  std::string error = "2^-20";
};

Result<int> SievePlan(const Session& session, const PlanFlags& flags) {
  CRV_ASSIGN(const double error, ParseProbability(flags.error));
  CRV_ASSIGN(const succinct::FilterPlan plan, succinct::PlanFilter(flags.keys, error));
  const auto n = static_cast<double>(plan.keys);
  if (session.json) {
    PrintJson(session, {{"keys", plan.keys},
                        {"error", plan.error},
                        {"hashes", plan.bloom.probes},
                        {"bits", plan.bloom.bits},
                        {"bytes", plan.bloom.bits / 8},
                        {"probes_negative", plan.probes_negative}});
    return kDone;
  }
  session.out->Print("{} keys, {:.3g} of all other keys taken for one of them\n", Grouped(plan.keys),
                     plan.error);
  session.out->Print(
      "A Bloom filter has {} hash functions; a key that is not in it costs {:.2f} probes on average.\n",
      plan.bloom.probes, plan.probes_negative);
  Table table({{"set"}, {"size", true}, {"bits/key", true}, {"above the least", true}});
  const auto row = [&](const char* name, double bits) {
    table.Row({name, FormatSize(static_cast<uint64_t>(bits / 8)), fmt::format("{:.2f}", bits / n),
               fmt::format("{:.1f}%", 100 * (bits / plan.least_bits - 1))});
  };
  row("least possible", plan.least_bits);
  row("Bloom filter", static_cast<double>(plan.bloom.bits));
  if (plan.blocked.bits > 0) row("blocked Bloom filter", static_cast<double>(plan.blocked.bits));
  if (plan.dictionary_bits > 0) row("approximate dictionary", plan.dictionary_bits);
  row("64-bit signatures", 64 * n);
  session.out->Print("{}", table.ToString());
  session.out->Print(
      "With 64-bit signatures {:.2g} pairs of keys collide on average, with 128-bit ones {:.2g}.\n",
      succinct::ExpectedCollisions(n, 64), succinct::ExpectedCollisions(n, 128));
  return kDone;
}

void AddPlan(CLI::App& sieve, Session& session) {
  CLI::App* command = sieve.add_subcommand(
      "plan", "Size a set with false positives before it is built, and count collisions");
  auto flags = std::make_shared<PlanFlags>();
  AddCountOption(*command, "--keys", flags->keys, "Number of keys")->required();
  command->add_option("--error", flags->error, "Probability that another key is taken for one of them")
      ->type_name("P")
      ->capture_default_str();
  command->footer(
      "A Bloom filter of n keys and d hash functions has d n / ln 2 = 1.44 d n bits for an error of 2^-d: "
      "44% above\n"
      "the least possible, n d. An approximate dictionary is smaller, but takes no more keys once it is "
      "built.\n"
      "\n"
      "Examples:\n"
      "  crivello sieve plan --keys 1G --error 2^-20\n"
      "  crivello --json sieve plan --keys 10M --error 0.01");
  Runs(*command, session, [&session, flags] { return SievePlan(session, *flags); });
}

}  // namespace

void AddSieveCommand(CLI::App& app, Session& session) {
  CLI::App* sieve = app.add_subcommand("sieve", "Let each URL through only once");
  sieve->require_subcommand(1);
  AddSort(*sieve, session);
  AddMerge(*sieve, session);
  AddBench(*sieve, session);
  AddPlan(*sieve, session);
}

}  // namespace crivello::cli
