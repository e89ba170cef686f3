// SPDX-License-Identifier: Apache-2.0
#include "feeds/subscription_list.h"

#include <fmt/format.h>

#include <optional>

namespace crivello::feeds {

Result<std::vector<Subscription>> SubscriptionList::Get(std::string_view row_key) const {
  CRV_ASSIGN(const std::optional<std::string> bytes, db_.Get(family_, row_key));
  if (!bytes) return std::vector<Subscription>();
  auto all = DecodeSubscriptions(*bytes);
  if (!all.ok()) return all.status().WithContext(fmt::format("subscriptions of {}", row_key));
  return all;
}

Status SubscriptionList::Put(std::string_view row_key, const std::vector<Subscription>& subscriptions) {
  kv::Batch batch;
  if (subscriptions.empty()) {
    batch.Delete(family_, row_key);
  } else {
    batch.Put(family_, row_key, EncodeSubscriptions(subscriptions));
  }
  return db_.Write(batch, {.sync = true});
}

Status SubscriptionList::ForEach(
    const std::function<Status(std::string_view row_key, std::vector<Subscription> subscriptions)>& visit)
    const {
  kv::Cursor cursor = db_.Scan(family_);
  for (; cursor.valid(); cursor.Next()) {
    auto all = DecodeSubscriptions(cursor.value());
    if (!all.ok()) return all.status().WithContext(fmt::format("subscriptions of {}", cursor.key()));
    CRV_TRY(visit(cursor.key(), *std::move(all)));
  }
  return cursor.status();
}

Status SubscriptionList::Check(const std::function<void(std::string sentence)>& note) const {
  kv::Cursor cursor = db_.Scan(family_);
  for (; cursor.valid(); cursor.Next()) {
    const bool good = web::UrlOfRowKey(cursor.key()).ok() && DecodeSubscriptions(cursor.value()).ok();
    if (!good) note(fmt::format("subscriptions of {}: the record is damaged", cursor.key()));
  }
  return cursor.status();
}

}  // namespace crivello::feeds
