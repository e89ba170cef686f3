// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "base/atomic_file.h"
#include "base/file_system.h"
#include "cli/app.h"
#include "cli/json.h"
#include "cli/output.h"
#include "lab/menu.h"

namespace crivello::cli {
namespace {

using Words = std::vector<std::string>;

struct LabFlags {
  Words input;
  std::string svg;
  bool interactive = false;
  lab::LabOptions options;
};

// Replaces the name of a file by the page in it.
Result<Words> InputOf(std::string_view name, Words words) {
  if (name == "slope" && words.size() == 1) {
    CRV_ASSIGN(words[0], ReadFile(words[0]));
  }
  return words;
}

Result<lab::Demonstration> Show(const LabFlags& flags, std::string_view name, Words words) {
  CRV_ASSIGN(const Words input, InputOf(name, std::move(words)));
  return lab::ShowByName(name, flags.options, input);
}

Status PrintShown(const Session& session, const LabFlags& flags, const lab::Demonstration& shown) {
  if (!flags.svg.empty()) CRV_TRY(WriteFileAtomically(flags.svg, AsBytes(shown.svg)));
  if (session.json) {
    PrintJson(session, {{"steps", shown.steps}});
    return session.out->Flush();
  }
  for (size_t i = 0; i < shown.steps.size(); i++) {
    session.out->Print("{}{}\n", i > 0 ? "\n" : "", Printable(shown.steps[i], Lines::kKept));
    std::string line;
    if (flags.interactive && i + 1 < shown.steps.size()) {
      CRV_TRY(session.out->Flush());
      if (!std::getline(std::cin, line)) return Status::Ok();
    }
  }
  return session.out->Flush();
}

Result<int> RunLab(const Session& session, const LabFlags& flags, std::string_view name) {
  CRV_ASSIGN(const lab::Demonstration first, Show(flags, name, flags.input));
  CRV_TRY(PrintShown(session, flags, first));
  while (flags.interactive) {
    session.err->Print("\nAnother input (an empty line ends): ");
    std::string line;
    if (!std::getline(std::cin, line) || line.empty()) break;
    const auto shown = Show(flags, name, lab::WordsOfLine(line));
    if (!shown.ok()) {
      session.err->Print("{}\n", Printable(shown.status().message()));
      continue;
    }
    CRV_TRY(PrintShown(session, flags, *shown));
  }
  return kDone;
}

CLI::App* AddDemonstration(CLI::App& lab, Session& session, const std::shared_ptr<LabFlags>& flags,
                           const char* name, const char* about, const char* input, const char* example) {
  CLI::App* command = lab.add_subcommand(name, about);
  command->add_option("INPUT", flags->input, input);
  command->add_option("--svg", flags->svg, "Also write the picture to this file, as SVG for slides")
      ->type_name("FILE");
  command->add_flag("--interactive", flags->interactive,
                    "Wait for Enter after each step, then ask for another input");
  command->footer(
      fmt::format("Examples:\n  crivello lab {}\n  crivello lab {} --svg {}.svg", name, example, name));
  Runs(*command, session, [&session, flags, name] { return RunLab(session, *flags, name); });
  return command;
}

}  // namespace

void AddLabCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("lab", "Show algorithms of the course step by step, with pictures for slides");
  command->require_subcommand(1);
  command->footer(
      "Without input each shows an example of the lecture notes (docs/course.md).\n"
      "\n"
      "Examples:\n"
      "  crivello lab elias-fano\n"
      "  crivello lab sieve --interactive");
  const auto flags = [] { return std::make_shared<LabFlags>(); };
  AddDemonstration(*command, session, flags(), "codes", "Numbers in instantaneous codes", "Numbers",
                   "codes 3 14 15");
  auto elias_fano = flags();
  CLI::App* one =
      AddDemonstration(*command, session, elias_fano, "elias-fano", "A list in the Elias-Fano representation",
                       "Numbers that do not decrease", "elias-fano 5 8 8 15 32");
  one->add_option("--universe", elias_fano->options.universe,
                  "Upper bound of the numbers (0: the last of them)")
      ->check(Natural());
  one->add_option("--successor", elias_fano->options.successor,
                  "Look for the first number that is at least this")
      ->check(Natural())
      ->capture_default_str();
  auto of_sieve = flags();
  one = AddDemonstration(*command, session, of_sieve, "sieve", "Mercator's sieve, one URL at a time",
                         "URLs in order of arrival", "sieve http://a/ http://b/ http://a/");
  one->add_option("--capacity", of_sieve->options.capacity, "Signatures in S before it is flushed")
      ->check(Positive())
      ->capture_default_str();
  auto assignment = flags();
  one = AddDemonstration(*command, session, assignment, "assignment",
                         "Which agent owns a key, and what moves when one joins", "Keys, such as hosts",
                         "assignment example.org example.com");
  one->add_option("--agents", assignment->options.agents, "Agents before one more joins, 1 to 19")
      ->check(Positive())
      ->capture_default_str();
  auto hyper_ball = flags();
  one = AddDemonstration(*command, session, hyper_ball, "hyperball", "HyperBall on a small graph",
                         "Arcs FROM-TO", "hyperball 0-1 1-2 2-0 2-3");
  one->add_option("--log2m", hyper_ball->options.log_registers,
                  "Logarithm of the number of registers, 4 to 16")
      ->check(Natural())
      ->capture_default_str();
  auto simhash = flags();
  one = AddDemonstration(*command, session, simhash, "simhash", "The votes behind two SimHashes", "Two texts",
                         "simhash 'salt water fish' 'fresh water fish'");
  one->add_option("--bits", simhash->options.bits, "Bits of the SimHash, 1 to 64")
      ->check(Positive())
      ->capture_default_str();
  AddDemonstration(*command, session, flags(), "slope", "The document slope curve of a page", "File of HTML",
                   "slope page.html");
  auto lsi = flags();
  one = AddDemonstration(*command, session, lsi, "lsi", "Latent semantic indexing: documents as concepts",
                         "Documents, each in quotes", "lsi 'dogs bark' 'dogs and cats' 'cats purr'");
  one->add_option("--rank", lsi->options.rank, "Singular values to keep (0: all but the smallest)")
      ->check(Natural())
      ->capture_default_str();
}

}  // namespace crivello::cli
