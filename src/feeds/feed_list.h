// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/status.h"
#include "feeds/feed_record.h"
#include "kv/database.h"
#include "web/url/row_key.h"

namespace crivello::feeds {

// The feeds of a tablet, by row key, in its database.  Memory holds only whether there are any.  So looking
// for a feed costs nothing in a tablet without feeds, and one read of the database in others.
//
// A caller that reads a record, changes it and writes it back holds Changing() from the read until the batch
// is written.  Otherwise the poll of a feed could bring it back after it was removed.
//
// Thread-safe.  Format: docs/formats/feeds.md.
class FeedList {
 public:
  // The families that the database needs for it.
  static kv::FamilyOptions FamilyOptions() { return {.name = "feeds", .rewritten = true}; }

  // `db` must outlive it.  Reads one record.
  static Result<std::unique_ptr<FeedList>> Open(kv::Database& db, kv::Family family);

  [[nodiscard]] std::unique_lock<Mutex> Changing() { return std::unique_lock<Mutex>(change_mu_); }

  // False: there are none.
  bool any() const { return any_; }
  Result<std::optional<FeedRecord>> Get(std::string_view row_key) const;
  // Readers see the change when the batch is written.
  void Put(std::string_view row_key, const FeedRecord& record, kv::Batch* batch);
  void Delete(std::string_view row_key, kv::Batch* batch) const { batch->Delete(family_, row_key); }
  void DeleteRange(const web::RowKeyRange& range, kv::Batch* batch) const {
    batch->DeleteRange(family_, range.begin, range.end);
  }
  // Durable when it returns.
  Status Write(kv::Batch& batch) { return db_.Write(batch, {.sync = true}); }

  // Calls `visit` for every feed after the row key `after` (empty: all), in order of row key, until `visit`
  // returns false.
  Status ForEach(
      std::string_view after,
      const std::function<Result<bool>(std::string_view row_key, const FeedRecord& record)>& visit) const;

  // Reads every record and reports the damaged ones.
  Status Check(const std::function<void(std::string sentence)>& note) const;

  kv::Family family() const { return family_; }

 private:
  FeedList(kv::Database& db, kv::Family family) : db_(db), family_(family) {}

  kv::Database& db_;
  const kv::Family family_;
  Mutex change_mu_;
  std::atomic<bool> any_ = false;  // never becomes false again
};

}  // namespace crivello::feeds
