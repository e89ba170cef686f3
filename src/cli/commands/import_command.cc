// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/line_reader.h"
#include "base/mapped_file.h"
#include "care/importer.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"
#include "cli/units.h"
#include "engine/open_collection.h"
#include "engine/stored_index.h"
#include "index/build/ciff.h"
#include "index/build/index_writer.h"
#include "index/tables/table_indexer.h"
#include "store/warc_reader.h"

namespace crivello::cli {
namespace {

// A document with all its text.
constexpr size_t kMaxLineBytes = size_t{1} << 30;

struct ImportFlags {
  std::vector<std::string> files;
  std::string format;  // empty: by the name of each file
  std::string ciff;    // an index instead
};

bool IsArchive(const std::string& file, const ImportFlags& options) {
  if (!options.format.empty()) return options.format == "warc";
  const std::string name = std::filesystem::path(file).filename().string();
  return name.find(".warc") != std::string::npos || name.find(".arc") != std::string::npos;
}

Status ImportArchive(const std::string& path, care::Importer& importer, Progress& progress) {
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(path, AccessPattern::kSequential));
  store::WarcReader reader(AsText(file.bytes()));
  while (const auto record = reader.Next()) {
    CRV_TRY(importer.Add(*record));
    progress.Advance(1);
  }
  for (const store::WarcDamage& damage : reader.damage()) {
    importer.Refuse(fmt::format("{}, byte {}: {}", path, damage.offset, damage.what));
  }
  return Status::Ok();
}

Status ImportLines(const std::string& path, care::Importer& importer, Progress& progress) {
  CRV_ASSIGN(LineReader lines, LineReader::Open(path, kMaxLineBytes));
  page::DocumentLineParser parser;
  page::ImportedDocument document;
  while (lines.Next()) {
    if (lines.line().empty()) continue;
    const Status status = parser.Parse(lines.line(), &document);
    if (status.ok()) {
      CRV_TRY(importer.Add(document));
    } else {
      importer.Refuse(lines.AtLine(status).message());
    }
    progress.Advance(1);
  }
  return lines.status();
}

Status CheckReadable(const std::string& path) {
  if (path == "-") return Status::Ok();
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return Status::InvalidArgument(path + " is a folder; name the files in it");
  if (access(path.c_str(), R_OK) != 0) return Status::FromErrno("read", path, errno);
  return Status::Ok();
}

// An index as it is, without the pages that it was made of.
Result<int> ImportIndex(const Session& session, const std::string& path) {
  CRV_ASSIGN(const MappedFile file,
             MappedFile::Open(path, AccessPattern::kSequential));  // before a collection is made
  SessionListener listener(session);
  CRV_ASSIGN(const std::unique_ptr<collection::Collection> store,
             engine::OpenToImport(session.collection, listener));
  const index::CiffImport options;
  CRV_ASSIGN(
      const std::unique_ptr<index::IndexWriter> writer,
      index::IndexWriter::Open({.directory = engine::IndexedTablets(*store)[0].index,
                                .settings = index::IndexSettings{.analyser = options.analyser,
                                                                 .contents = index::PostingContents::kCounts,
                                                                 .fields = options.field},
                                .live = false}));
  index::CiffSummary summary;
  CRV_TRY(writer->AddSegment([&](index::SegmentSink& sink) -> Status {
    CRV_ASSIGN(summary, index::ImportCiff(file.bytes(), options, sink));
    return Status::Ok();
  }));
  CRV_TRY(writer->Commit(writer->sequence()));
  if (session.json) {
    PrintJson(session,
              {{"documents", summary.documents}, {"lists", summary.lists}, {"postings", summary.postings}});
  } else {
    session.out->Print("{}, {}, {}\n", Counted(summary.documents, "document", "documents"),
                       Counted(summary.lists, "list", "lists"),
                       Counted(summary.postings, "posting", "postings"));
  }
  return kDone;
}

Result<int> RunImport(const Session& session, const ImportFlags& options) {
  if (!options.ciff.empty()) return ImportIndex(session, options.ciff);
  if (options.files.empty())
    return Status::InvalidArgument("import what?  'crivello import --help' tells how");
  // Before a collection is made.
  for (const std::string& file : options.files) CRV_TRY(CheckReadable(file));
  SessionListener listener(session);
  CRV_ASSIGN(const std::unique_ptr<collection::Collection> store,
             engine::OpenToImport(session.collection, listener));
  care::Importer importer(*store, {});
  const auto progress = MakeProgress(session);
  for (const std::string& file : options.files) {
    progress->Start("importing " + file, 0);
    CRV_TRY(IsArchive(file, options) ? ImportArchive(file, importer, *progress)
                                     : ImportLines(file, importer, *progress));
    progress->Finish();
  }
  CRV_TRY(importer.Finish());
  CRV_TRY(store->Close());

  const care::ImportSummary& summary = importer.summary();
  if (session.json) {
    for (const std::string& sentence : summary.sentences) PrintJson(session, {{"problem", sentence}});
    PrintJson(session, {{"documents", summary.documents},
                        {"bytes", summary.bytes},
                        {"skipped", summary.skipped},
                        {"refused", summary.refused}});
  } else {
    for (const std::string& sentence : summary.sentences) session.err->Print("{}\n", Printable(sentence));
    session.out->Print("{}, {} of text", Counted(summary.documents, "document", "documents"),
                       FormatSize(summary.bytes));
    if (summary.skipped > 0)
      session.out->Print("; {}", Counted(summary.skipped, "other record", "other records"));
    if (summary.refused > 0) session.out->Print("; {} refused", Grouped(summary.refused));
    session.out->Print("\n");
  }
  // What was refused was named; a chain of commands goes on with what was imported.
  return summary.refused == 0 || summary.documents > 0 ? kDone : kNothingFound;
}

}  // namespace

void AddImportCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("import", "Bring documents that were not crawled into the collection");
  auto options = std::make_shared<ImportFlags>();
  command->add_option("FILE", options->files, "JSONL (- is standard input), WARC or ARC, compressed or not");
  command
      ->add_option("--ciff", options->ciff,
                   "An index in the Common Index File Format, to be searched as it is")
      ->type_name("INDEX");
  command->add_option("--format", options->format, "What the files are, if their names do not tell")
      ->check(CLI::IsMember({"jsonl", "warc"}));
  command->footer(
      "A line of JSONL is an object {\"id\", \"url\", \"title\", \"text\" or \"html\", \"date\", "
      "\"language\"}; all but the text may be\nmissing.  Lines that are not valid are reported and skipped; "
      "the exit "
      "code is 1 if nothing could be imported.\nCaptures of archives become versions of their pages.\n"
      "\n"
      "Examples:\n"
      "  crivello import documents.jsonl\n"
      "  crivello import crawl-*.warc.gz\n"
      "  zcat documents.jsonl.gz | crivello import -");
  Runs(*command, session, [&session, options] { return RunImport(session, *options); });
}

}  // namespace crivello::cli
