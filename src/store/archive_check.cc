// SPDX-License-Identifier: Apache-2.0
#include "store/archive_check.h"

#include <fmt/format.h>

#include "base/mapped_file.h"
#include "store/archive_index.h"
#include "store/digest.h"
#include "store/warc_reader.h"
#include "web/canonical.h"

namespace crivello::store {
namespace {

// The digests that a record has must be those of its bytes.
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

}  // namespace

void StoreCheck::Note(std::string sentence) {
  problems++;
  if (sentences.size() < kMaxProblems) sentences.push_back(std::move(sentence));
}

Status CheckArchive(const std::string& directory, StoreCheck* check) {
  CRV_ASSIGN(const std::vector<ArchiveFile> files, ListArchive(directory));
  for (const ArchiveFile& file : files) {
    const std::string path = directory + "/" + file.name;
    check->files++;
    CRV_ASSIGN(const MappedFile mapped, MappedFile::Open(path, AccessPattern::kSequential));
    WarcReader reader(AsText(mapped.bytes()));
    uint64_t good = 0;  // damages before the last record
    while (const auto record = reader.Next()) {
      check->records++;
      good = reader.damages();
      if (!DigestsHold(*record)) {
        check->Note(
            fmt::format("{}: the record at {} has another digest than it says", path, record->offset));
      }
    }
    const uint64_t damages = file.has_index ? reader.damages() : good;
    for (const WarcDamage& damage : reader.damage()) {
      if (&damage - reader.damage().data() >= static_cast<std::ptrdiff_t>(damages)) break;
      check->Note(fmt::format("{}: at {}: {}", path, damage.offset, damage.what));
    }
    if (!file.has_index) continue;
    CRV_ASSIGN(const ArchiveScan scan, ScanArchiveFile(path, file.name));
    CRV_ASSIGN(const std::string index, ReadFile(directory + "/" + file.index_name));
    if (scan.lines != index) {
      check->Note(fmt::format("{}/{}: is not the index of its file", directory, file.index_name));
    }
  }
  return Status::Ok();
}

Status CheckRows(const Table& table, const ArchiveReader& reader, StoreCheck* check) {
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
    if (fetch->record.length == 0) continue;
    const auto record = reader.Read(fetch->record);
    if (!record.ok()) {
      check->Note(row + ": " + record.status().message());
      continue;
    }
    const auto url = web::CanonicalUrl((*record)->target_uri);
    const auto key = url.ok() ? web::RowKey(*url) : Result<std::string>(url.status());
    if (!key.ok() || *key != cursor.key()) {
      check->Note(fmt::format("{}: its record is one of {}", row, (*record)->target_uri));
    } else if ((*record)->fields.Find("WARC-Payload-Digest").value_or("") != Sha1Text(fetch->payload)) {
      check->Note(row + ": its record has another payload");
    }
  }
  return cursor.status();
}

}  // namespace crivello::store
