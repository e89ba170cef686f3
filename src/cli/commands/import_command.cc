// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/civil_time.h"
#include "base/line_reader.h"
#include "base/mapped_file.h"
#include "care/importer.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"
#include "cli/units.h"
#include "engine/collection_access.h"
#include "engine/open_collection.h"
#include "engine/stored_index.h"
#include "index/build/ciff.h"
#include "index/build/index_writer.h"
#include "index/tables/table_indexer.h"
#include "page/imported_document.h"
#include "page/trec_answer.h"
#include "page/trec_file.h"
#include "store/capture.h"
#include "store/trec.h"
#include "store/warc_reader.h"
#include "wire/connection.h"

namespace crivello::cli {
namespace {

// The maximum size of a document with all its text.  Parsing one takes several times its size in memory.
constexpr size_t kMaxLineBytes = size_t{16} << 20;
// The same if another process has the collection open; a request has other documents and names too.
constexpr size_t kMaxSentBytes = wire::kMaxRequestBytes / 2;

struct ImportFlags {
  std::vector<std::string> files;
  std::string format;  // empty: by the name of each file
  std::string ciff;    // import an index instead
};

enum class FileFormat { kLines, kArchive, kTrec };

// By name, if no format is given; files of TREC collections have arbitrary names, so check their contents.
Result<FileFormat> FormatOf(const std::string& file, const ImportFlags& options) {
  if (options.format == "warc") return FileFormat::kArchive;
  if (options.format == "trec") return FileFormat::kTrec;
  if (options.format == "jsonl" || file == "-") return FileFormat::kLines;
  const std::string name = std::filesystem::path(file).filename().string();
  if (name.find(".warc") != std::string::npos || name.find(".arc") != std::string::npos)
    return FileFormat::kArchive;
  if (name.find(".trec") != std::string::npos) return FileFormat::kTrec;
  if (name.find(".jsonl") != std::string::npos) return FileFormat::kLines;
  CRV_ASSIGN(const MappedFile mapped, MappedFile::Open(file, AccessPattern::kSequential));
  return page::LooksLikeTrec(AsText(mapped.bytes())) ? FileFormat::kTrec : FileFormat::kLines;
}

// Sends documents to the service of the collection, some megabytes at a time.
class Importing {
 public:
  // `limit`: the maximum size of a document.  The service and the listener must outlive it.
  Importing(wire::CollectionService& service, Listener& listener, size_t limit)
      : service_(service), listener_(listener), limit_(limit) {}

  Status AddLine(std::string origin, std::string_view json) {
    if (!Fits(origin, json.size())) return Status::Ok();
    // The links of a page must be in the same request.
    if (bytes_ >= kRequestBytes && !page::DocumentLineParser::IsLink(json)) CRV_TRY(Send());
    request_.lines.push_back({.origin = std::move(origin), .json = std::string(json)});
    bytes_ += json.size();
    return Status::Ok();
  }
  Status AddRecord(const store::WarcRecord& record) {
    if (record.type != store::WarcType::kResponse || store::IsForRobots(record)) {
      skipped_++;
      return Status::Ok();
    }
    if (!Fits(record.target_uri, record.block.size())) return Status::Ok();
    request_.records.push_back(
        {.url = std::string(record.target_uri),
         .date = std::string(record.date),
         .ip = std::string(record.ip),
         .block = std::string(record.block),
         .truncated = !record.whole || record.fields.Find("WARC-Truncated").has_value()});
    return Added(record.block.size());
  }
  // In the web format, as a response; in the text format, as a page of its own.
  Status AddTrec(const std::string& origin, const store::TrecDocument& document) {
    if (!document.has_header) {
      return AddLine(origin, Json{{"id", document.docno}, {"html", document.content}}.dump(
                                 -1, ' ', false, Json::error_handler_t::replace));
    }
    CRV_ASSIGN(page::TrecAnswer answer, page::AnswerOfTrec(document));
    if (!Fits(answer.url, answer.block.size())) return Status::Ok();
    if (answer.date.empty()) answer.date = FormatRfc3339(ToSeconds(SystemClock().Wall()));
    const size_t size = answer.block.size();
    request_.records.push_back({.url = std::move(answer.url),
                                .date = std::move(answer.date),
                                .ip = std::move(answer.ip),
                                .block = std::move(answer.block)});
    return Added(size);
  }
  void Refuse(std::string sentence) {
    summary_.refused++;
    if (summary_.sentences.size() < care::ImportSummary::kMaxSentences) {
      summary_.sentences.push_back(std::move(sentence));
    }
  }
  // What was added so far is durable after this.
  Status Send() {
    if (request_.lines.empty() && request_.records.empty()) return Status::Ok();
    CRV_ASSIGN(wire::ImportSummary some, service_.Ask(request_, listener_));
    request_ = {};
    bytes_ = 0;
    summary_.documents += some.documents;
    summary_.bytes += some.bytes;
    const uint64_t refused = summary_.refused + some.refused;
    for (std::string& sentence : some.sentences) Refuse(std::move(sentence));
    summary_.refused = refused;  // only the first ones have sentences
    return Status::Ok();
  }

  const wire::ImportSummary& summary() const { return summary_; }
  uint64_t skipped() const { return skipped_; }

 private:
  static constexpr size_t kRequestBytes = size_t{4} << 20;

  bool Fits(std::string_view name, size_t size) {
    if (size <= limit_) return true;
    Refuse(
        fmt::format("{}: {} is more than the process that has the collection open accepts ({}); stop that "
                    "process and import the document again",
                    name, FormatSize(size), FormatSize(limit_)));
    return false;
  }
  Status Added(size_t size) {
    bytes_ += size;
    return bytes_ >= kRequestBytes ? Send() : Status::Ok();
  }

  wire::CollectionService& service_;
  Listener& listener_;
  const size_t limit_;
  wire::ImportRequest request_;
  size_t bytes_ = 0;  // of the current request
  wire::ImportSummary summary_;
  uint64_t skipped_ = 0;  // records that are not responses, or not of pages
};

Status ImportArchive(const std::string& path, Importing& importing, Progress& progress) {
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(path, AccessPattern::kSequential));
  store::WarcReader reader(AsText(file.bytes()));
  while (const auto record = reader.Next()) {
    CRV_TRY(importing.AddRecord(*record));
    progress.Advance(1);
  }
  for (const store::WarcDamage& damage : reader.damage()) {
    importing.Refuse(fmt::format("{}, byte {}: {}", path, damage.offset, damage.what));
  }
  return Status::Ok();
}

Status ImportTrec(const std::string& path, Importing& importing, Progress& progress) {
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(path, AccessPattern::kSequential));
  CRV_ASSIGN(const page::TrecFile trec, page::TrecFile::Read(AsText(file.bytes())));
  store::TrecReader reader(trec.text());
  while (const auto document = reader.Next()) {
    const std::string origin = fmt::format("{}, byte {}", path, document->offset);
    if (!document->whole)
      importing.Refuse(origin + ": the document has no number or no end; it is imported as far as it goes");
    const Status added = importing.AddTrec(origin, *document);
    if (added.code() == StatusCode::kInvalidArgument) {
      importing.Refuse(added.WithContext(origin).message());
    } else {
      CRV_TRY(added);
    }
    progress.Advance(1);
  }
  return Status::Ok();
}

Status ImportLines(const std::string& path, Importing& importing, Progress& progress) {
  CRV_ASSIGN(LineReader lines, LineReader::Open(path, kMaxLineBytes));
  while (lines.Next()) {
    if (lines.line().empty()) continue;
    CRV_TRY(importing.AddLine(fmt::format("{}: line {}", path, lines.number()), lines.line()));
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

// Imports an index as is, without the pages that it was made from.
Result<int> ImportIndex(const Session& session, const std::string& path) {
  CRV_ASSIGN(const MappedFile file,
             MappedFile::Open(path, AccessPattern::kSequential));  // before the collection is created
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
    return Status::InvalidArgument("nothing to import: name a file (see 'crivello import --help')");
  // Before the collection is created.
  for (const std::string& file : options.files) CRV_TRY(CheckReadable(file));
  SessionListener listener(session);
  CRV_ASSIGN(
      engine::CollectionAccess access,
      engine::CollectionAccess::Open(session.collection, engine::CollectionAccess::Use::kImport, listener));
  const size_t limit = access.is_local() ? kMaxLineBytes : kMaxSentBytes;
  Importing importing(access.service(), listener, limit);
  const auto progress = MakeProgress(session);
  for (const std::string& file : options.files) {
    progress->Start("importing " + file, 0);
    CRV_ASSIGN(const FileFormat format, FormatOf(file, options));
    CRV_TRY(format == FileFormat::kArchive ? ImportArchive(file, importing, *progress)
            : format == FileFormat::kTrec  ? ImportTrec(file, importing, *progress)
                                           : ImportLines(file, importing, *progress));
    progress->Finish();
  }
  CRV_TRY(importing.Send());
  CRV_TRY(access.Close());

  const wire::ImportSummary& summary = importing.summary();
  if (session.json) {
    for (const std::string& sentence : summary.sentences) PrintJson(session, {{"problem", sentence}});
    PrintJson(session, {{"documents", summary.documents},
                        {"bytes", summary.bytes},
                        {"skipped", importing.skipped()},
                        {"refused", summary.refused}});
  } else {
    for (const std::string& sentence : summary.sentences) session.err->Print("{}\n", Printable(sentence));
    session.out->Print("{}, {} of text", Counted(summary.documents, "document", "documents"),
                       FormatSize(summary.bytes));
    if (importing.skipped() > 0)
      session.out->Print("; {}", Counted(importing.skipped(), "other record", "other records"));
    if (summary.refused > 0) session.out->Print("; {} refused", Grouped(summary.refused));
    session.out->Print("\n");
  }
  // Refused documents were reported; a chain of commands can continue with the imported ones.
  return summary.refused == 0 || summary.documents > 0 ? kDone : kNothingFound;
}

}  // namespace

void AddImportCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("import", "Import documents that were not crawled");
  auto options = std::make_shared<ImportFlags>();
  command->add_option("FILE", options->files,
                      "JSONL (-: standard input), WARC, ARC or TREC files, the last three compressed or not");
  command
      ->add_option("--ciff", options->ciff,
                   "Import an index in the Common Index File Format instead of documents")
      ->type_name("INDEX");
  command
      ->add_option("--format", options->format,
                   "Format of the files (default: detected from their names, TREC from their contents)")
      ->check(CLI::IsMember({"jsonl", "warc", "trec"}));
  command->footer(
      "A line of JSONL is an object {\"id\", \"url\", \"title\", \"text\" or \"html\", \"date\", "
      "\"language\"}; only the text is\n"
      "required. Invalid lines are reported and skipped; the exit code is 1 if nothing could be imported.\n"
      "Lines that 'crivello export --jsonl --links' wrote are read back with their links.\n"
      "Captures in archives become versions of their pages. If another process has the collection open, "
      "that\n"
      "process imports the documents.\n"
      "\n"
      "Examples:\n"
      "  crivello import documents.jsonl\n"
      "  crivello import crawl-*.warc.gz\n"
      "  crivello import WTX001/B01.gz\n"
      "  zcat documents.jsonl.gz | crivello import -");
  Runs(*command, session, [&session, options] { return RunImport(session, *options); });
}

}  // namespace crivello::cli
