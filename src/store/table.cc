// SPDX-License-Identifier: Apache-2.0
#include "store/table.h"

#include <fmt/format.h>

#include "base/record.h"
#include "store/version_key.h"

namespace crivello::store {
namespace {

// 16 of the 20 bytes of SHA-1 distinguish any payloads of a crawl, and the row that is found has all 20.
constexpr size_t kPayloadKeyBytes = 16;

std::string_view PayloadKey(const Sha1& payload) {
  return {reinterpret_cast<const char*>(payload.data()), kPayloadKeyBytes};
}

}  // namespace

RowCursor::RowCursor(kv::Cursor cursor) : cursor_(std::move(cursor)) { Parse(); }

void RowCursor::Parse() {
  if (!cursor_.valid()) return;
  if (const auto parsed = ParseVersionKey(cursor_.key())) {
    key_ = parsed->row;
    time_ = parsed->time;
  } else {
    key_ = cursor_.key();
    time_ = 0;
    damage_ = Status::Corruption(
        fmt::format("corrupt table: found a key of {} bytes that is not a row key", cursor_.key().size()));
  }
}

void RowCursor::NextVersion() {
  cursor_.Next();
  Parse();
}

void RowCursor::NextRow() {
  cursor_.SeekTo(EndOfVersions(key_));
  Parse();
}

TableFamilies TableFamilies::AddTo(std::vector<kv::FamilyOptions>* families) {
  const auto add = [families](kv::FamilyOptions options) {
    families->push_back(std::move(options));
    return static_cast<kv::Family>(families->size() - 1);
  };
  return {.newest = add({.name = "newest"}),
          .fetch = add({.name = "fetch"}),
          .text = add({.name = "text", .blobs = true}),
          .link = add({.name = "link", .blobs = true}),
          .payload = add({.name = "payload"})};
}

Status Table::Put(std::string_view key, const RowVersion& version, kv::Batch* batch) const {
  if (key.find('\0') != std::string_view::npos)
    return Status::InvalidArgument("invalid row key: it contains a NUL");
  const std::string versioned = VersionKey(key, version.time);
  Touch(key, version.time, batch);
  batch->Put(families_.fetch, versioned, EncodeFetchCell(*version.fetch));
  if (!version.text.empty()) batch->Put(families_.text, versioned, version.text);
  if (!version.links.empty()) batch->Put(families_.link, versioned, version.links);
  Note(key, batch);
  return Status::Ok();
}

void Table::Replace(std::string_view key, const RowVersion& version, kv::Batch* batch) const {
  const std::string versioned = VersionKey(key, version.time);
  const auto replace = [&](kv::Family family, std::string_view cell) {
    if (cell.empty()) {
      batch->Delete(family, versioned);
    } else {
      batch->Put(family, versioned, cell);
    }
  };
  replace(families_.fetch, EncodeFetchCell(*version.fetch));
  replace(families_.text, version.text);
  replace(families_.link, version.links);
  Note(key, batch);
}

void Table::ReplaceFetch(std::string_view key, VersionTime time, const FetchCell& fetch,
                         kv::Batch* batch) const {
  batch->Put(families_.fetch, VersionKey(key, time), EncodeFetchCell(fetch));
}

void Table::Touch(std::string_view key, VersionTime time, kv::Batch* batch) const {
  std::string value;
  RecordWriter(&value).Signed(time);
  batch->Put(families_.newest, key, value);
}

Status Table::KeepTexts(std::string_view key, uint64_t versions, kv::Batch* batch) const {
  RowCursor cursor(database_.Scan(families_.fetch, VersionKey(key, INT64_MAX), EndOfVersions(key)));
  for (uint64_t newer = 0; cursor.valid(); cursor.NextVersion(), ++newer) {
    CRV_TRY(cursor.status());
    if (newer < versions) continue;
    const std::string versioned = VersionKey(key, cursor.time());
    batch->Delete(families_.text, versioned);
    batch->Delete(families_.link, versioned);
  }
  return cursor.status();
}

void Table::Delete(std::string_view key, kv::Batch* batch) const {
  batch->Delete(families_.newest, key);
  const std::string begin = VersionKey(key, INT64_MAX);
  const std::string end = EndOfVersions(key);
  for (const kv::Family family : {families_.fetch, families_.text, families_.link}) {
    batch->DeleteRange(family, begin, end);
  }
  Note(key, batch);
}

void Table::DeleteRange(const web::RowKeyRange& range, kv::Batch* batch) const {
  // A version's key starts with its row key and a byte that no row key has, so the bounds are the same.
  for (const kv::Family family : {families_.newest, families_.fetch, families_.text, families_.link}) {
    batch->DeleteRange(family, range.begin, range.end);
  }
}

Result<std::vector<Row>> Table::Get(std::string_view key, const ReadOptions& options) const {
  std::vector<Row> rows;
  RowCursor cursor(database_.Scan(families_.fetch, VersionKey(key, options.at), EndOfVersions(key)));
  for (; cursor.valid() && rows.size() < options.versions; cursor.NextVersion()) {
    CRV_TRY(cursor.status());
    Row row = {.key = std::string(key), .time = cursor.time(), .fetch = {}};
    CRV_ASSIGN(row.fetch, cursor.fetch());
    if (options.text) {
      CRV_ASSIGN(row.text, Text(key, row.time));
    }
    if (options.links) {
      CRV_ASSIGN(row.links, Links(key, row.time));
    }
    rows.push_back(std::move(row));
  }
  CRV_TRY(cursor.status());
  return rows;
}

Result<std::optional<VersionTime>> Table::Newest(std::string_view key) const {
  CRV_ASSIGN(const std::optional<std::string> value, database_.Get(families_.newest, key));
  if (!value) return std::optional<VersionTime>();
  RecordReader reader(*value);
  const VersionTime time = reader.Signed();
  if (!reader.finished()) return Status::Corruption("corrupt time in the table");
  return std::optional(time);
}

Result<std::optional<StoredText>> Table::Text(std::string_view key, VersionTime time) const {
  CRV_ASSIGN(std::optional<std::string> value, database_.Get(families_.text, VersionKey(key, time)));
  if (!value) return std::optional<StoredText>();
  CRV_ASSIGN(StoredText text, StoredText::Decode(std::move(*value)));
  return std::optional(std::move(text));
}

Result<std::optional<std::vector<OutLink>>> Table::Links(std::string_view key, VersionTime time) const {
  CRV_ASSIGN(const std::optional<std::string> value, database_.Get(families_.link, VersionKey(key, time)));
  if (!value) return std::optional<std::vector<OutLink>>();
  CRV_ASSIGN(std::vector<OutLink> links, DecodeLinkCell(*value));
  return std::optional(std::move(links));
}

RowCursor Table::Scan(const web::RowKeyRange& range) const {
  return RowCursor(database_.Scan(families_.fetch, range.begin, range.end));
}

void Table::PutPayload(const Sha1& payload, std::string_view key, VersionTime time, kv::Batch* batch) const {
  std::string value;
  RecordWriter(&value).Signed(time);
  value += key;
  batch->Put(families_.payload, PayloadKey(payload), value);
}

void Table::DeletePayload(const Sha1& payload, kv::Batch* batch) const {
  batch->Delete(families_.payload, PayloadKey(payload));
}

Result<std::optional<PayloadOrigin>> Table::FindPayload(const Sha1& payload) const {
  CRV_ASSIGN(const std::optional<std::string> value, database_.Get(families_.payload, PayloadKey(payload)));
  if (!value) return std::optional<PayloadOrigin>();
  RecordReader reader(*value);
  PayloadOrigin origin;
  origin.time = reader.Signed();
  origin.key = reader.Rest();
  if (!reader.ok() || origin.key.empty()) return Status::Corruption("corrupt payload origin in the table");
  return std::optional(std::move(origin));
}

}  // namespace crivello::store
