// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "base/digest.h"
#include "base/mapped_file.h"
#include "cli/app.h"
#include "cli/json.h"
#include "cli/output.h"
#include "store/cdxj.h"
#include "store/warc_reader.h"

namespace crivello::cli {
namespace {

struct WarcFlags {
  std::string file;
  uint64_t offset = 0;
  bool cdxj = false;
};

Status NoArchive(const std::string& file) {
  return Status::Corruption(file + ": has no WARC or ARC record; it is not a web archive");
}

Result<int> ListRecords(const Session& session, const WarcFlags& options) {
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(options.file, AccessPattern::kSequential));
  store::WarcReader reader(AsText(file.bytes()));
  const std::string name = std::filesystem::path(options.file).filename().string();
  uint64_t records = 0;
  while (const auto record = reader.Next()) {
    if (!session.out->ok()) break;
    records++;
    if (options.cdxj) {
      if (const auto entry = store::MakeCdxjEntry(*record, name)) {
        session.out->Print("{}\n", store::FormatCdxj(*entry));
      }
    } else if (session.json) {
      PrintJson(session, {{"offset", record->offset},
                          {"stored_bytes", record->stored_bytes},
                          {"type", record->type_name},
                          {"url", record->target_uri},
                          {"date", record->date},
                          {"block_bytes", record->block.size()},
                          {"whole", record->whole}});
    } else {
      session.out->Print("{:>12} {:<10} {:>10} {} {}\n", record->offset, Printable(record->type_name),
                         record->block.size(), Printable(record->date), Printable(record->target_uri));
    }
  }
  if (records == 0 && !file.bytes().empty()) return NoArchive(options.file);
  return records > 0 ? kDone : kNothingFound;
}

// The raw block, byte for byte: for another program, or a file.
Result<int> Cat(const Session& session, const WarcFlags& options) {
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(options.file));
  store::WarcReader reader(AsText(file.bytes()));
  reader.SeekTo(options.offset);
  const auto record = reader.Next();
  if (!record && options.offset == 0 && !file.bytes().empty()) return NoArchive(options.file);
  if (!record) return kNothingFound;
  if (record->offset != options.offset) {
    return Status::InvalidArgument(fmt::format("{}: no record starts at {}; the next is at {}", options.file,
                                               options.offset, record->offset));
  }
  session.out->Write(record->block);
  return kDone;
}

Result<int> CheckWarc(const Session& session, const WarcFlags& options) {
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(options.file, AccessPattern::kSequential));
  store::WarcReader reader(AsText(file.bytes()));
  uint64_t records = 0, digests = 0, bad = 0;
  while (const auto record = reader.Next()) {
    records++;
    const auto digest = record->fields.Find("WARC-Block-Digest");
    if (!digest) continue;
    bool known = false;
    const bool matches = DigestMatches(*digest, record->block, &known);
    digests += known;
    if (!known || matches) continue;
    bad++;
    if (!session.json) session.out->Print("{}: block digest does not match\n", record->offset);
  }
  if (records == 0 && !file.bytes().empty()) return NoArchive(options.file);
  for (const auto& damage : reader.damage()) {
    if (!session.json) session.out->Print("{}: {}\n", damage.offset, Printable(damage.what));
  }
  if (session.json) {
    Json damages = Json::array();
    for (const auto& damage : reader.damage())
      damages.push_back({{"offset", damage.offset}, {"what", damage.what}});
    PrintJson(session, {{"file", options.file},
                        {"records", records},
                        {"digests", digests},
                        {"bad_digests", bad},
                        {"damage", damages}});
  } else {
    session.out->Print("{} records, {} digests checked, {} of them wrong, {} damaged places\n", records,
                       digests, bad, reader.damages());
  }
  return bad == 0 && reader.damages() == 0 ? kDone : kNothingFound;
}

CLI::App* AddVerb(CLI::App& warc, const std::string& name, const std::string& about, WarcFlags& options) {
  CLI::App* command = warc.add_subcommand(name, about);
  command->add_option("FILE", options.file, "WARC or ARC file: plain, gzip or zstd")->required();
  command->footer("Examples:\n  crivello warc " + name + " pages.warc.gz" +
                  (name == "cat" ? " --offset 1234" : ""));
  return command;
}

}  // namespace

void AddWarcCommand(CLI::App& app, Session& session) {
  CLI::App* warc = app.add_subcommand("warc", "Read web archives (WARC, ARC)");
  warc->require_subcommand(1);
  auto options = std::make_shared<WarcFlags>();
  CLI::App* ls = AddVerb(*warc, "ls", "List the records: offset, type, size, date, URL", *options);
  ls->add_flag("--cdxj", options->cdxj, "Print CDXJ index lines instead");
  Runs(*ls, session, [&session, options] { return ListRecords(session, *options); });
  CLI::App* cat = AddVerb(*warc, "cat", "Print the block of a record, as it is", *options);
  cat->add_option("--offset", options->offset, "Offset of the record, as printed by 'warc ls'")
      ->check(Natural())
      ->capture_default_str();
  Runs(*cat, session, [&session, options] { return Cat(session, *options); });
  CLI::App* check = AddVerb(*warc, "check", "Read every record and verify its digest", *options);
  Runs(*check, session, [&session, options] { return CheckWarc(session, *options); });
}

}  // namespace crivello::cli
