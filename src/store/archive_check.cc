// SPDX-License-Identifier: Apache-2.0
#include "store/archive_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/digest.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "store/archive_index.h"
#include "store/warc_reader.h"
#include "web/url/canonical.h"

namespace crivello::store {
namespace {

// How often a long scan reports progress.
constexpr uint64_t kProgressBytes = 1 << 20;
constexpr uint64_t kProgressRows = 1000;

// Whether the digests that the record declares match its bytes.
bool DigestsHold(const WarcRecord& record) {
  bool known = false;
  if (const auto digest = record.fields.Find("WARC-Block-Digest")) {
    if (!DigestMatches(*digest, record.block, &known) && known) return false;
  }
  const auto digest = record.fields.Find("WARC-Payload-Digest");
  if (!digest || record.type != WarcType::kResponse) return true;
  const bool http = record.block.starts_with("HTTP/");
  const std::string_view payload = http ? web::ParseHttpResponse(record.block).body : record.block;
  return DigestMatches(*digest, payload, &known) || !known;
}

// A summary of lines in any order: their total length and the sum of their signatures.
struct LineSum {
  uint64_t bytes = 0;
  uint64_t signatures = 0;

  void Add(std::string_view line) {
    bytes += line.size();
    signatures += Hash64(line);
  }
  friend bool operator==(const LineSum&, const LineSum&) = default;
};

// Whether the index has the lines that its file yields, in order. Keeps none of the lines in memory.
Result<bool> IsIndexOf(const std::string& index_path, const std::string& path, const std::string& name) {
  LineSum wanted, found;
  CRV_TRY(ScanArchiveFile(path, name, [&](const CdxjEntry& entry) { wanted.Add(FormatCdxj(entry) + "\n"); }));
  CRV_ASSIGN(const MappedFile index, MappedFile::Open(index_path, AccessPattern::kSequential));
  std::string_view last;
  for (std::string_view rest = AsText(index.bytes()); !rest.empty();) {
    const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
    if (line < last) return false;
    found.Add(line);
    last = line;
    rest.remove_prefix(line.size());
  }
  return found == wanted;
}

}  // namespace

void StoreCheck::Note(std::string sentence) {
  problems++;
  if (sentences.size() < kMaxProblems) sentences.push_back(std::move(sentence));
}

Status CheckArchive(const std::string& directory, StoreCheck* check, Progress& progress) {
  CRV_ASSIGN(const std::vector<ArchiveFile> files, ListArchive(directory));
  uint64_t total = 0;
  std::error_code error;
  for (const ArchiveFile& file : files)
    total += std::filesystem::file_size(directory + "/" + file.name, error);
  progress.Start("reading the archive", error ? 0 : total);
  for (const ArchiveFile& file : files) {
    const std::string path = directory + "/" + file.name;
    check->files++;
    CRV_ASSIGN(const MappedFile mapped, MappedFile::Open(path, AccessPattern::kSequential));
    WarcReader reader(AsText(mapped.bytes()));
    uint64_t good = 0;  // damages before the last record
    uint64_t told = 0;  // bytes reported to `progress`
    while (const auto record = reader.Next()) {
      check->records++;
      good = reader.damages();
      if (record->offset - told >= kProgressBytes) {
        progress.Advance(record->offset - told);
        told = record->offset;
      }
      if (!DigestsHold(*record)) {
        check->Note(fmt::format("{}: digest mismatch in the record at offset {}", path, record->offset));
      }
    }
    const uint64_t damages = file.has_index ? reader.damages() : good;
    for (const WarcDamage& damage : reader.damage()) {
      if (&damage - reader.damage().data() >= static_cast<std::ptrdiff_t>(damages)) break;
      check->Note(fmt::format("{}: at {}: {}", path, damage.offset, damage.what));
    }
    progress.Advance(mapped.bytes().size() - told);
    if (!file.has_index) continue;
    CRV_ASSIGN(const bool is_index, IsIndexOf(directory + "/" + file.index_name, path, file.name));
    if (!is_index) {
      check->Note(fmt::format("{}/{}: does not match its archive file", directory, file.index_name));
    }
  }
  progress.Finish();
  return Status::Ok();
}

Status CheckRows(const Table& table, const ArchiveReader& reader, StoreCheck* check, Progress& progress) {
  progress.Start("reading rows", 0);
  std::string last;  // the last row
  RowCursor cursor = table.Scan();
  for (; cursor.valid(); cursor.NextVersion()) {
    CRV_TRY(cursor.status());
    check->rows++;
    const std::string row = fmt::format("the row {} of {}", cursor.key(), cursor.time());
    const auto fetch = cursor.fetch();
    if (!fetch.ok()) {
      check->Note(row + ": " + fetch.status().message());
      continue;
    }
    if (last != cursor.key()) {
      last = cursor.key();
      const auto newest = table.Newest(last);
      // A version may have been added since the scan began, but none may have been removed.
      if (!newest.ok() || !*newest || **newest < cursor.time()) {
        check->Note(row + ": it is not recorded as the newest version of its page");
      }
    }
    for (const Status& cell :
         {table.Text(last, cursor.time()).status(), table.Links(last, cursor.time()).status()}) {
      if (!cell.ok()) check->Note(row + ": " + cell.message());
    }
    if (check->rows % kProgressRows == 0) progress.Advance(kProgressRows);
    if (fetch->record.length == 0) continue;
    const auto record = reader.Read(fetch->record);
    if (!record.ok()) {
      check->Note(row + ": " + record.status().message());
      continue;
    }
    const auto url = web::CanonicalUrl((*record)->target_uri);
    const auto key = url.ok() ? web::RowKey(*url) : Result<std::string>(url.status());
    if (!key.ok() || *key != cursor.key()) {
      check->Note(fmt::format("{}: its archive record belongs to {}", row, (*record)->target_uri));
    } else if ((*record)->fields.Find("WARC-Payload-Digest").value_or("") != Sha1Text(fetch->payload)) {
      check->Note(row + ": its archive record has a different payload");
    }
  }
  progress.Finish();
  return cursor.status();
}

}  // namespace crivello::store
