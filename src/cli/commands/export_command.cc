// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/atomic_file.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/version.h"
#include "index/build/ciff.h"

namespace crivello::cli {
namespace {

struct ExportFlags {
  std::string ciff;
  std::string field = "body";
};

Result<int> RunExport(const Session& session, const ExportFlags& options) {
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

}  // namespace

void AddExportCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("export", "Export the index to an interchange format");
  auto options = std::make_shared<ExportFlags>();
  command
      ->add_option("--ciff", options->ciff,
                   "Write this file in the Common Index File Format (Lucene, PISA, Terrier, JASS)")
      ->type_name("FILE")
      ->required();
  command->add_option("--field", options->field, "Field to export")->capture_default_str();
  command->footer(
      "Examples:\n"
      "  crivello export --ciff collection.ciff\n"
      "  crivello export --ciff titles.ciff --field title");
  Runs(*command, session, [&session, options] { return RunExport(session, *options); });
}

}  // namespace crivello::cli
