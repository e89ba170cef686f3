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

// Which pages a page is nearly equal to: the cluster that discovery put it in, named by the page that stands
// for all of it.
struct DupCell {
  // FetchCell::text_digest of the text that was compared: of a page with another text the cell says nothing.
  uint64_t text_digest = 0;
  uint64_t members = 0;             // pages of the cluster, itself among them
  std::string representative = {};  // its row key; the page's own if it is that page

  friend bool operator==(const DupCell&, const DupCell&) = default;
};
std::string EncodeDupCell(const DupCell& cell);
Result<DupCell> DecodeDupCell(std::string_view bytes);

// The dup cells of a tablet, by row key, in its database: only pages with near-duplicates have one.  They are
// what is true of clusters: jobs leave files from which the tablet's owner takes them, and index, search,
// export and `why` read them here.  A layer without a state of its own; thread-safe.  Format:
// docs/formats/table.md.
class DupCells {
 public:
  static kv::Family AddTo(std::vector<kv::FamilyOptions>* families);
  // The database must outlive it.
  DupCells(kv::Database& database, kv::Family family) : database_(database), family_(family) {}

  Result<std::optional<DupCell>> Get(std::string_view row_key) const;
  // The same of a row whose text has that digest: nothing if the cell is of another text.
  Result<std::optional<DupCell>> Get(std::string_view row_key, uint64_t text_digest) const;
  // Whoever changes a cell has the row looked at again (Table::NoteChange()).
  void Put(std::string_view row_key, const DupCell& cell, kv::Batch* batch) const;
  void Delete(std::string_view row_key, kv::Batch* batch) const;
  void DeleteRange(const web::RowKeyRange& range, kv::Batch* batch) const {
    batch->DeleteRange(family_, range.begin, range.end);
  }
  // Every cell, in order of row key.
  kv::Cursor Scan() const { return database_.Scan(family_, {}, {}); }
  Status ForEach(const std::function<Status(std::string_view row_key, const DupCell& cell)>& visit) const;

  kv::Family family() const { return family_; }

 private:
  kv::Database& database_;
  const kv::Family family_;
};

}  // namespace crivello::store
