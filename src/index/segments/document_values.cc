// SPDX-License-Identifier: Apache-2.0
#include "index/segments/document_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/hash.h"

namespace crivello::index {
namespace {

constexpr uint64_t kMaxColumns = 1000;
constexpr uint64_t kMaxNameBytes = 1000;

}  // namespace

int64_t UrlKey(std::string_view url) { return static_cast<int64_t>(Hash64(url)); }

std::optional<uint64_t> StringColumn::Find(std::string_view text) const {
  const succinct::FrontCodedList::Cursor cursor = strings_.Seek(text);
  if (!cursor.valid() || cursor.text() != text) return std::nullopt;
  return cursor.rank();
}

Result<NumberColumn> NumberColumn::ReadFrom(ImageReader& reader, uint64_t size) {
  NumberColumn column;
  column.size_ = size;
  CRV_ASSIGN(const uint64_t least, reader.Word());
  column.least_ = static_cast<int64_t>(least);
  CRV_ASSIGN(const uint64_t range, reader.Word());
  column.constant_ = range == 0;
  if (column.constant_) return column;
  CRV_ASSIGN(column.above_, succinct::CompactArray::ReadFrom(reader));
  if (column.above_.size() != size)
    return reader.Damaged(fmt::format("{} numbers of {} documents", column.above_.size(), size));
  return column;
}

Result<DocumentValues> DocumentValues::FromImage(Bytes image) {
  ImageReader reader(image, "document values");
  DocumentValues values;
  values.image_bytes_ = image.size();
  CRV_ASSIGN(const uint64_t documents, reader.WordAtMost(kEndDoc, "documents"));
  values.documents_ = static_cast<DocId>(documents);
  const auto read_name = [&reader]() -> Result<std::string> {
    CRV_ASSIGN(const uint64_t size, reader.WordAtMost(kMaxNameBytes, "bytes of a name"));
    CRV_ASSIGN(const Bytes name, reader.RawBytes(size));
    return std::string(AsText(name));
  };
  CRV_ASSIGN(const uint64_t numbers, reader.WordAtMost(kMaxColumns, "columns of numbers"));
  for (uint64_t i = 0; i < numbers; i++) {
    CRV_ASSIGN(std::string name, read_name());
    CRV_ASSIGN(values.numbers_[std::move(name)], NumberColumn::ReadFrom(reader, documents));
  }
  CRV_ASSIGN(const uint64_t strings, reader.WordAtMost(kMaxColumns, "columns of strings"));
  for (uint64_t i = 0; i < strings; i++) {
    CRV_ASSIGN(std::string name, read_name());
    StringColumn& column = values.strings_[std::move(name)];
    CRV_ASSIGN(column.strings_, succinct::FrontCodedList::ReadFrom(reader));
    CRV_ASSIGN(column.numbers_, NumberColumn::ReadFrom(reader, documents));
  }
  CRV_ASSIGN(const uint64_t scores, reader.WordAtMost(kMaxColumns, "columns of scores"));
  for (uint64_t i = 0; i < scores; i++) {
    CRV_ASSIGN(std::string name, read_name());
    ScoreColumn& column = values.scores_[std::move(name)];
    CRV_ASSIGN(const std::span<const uint64_t> table, reader.Words(128));
    for (size_t j = 0; j < 128; j++) {
      column.table_[2 * j] = std::bit_cast<float>(static_cast<uint32_t>(table[j]));
      column.table_[2 * j + 1] = std::bit_cast<float>(static_cast<uint32_t>(table[j] >> 32));
    }
    for (size_t j = 0; j < 256; j++) {
      if (!std::isfinite(column.table_[j]) || (j > 0 && column.table_[j] < column.table_[j - 1]))
        return reader.Damaged("scores that do not increase");
    }
    CRV_ASSIGN(const Bytes codes, reader.RawBytes(documents));
    column.codes_ = {reinterpret_cast<const uint8_t*>(codes.data()), codes.size()};
  }
  CRV_TRY(reader.Finish());
  return values;
}

Description DocumentValues::Describe() const {
  Description description = {{"documents", uint64_t{documents_}},
                             {"bytes-per-document", static_cast<double>(image_bytes_) /
                                                        static_cast<double>(std::max<DocId>(documents_, 1))}};
  for (const auto& [name, column] : numbers_)
    description.push_back({name, std::string(column.is_constant() ? "one number" : "numbers")});
  for (const auto& [name, column] : strings_)
    description.push_back({name, fmt::format("{} strings", column.strings())});
  for (const auto& [name, column] : scores_) description.push_back({name, std::string("scores")});
  return description;
}

}  // namespace crivello::index
