// SPDX-License-Identifier: Apache-2.0
#include "base/civil_time.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/units.h"

namespace crivello::cli {
namespace {

struct ForgetFlags {
  std::vector<std::string> targets;
  std::string reason;
  bool dry_run = false;
  bool list = false;
  bool finish = false;
};

Result<int> ListForgotten(const Session& session, wire::CollectionService& service, Listener& listener) {
  CRV_ASSIGN(const wire::ForgottenTargets forgotten, service.Ask(wire::ForgottenRequest(), listener));
  for (const wire::ForgottenTarget& entry : forgotten.targets) {
    if (session.json) {
      Json line = {{"target", entry.target}, {"reason", entry.reason}, {"begun", FormatRfc3339(entry.begun)}};
      if (entry.done != 0) {
        line["done"] = FormatRfc3339(entry.done);
        line["pages"] = entry.pages;
        line["records"] = entry.records;
      }
      PrintJson(session, line);
    } else {
      session.out->Print("{}  {}  {}\n", entry.done == 0 ? "interrupted         " : FormatRfc3339(entry.done),
                         Printable(entry.target), Printable(entry.reason));
    }
  }
  return forgotten.targets.empty() ? kNothingFound : kDone;
}

Result<int> Preview(const Session& session, wire::CollectionService& service, Listener& listener,
                    const std::vector<std::string>& targets) {
  CRV_ASSIGN(const wire::ForgetPreview preview,
             service.Ask(wire::ForgetPreviewRequest{.targets = targets}, listener));
  if (session.json) {
    PrintJson(session, {{"pages", preview.pages},
                        {"versions", preview.versions},
                        {"bytes", preview.bytes},
                        {"examples", preview.examples}});
  } else {
    for (const std::string& url : preview.examples) session.out->Print("{}\n", Printable(url));
    if (preview.pages > preview.examples.size()) {
      session.out->Print("and {} more\n", Grouped(preview.pages - preview.examples.size()));
    }
    session.out->Print("{} in {}, {}, would be forgotten\n", Counted(preview.pages, "page", "pages"),
                       Counted(preview.versions, "version", "versions"), FormatSize(preview.bytes));
  }
  return kDone;
}

void PrintForgotten(const Session& session, const wire::ForgetSummary& summary) {
  if (session.json) {
    PrintJson(session,
              {{"pages", summary.pages}, {"records", summary.records}, {"copies_kept", summary.copies}});
    return;
  }
  session.out->Print("{} forgotten, {} erased", Counted(summary.pages, "page", "pages"),
                     Counted(summary.records, "archive record", "archive records"));
  if (summary.copies > 0) {
    session.out->Print("; {} bodies kept because other pages share them", Grouped(summary.copies));
  }
  session.out->Print("\n");
}

Result<int> RunForget(const Session& session, wire::CollectionService& service, Listener& listener,
                      const ForgetFlags& options) {
  if (options.list) return ListForgotten(session, service, listener);
  if (options.dry_run) return Preview(session, service, listener, options.targets);
  auto summary =
      options.finish
          ? service.Ask(wire::FinishForgettingRequest(), listener)
          : service.Ask(wire::ForgetRequest{.targets = options.targets, .reason = options.reason}, listener);
  if (!summary.ok()) return summary.status();
  if (!summary->any) return kNothingFound;
  PrintForgotten(session, *summary);
  return kDone;
}

}  // namespace

void AddForgetCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("forget", "Delete pages from every file of the collection permanently");
  auto options = std::make_shared<ForgetFlags>();
  CLI::Option* targets =
      command->add_option("TARGET", options->targets, "URL, host, *.domain, or URL prefix that ends with *");
  CLI::Option* reason =
      command->add_option("--reason", options->reason, "Reason, which is stored and shown by 'why'");
  CLI::Option* dry = command->add_flag("--dry-run", options->dry_run, "Only report what would be deleted");
  CLI::Option* list = command->add_flag("--list", options->list, "List what was forgotten, and why");
  CLI::Option* finish =
      command->add_flag("--finish", options->finish, "Complete a deletion that a crash interrupted");
  list->excludes(targets)->excludes(reason)->excludes(dry)->excludes(finish);
  finish->excludes(targets)->excludes(reason)->excludes(dry);
  command->footer(
      "Deletes rows, text, suggestions, cached copies and index entries, and erases the records of the "
      "archive. No\n"
      "crawl or import brings them back. docs/care.md lists what is kept. Several targets at once take as "
      "long as one.\n"
      "If another process has the collection open, that process deletes the pages.\n"
      "\n"
      "Examples:\n"
      "  crivello forget https://example.org/private.html --reason 'asked for by its author'\n"
      "  crivello forget 'https://example.org/people/*' old.example.org --reason 'letter of 3 May' "
      "--dry-run\n"
      "  crivello forget --list");
  Runs(*command, session, [&session, options]() -> Result<int> {
    if (!options->list && !options->finish) {
      if (options->targets.empty()) {
        return Status::InvalidArgument(
            "nothing to forget: name a URL, host or domain (see 'crivello forget --help')");
      }
      if (options->reason.empty() && !options->dry_run) {
        return Status::InvalidArgument("--reason is missing: 'why' and --list show it");
      }
    }
    const auto ask = [&](wire::CollectionService& service, Listener& listener) {
      return RunForget(session, service, listener, *options);
    };
    return options->list || options->dry_run ? WithService(session, ask) : WithServiceToChange(session, ask);
  });
}

}  // namespace crivello::cli
