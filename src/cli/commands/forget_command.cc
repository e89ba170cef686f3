// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/civil_time.h"
#include "care/forget.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"
#include "cli/units.h"
#include "engine/engine.h"
#include "engine/forget_everywhere.h"
#include "engine/stored_index.h"

namespace crivello::cli {
namespace {

struct ForgetFlags {
  std::vector<std::string> targets;
  std::string reason;
  bool dry_run = false;
  bool list = false;
  bool finish = false;
};

Result<int> ListForgotten(const Session& session, const collection::Collection& store) {
  const auto forgotten = store.forgotten().current();
  for (const collection::ForgottenEntry& entry : forgotten->entries()) {
    if (session.json) {
      Json line = {{"target", entry.target.ToString()},
                   {"reason", entry.reason},
                   {"begun", FormatRfc3339(entry.begun)}};
      if (entry.done != 0) {
        line["done"] = FormatRfc3339(entry.done);
        line["pages"] = entry.rows;
        line["records"] = entry.records;
      }
      PrintJson(session, line);
    } else {
      fmt::print(session.out, "{}  {}  {}\n",
                 entry.done == 0 ? "cut off             " : FormatRfc3339(entry.done),
                 Printable(entry.target.ToString()), Printable(entry.reason));
    }
  }
  return forgotten->empty() ? kNothingFound : kDone;
}

Result<int> Preview(const Session& session, collection::Collection& store,
                    std::span<const collection::ForgetTarget> targets) {
  CRV_ASSIGN(const care::ForgetPreview preview, care::PreviewForget(store, targets));
  if (session.json) {
    PrintJson(session, {{"pages", preview.rows},
                        {"versions", preview.versions},
                        {"bytes", preview.bytes},
                        {"examples", preview.examples}});
  } else {
    for (const std::string& url : preview.examples) fmt::print(session.out, "{}\n", Printable(url));
    if (preview.rows > preview.examples.size()) {
      fmt::print(session.out, "and {} more\n", Grouped(preview.rows - preview.examples.size()));
    }
    fmt::print(session.out, "{} pages in {} versions, {}, would be forgotten\n", Grouped(preview.rows),
               Grouped(preview.versions), FormatSize(preview.bytes));
  }
  return kDone;
}

void PrintForgotten(const Session& session, const care::ForgetSummary& summary) {
  if (session.json) {
    PrintJson(session,
              {{"pages", summary.rows}, {"records", summary.records}, {"copies_kept", summary.copies}});
    return;
  }
  fmt::print(session.out, "{} pages forgotten, {} records of the archive blank", Grouped(summary.rows),
             Grouped(summary.records));
  if (summary.copies > 0) {
    fmt::print(session.out, "; {} bodies that other pages share stay with these", Grouped(summary.copies));
  }
  fmt::print(session.out, "\n");
}

Result<int> RunForget(const Session& session, collection::Collection& store, const ForgetFlags& options) {
  if (options.list) return ListForgotten(session, store);
  std::vector<collection::ForgetTarget> targets;
  for (const std::string& text : options.targets) {
    CRV_ASSIGN(collection::ForgetTarget target, collection::ForgetTarget::Parse(text));
    targets.push_back(std::move(target));
  }
  if (options.dry_run) return Preview(session, store, targets);
  const auto progress = MakeProgress(session);
  engine::StoredIndex stored;
  care::IndexKeeper* const index = session.owner != nullptr ? &session.owner->index() : &stored;
  if (options.finish) {
    CRV_ASSIGN(const auto summary, engine::FinishForgettingEverywhere(store, index, *progress));
    if (summary) PrintForgotten(session, *summary);
    return summary ? kDone : kNothingFound;
  }
  CRV_ASSIGN(const care::ForgetSummary summary,
             engine::ForgetEverywhere(store, targets, options.reason, index, *progress));
  PrintForgotten(session, summary);
  return kDone;
}

}  // namespace

void AddForgetCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("forget", "Remove pages from every file of the collection, and keep them out");
  auto options = std::make_shared<ForgetFlags>();
  CLI::Option* targets = command->add_option("TARGET", options->targets,
                                             "A URL, a host, *.domain, or a URL that ends with * (a prefix)");
  CLI::Option* reason = command->add_option("--reason", options->reason, "Why: kept, and told by 'why'");
  CLI::Option* dry = command->add_flag("--dry-run", options->dry_run, "Only tell what would go");
  CLI::Option* list = command->add_flag("--list", options->list, "Tell what is forgotten, and why");
  CLI::Option* finish = command->add_flag("--finish", options->finish, "End what a crash has cut off");
  list->excludes(targets)->excludes(reason)->excludes(dry)->excludes(finish);
  finish->excludes(targets)->excludes(reason)->excludes(dry);
  command->footer(
      "Rows, text, suggestions, cached copy and index entry go, and the records of the archive become "
      "blank;\n"
      "no crawl or import brings them back.  docs/care.md tells what stays.  Several targets at once take "
      "as\n"
      "long as one.  If another process has the collection open, that one does it.\n"
      "\n"
      "Examples:\n"
      "  crivello forget https://example.org/private.html --reason 'asked for by its author'\n"
      "  crivello forget 'https://example.org/people/*' old.example.org --reason 'letter of 3 May' "
      "--dry-run\n"
      "  crivello forget --list");
  Runs(*command, session, [&session, options]() -> Result<int> {
    if (!options->list && !options->finish) {
      if (options->targets.empty()) {
        return Status::InvalidArgument("forget what?  'crivello forget --help' tells how");
      }
      if (options->reason.empty() && !options->dry_run) {
        return Status::InvalidArgument("--reason is missing: it is what 'why' and --list will tell");
      }
    }
    return OnCollection(session,
                        [&](collection::Collection& store) { return RunForget(session, store, *options); });
  });
}

}  // namespace crivello::cli
