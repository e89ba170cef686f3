// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "kv/database.h"
#include "store/cells.h"
#include "store/change_log.h"
#include "web/url/row_key.h"

namespace crivello::store {

// The rows of a tablet: what is known about each page, by row key (web/url/row_key.h). Each column family has
// its own versions, newest first. A layer over the tablet's kv::Database that knows keys and cells and has no
// state of its own; docs/formats/table.md has the bytes.
//
// Changes go into a kv::Batch that the caller writes, together with whatever must commit with the page (its
// dequeue, lines of the ledger): a row changes completely or not at all. Nobody sees what is in a batch until
// it is written.
//
// Thread-safe, but a Batch or RowCursor belongs to one thread.

// When a version was fetched: microseconds since 1970. Distinguishes the captures of a page.
using VersionTime = int64_t;

// A version to be written by Put(): views, used during the call.
struct RowVersion {
  VersionTime time = 0;
  const FetchCell* fetch = nullptr;
  std::string_view text = {};   // EncodeTextCell; empty: no cell
  std::string_view links = {};  // LinkCellBuilder; empty: no cell
};

// A version that was read. Cells that were not requested or do not exist are empty.
struct Row {
  std::string key;
  VersionTime time = 0;
  FetchCell fetch;
  std::optional<StoredText> text = {};
  std::optional<std::vector<OutLink>> links = {};
};

struct ReadOptions {
  VersionTime at = INT64_MAX;  // return the newest version not later than this
  uint64_t versions = 1;       // how many to return, newest first
  bool text = false;
  bool links = false;
};

// The row and version under which a payload was first archived in full.
struct PayloadOrigin {
  std::string key;
  VersionTime time = 0;
  friend bool operator==(const PayloadOrigin&, const PayloadOrigin&) = default;
};

// Walks versions in order of row key, newest first within a row, as of the time the cursor was made. For one
// thread; the table must outlive it.
class RowCursor {
 public:
  bool valid() const { return cursor_.valid(); }
  std::string_view key() const { return key_; }  // valid until the next move
  VersionTime time() const { return time_; }
  Result<FetchCell> fetch() const { return DecodeFetchCell(cursor_.value()); }

  void NextVersion();  // moves to the next version of the same row, or to the next row
  void NextRow();
  // Whether the walk reached the end, or stopped at something that is not a valid row.
  Status status() const { return damage_.ok() ? cursor_.status() : damage_; }

 private:
  friend class Table;
  explicit RowCursor(kv::Cursor cursor);
  void Parse();

  kv::Cursor cursor_;
  std::string_view key_;
  VersionTime time_ = 0;
  Status damage_;
};

// Which families of the database hold the table's cells.
struct TableFamilies {
  kv::Family newest = 0;   // row key -> when the row was last put or touched
  kv::Family fetch = 0;    // version -> FetchCell
  kv::Family text = 0;     // version -> TextCell
  kv::Family link = 0;     // version -> LinkCellBuilder's bytes
  kv::Family payload = 0;  // digest -> row key and time

  // Appends these families to the list that a database is opened with.
  static TableFamilies AddTo(std::vector<kv::FamilyOptions>* families);
};

class Table {
 public:
  // The database must outlive the table; so must the log, if any, which records every change.
  Table(kv::Database& database, const TableFamilies& families, ChangeLog* changes = nullptr)
      : database_(database), families_(families), changes_(changes) {}

  // Adds a version. Reads nothing: Newest() returns the version put last, so versions must be put in the
  // order of their times. InvalidArgument if the key contains a NUL, which no row key does.
  Status Put(std::string_view key, const RowVersion& version, kv::Batch* batch) const;
  // Replaces the cells of an existing version, because what is derived from it has changed.
  void Replace(std::string_view key, const RowVersion& version, kv::Batch* batch) const;
  // The same for the fetch cell alone, which says where the version is archived; not noted in the log.
  void ReplaceFetch(std::string_view key, VersionTime time, const FetchCell& fetch, kv::Batch* batch) const;
  // Records that the newest version was still current at that time; Newest() then returns that time.
  void Touch(std::string_view key, VersionTime time, kv::Batch* batch) const;
  // Deletes texts and links of all versions in the database except the newest `versions`. Keeps the fetch
  // cells, which say where each version is archived: other rows may share a body archived there. Reads the
  // row's versions.
  Status KeepTexts(std::string_view key, uint64_t versions, kv::Batch* batch) const;
  // Removes a row and all its versions.
  void Delete(std::string_view key, kv::Batch* batch) const;

  // Removes all rows of a range, whose end must be bounded. Does not note the changes: call NoteChange() for
  // each row if somebody follows the table.
  void DeleteRange(const web::RowKeyRange& range, kv::Batch* batch) const;
  // Makes followers of the table read the row again.
  void NoteChange(std::string_view key, kv::Batch* batch) const { Note(key, batch); }

  // Versions, newest first; none if there is no such row.
  Result<std::vector<Row>> Get(std::string_view key, const ReadOptions& options = {}) const;
  // When the row was last put or touched, nullopt if never. One lookup, mostly answered by a filter, because
  // the crawler calls it for every URL that it is about to fetch.
  Result<std::optional<VersionTime>> Newest(std::string_view key) const;
  Result<std::optional<StoredText>> Text(std::string_view key, VersionTime time) const;
  Result<std::optional<std::vector<OutLink>>> Links(std::string_view key, VersionTime time) const;
  RowCursor Scan(const web::RowKeyRange& range = {}) const;

  // Which capture holds a payload, so that the same bytes are archived only once. PutPayload() is only for
  // captures that are archived in full; the last put of a payload wins.
  void PutPayload(const Sha1& payload, std::string_view key, VersionTime time, kv::Batch* batch) const;
  Result<std::optional<PayloadOrigin>> FindPayload(const Sha1& payload) const;
  void DeletePayload(const Sha1& payload, kv::Batch* batch) const;

  const TableFamilies& families() const { return families_; }

 private:
  void Note(std::string_view key, kv::Batch* batch) const {
    if (changes_ != nullptr) changes_->Note(key, batch);
  }

  kv::Database& database_;
  const TableFamilies families_;
  ChangeLog* const changes_;
};

}  // namespace crivello::store
