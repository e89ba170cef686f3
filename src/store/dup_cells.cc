// SPDX-License-Identifier: Apache-2.0
#include "store/dup_cells.h"

#include "base/record.h"

namespace crivello::store {
namespace {

constexpr uint64_t kDupVersion = 1;

}  // namespace

std::string EncodeDupCell(const DupCell& cell) {
  std::string out;
  RecordWriter writer(&out);
  writer.Number(kDupVersion);
  writer.Word(cell.text_digest);
  writer.Number(cell.members);
  writer.Text(cell.representative);
  return out;
}

Result<DupCell> DecodeDupCell(std::string_view bytes) {
  RecordReader reader(bytes);
  const uint64_t version = reader.Number();
  if (reader.ok() && version > kDupVersion) {
    return Status::Corruption("found a dup cell of version " + std::to_string(version) +
                              ", but this program reads version 1");
  }
  DupCell cell;
  cell.text_digest = reader.Word();
  cell.members = reader.Number();
  cell.representative = reader.Text();
  if (!reader.finished() || version == 0 || cell.members < 2 || cell.representative.empty()) {
    return Status::Corruption("corrupt dup cell in the table");
  }
  return cell;
}

kv::Family DupCells::AddTo(std::vector<kv::FamilyOptions>* families) {
  families->push_back({.name = "dup"});
  return static_cast<kv::Family>(families->size() - 1);
}

Result<std::optional<DupCell>> DupCells::Get(std::string_view row_key) const {
  CRV_ASSIGN(const std::optional<std::string> value, database_.Get(family_, row_key));
  if (!value) return std::optional<DupCell>();
  CRV_ASSIGN(DupCell cell, DecodeDupCell(*value));
  return std::optional(std::move(cell));
}

Result<std::optional<DupCell>> DupCells::Get(std::string_view row_key, uint64_t text_digest) const {
  CRV_ASSIGN(std::optional<DupCell> cell, Get(row_key));
  if (cell && cell->text_digest != text_digest) cell.reset();
  return cell;
}

void DupCells::Put(std::string_view row_key, const DupCell& cell, kv::Batch* batch) const {
  batch->Put(family_, row_key, EncodeDupCell(cell));
}

void DupCells::Delete(std::string_view row_key, kv::Batch* batch) const { batch->Delete(family_, row_key); }

Status DupCells::ForEach(
    const std::function<Status(std::string_view row_key, const DupCell& cell)>& visit) const {
  kv::Cursor cursor = Scan();
  for (; cursor.valid(); cursor.Next()) {
    CRV_ASSIGN(const DupCell cell, DecodeDupCell(cursor.value()));
    CRV_TRY(visit(cursor.key(), cell));
  }
  return cursor.status();
}

}  // namespace crivello::store
