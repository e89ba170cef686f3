// SPDX-License-Identifier: Apache-2.0
#include "feeds/feed_list.h"

#include <fmt/format.h>

namespace crivello::feeds {

Result<std::unique_ptr<FeedList>> FeedList::Open(kv::Database& db, kv::Family family) {
  std::unique_ptr<FeedList> list(new FeedList(db, family));
  const kv::Cursor cursor = db.Scan(family);
  CRV_TRY(cursor.status());
  list->any_ = cursor.valid();
  return list;
}

Result<std::optional<FeedRecord>> FeedList::Get(std::string_view row_key) const {
  if (!any_) return std::optional<FeedRecord>();
  CRV_ASSIGN(const std::optional<std::string> bytes, db_.Get(family_, row_key));
  if (!bytes) return std::optional<FeedRecord>();
  Result<FeedRecord> record = FeedRecord::Decode(*bytes);
  if (!record.ok()) return record.status().WithContext(fmt::format("feed {}", row_key));
  return std::optional(std::move(record).value());
}

void FeedList::Put(std::string_view row_key, const FeedRecord& record, kv::Batch* batch) {
  batch->Put(family_, row_key, record.Encode());
  any_ = true;
}

Status FeedList::ForEach(
    std::string_view after,
    const std::function<Result<bool>(std::string_view row_key, const FeedRecord& record)>& visit) const {
  if (!any_) return Status::Ok();
  kv::Cursor cursor = db_.Scan(family_, after);
  for (; cursor.valid(); cursor.Next()) {
    if (cursor.key() == after) continue;
    Result<FeedRecord> record = FeedRecord::Decode(cursor.value());
    if (!record.ok()) return record.status().WithContext(fmt::format("feed {}", cursor.key()));
    CRV_ASSIGN(const bool more, visit(cursor.key(), *record));
    if (!more) return Status::Ok();
  }
  return cursor.status();
}

Status FeedList::Check(const std::function<void(std::string sentence)>& note) const {
  kv::Cursor cursor = db_.Scan(family_);
  for (; cursor.valid(); cursor.Next()) {
    const bool good = web::UrlOfRowKey(cursor.key()).ok() && FeedRecord::Decode(cursor.value()).ok();
    if (!good) note(fmt::format("feed {}: the record is damaged", cursor.key()));
  }
  return cursor.status();
}

}  // namespace crivello::feeds
