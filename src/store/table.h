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

// The rows of a tablet: what is known of each page, by row key (web/url/row_key.h), each column family with
// its versions, newest first.  A layer over the tablet's kv::Database that knows keys and cells and no state
// of its own; docs/formats/table.md has the bytes.
//
// Changes go into a kv::Batch that the caller writes, together with whatever must commit with the page (its
// dequeue, lines of the ledger): a row changes whole or not at all.  What is in a batch is seen by nobody
// until it is written.
//
// Thread-safe (a Batch or RowCursor is of one thread).

// When a version was fetched: microseconds since 1970.  Two captures of a page differ in it.
using VersionTime = int64_t;

// A version as Put() takes it: views, used during the call.
struct RowVersion {
  VersionTime time = 0;
  const FetchCell* fetch = nullptr;
  std::string_view text = {};   // EncodeTextCell; empty: no cell
  std::string_view links = {};  // LinkCellBuilder; empty: no cell
};

// A version as it is read.  Cells that were not asked for, or are not there, are empty.
struct Row {
  std::string key;
  VersionTime time = 0;
  FetchCell fetch;
  std::optional<StoredText> text = {};
  std::optional<std::vector<OutLink>> links = {};
};

struct ReadOptions {
  VersionTime at = INT64_MAX;  // the newest version that is not later
  uint64_t versions = 1;       // how many, newest first
  bool text = false;
  bool links = false;
};

// Where a payload was first archived whole.
struct PayloadOrigin {
  std::string key;
  VersionTime time = 0;
  friend bool operator==(const PayloadOrigin&, const PayloadOrigin&) = default;
};

// Walks versions in order of row key, newest first within a row, as of the time it was made.  Of one thread;
// the table must outlive it.
class RowCursor {
 public:
  bool valid() const { return cursor_.valid(); }
  std::string_view key() const { return key_; }  // until the next move
  VersionTime time() const { return time_; }
  Result<FetchCell> fetch() const { return DecodeFetchCell(cursor_.value()); }

  void NextVersion();  // of the same row, or the next row
  void NextRow();
  // Whether the walk came to the end, or to something that is no row.
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

// Where the table's cells are among the families of the database.
struct TableFamilies {
  kv::Family newest = 0;   // row key -> when the row was put or touched last
  kv::Family fetch = 0;    // version -> FetchCell
  kv::Family text = 0;     // version -> TextCell
  kv::Family link = 0;     // version -> LinkCellBuilder's bytes
  kv::Family payload = 0;  // digest -> row key and time

  // Appends them to those that a database is opened with.
  static TableFamilies AddTo(std::vector<kv::FamilyOptions>* families);
};

class Table {
 public:
  // The database must outlive the table; so must the log, if there is one, which is told of every change.
  Table(kv::Database& database, const TableFamilies& families, ChangeLog* changes = nullptr)
      : database_(database), families_(families), changes_(changes) {}

  // Adds a version.  Nothing is read: Newest() tells the version that was put last, so versions are put in
  // the order of their times.  InvalidArgument if the key holds a NUL, which no row key does.
  Status Put(std::string_view key, const RowVersion& version, kv::Batch* batch) const;
  // Puts other cells in the place of those of a version that is there: what was derived from it has changed.
  void Replace(std::string_view key, const RowVersion& version, kv::Batch* batch) const;
  // The same of the fetch cell alone, which says where the version is archived; no one is told.
  void ReplaceFetch(std::string_view key, VersionTime time, const FetchCell& fetch, kv::Batch* batch) const;
  // Notes that the newest version was found to be still good, at that time: Newest() tells it.
  void Touch(std::string_view key, VersionTime time, kv::Batch* batch) const;
  // Deletes texts and links of all versions in the database but the newest ones, so many.  What each was
  // answered stays, and where it is archived: other rows may have the same body from there.  Reads the row's
  // versions.
  Status KeepTexts(std::string_view key, uint64_t versions, kv::Batch* batch) const;
  // Removes a row and all its versions.
  void Delete(std::string_view key, kv::Batch* batch) const;

  // Removes all rows of a range, whose end is not open.  Nobody is told: who follows the table is to be told
  // of each row by NoteChange().
  void DeleteRange(const web::RowKeyRange& range, kv::Batch* batch) const;
  // Who follows the table looks at the row again.
  void NoteChange(std::string_view key, kv::Batch* batch) const { Note(key, batch); }

  // Versions, newest first; none if there is no such row.
  Result<std::vector<Row>> Get(std::string_view key, const ReadOptions& options = {}) const;
  // When the row was put or touched last, nothing if never: one lookup, mostly settled by a filter, for the
  // crawler asks it of every URL it is about to fetch.
  Result<std::optional<VersionTime>> Newest(std::string_view key) const;
  Result<std::optional<StoredText>> Text(std::string_view key, VersionTime time) const;
  Result<std::optional<std::vector<OutLink>>> Links(std::string_view key, VersionTime time) const;
  RowCursor Scan(const web::RowKeyRange& range = {}) const;

  // Which capture holds a payload, so that the same bytes are archived once.  PutPayload() is for captures
  // archived whole; the last put of a payload counts.
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
