// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "kv/database.h"
#include "web/url/row_key.h"

namespace crivello::store {

// The cluster of near-duplicates that a page was put in by discovery. A cluster is named by its
// representative, one of its pages.
struct DupCell {
  // FetchCell::text_digest of the text that was compared. If the page's text has changed, the cell is void.
  uint64_t text_digest = 0;
  uint64_t members = 0;             // number of pages in the cluster, including this one
  std::string representative = {};  // row key of the representative, possibly the page itself

  friend bool operator==(const DupCell&, const DupCell&) = default;
};
std::string EncodeDupCell(const DupCell& cell);
Result<DupCell> DecodeDupCell(std::string_view bytes);

// The dup cells of a tablet, by row key, in its database: only pages with near-duplicates have one. They are
// the authoritative record of clusters: jobs leave files, from which the tablet's owner updates these cells,
// and index, search, export and `why` read them here. A layer without a state of its own; thread-safe.
// Format: docs/formats/table.md.
class DupCells {
 public:
  static kv::Family AddTo(std::vector<kv::FamilyOptions>* families);
  // The database must outlive it.
  DupCells(kv::Database& database, kv::Family family) : database_(database), family_(family) {}

  Result<std::optional<DupCell>> Get(std::string_view row_key) const;
  // The same for a row whose text has this digest; nullopt if the cell belongs to another text.
  Result<std::optional<DupCell>> Get(std::string_view row_key, uint64_t text_digest) const;
  // Whoever changes a cell must also mark its row as changed (Table::NoteChange()).
  void Put(std::string_view row_key, const DupCell& cell, kv::Batch* batch) const;
  void Delete(std::string_view row_key, kv::Batch* batch) const;
  void DeleteRange(const web::RowKeyRange& range, kv::Batch* batch) const {
    batch->DeleteRange(family_, range.begin, range.end);
  }
  // Iterates over all cells, in order of row key.
  kv::Cursor Scan() const { return database_.Scan(family_, {}, {}); }
  Status ForEach(const std::function<Status(std::string_view row_key, const DupCell& cell)>& visit) const;

  kv::Family family() const { return family_; }

 private:
  kv::Database& database_;
  const kv::Family family_;
};

}  // namespace crivello::store
