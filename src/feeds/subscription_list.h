// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "feeds/subscription.h"
#include "kv/database.h"
#include "web/url/row_key.h"

namespace crivello::feeds {

// The subscriptions of a tablet, by the row key of the feed, in its database.  They stay after the feed was
// removed from the list, until its hubs have been told.  One writer at a time; any number of readers.
//
// Format: docs/formats/subscriptions.md.
class SubscriptionList {
 public:
  // The families that the database needs for it.
  static kv::FamilyOptions FamilyOptions() { return {.name = "subscriptions", .rewritten = true}; }

  // `db` must outlive it.
  SubscriptionList(kv::Database& db, kv::Family family) : db_(db), family_(family) {}

  // The subscriptions of one feed; empty if there are none.
  Result<std::vector<Subscription>> Get(std::string_view row_key) const;
  // Replaces all subscriptions of the feed.  Durable when it returns.
  Status Put(std::string_view row_key, const std::vector<Subscription>& subscriptions);
  void DeleteRange(const web::RowKeyRange& range, kv::Batch* batch) const {
    batch->DeleteRange(family_, range.begin, range.end);
  }
  Status ForEach(const std::function<Status(std::string_view row_key,
                                            std::vector<Subscription> subscriptions)>& visit) const;

  // Reads every record and reports the damaged ones.
  Status Check(const std::function<void(std::string sentence)>& note) const;

  kv::Family family() const { return family_; }

 private:
  kv::Database& db_;
  const kv::Family family_;
};

}  // namespace crivello::feeds
