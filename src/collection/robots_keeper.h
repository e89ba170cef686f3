// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/mutex.h"
#include "base/status.h"
#include "kv/database.h"
#include "web/page/robots.h"

namespace crivello::collection {

// What is known of the robots.txt of an origin.
struct RobotsRecord {
  web::RobotsAccess access = web::RobotsAccess::kDisallowAll;  // never kFollowRedirect
  int status = 0;                                              // of HTTP; 0 if there was no answer
  int64_t fetched = 0;                                         // seconds since 1970
  int64_t expires = 0;                                         // when it must be asked for again
  int64_t unreachable_since = 0;  // of an unbroken run of failures; 0 if the last answer was none
  std::string text;               // for kParse

  // Nothing may be fetched because nobody knows the rules: not for good.
  bool unreachable() const { return access == web::RobotsAccess::kDisallowAll && unreachable_since != 0; }

  // Format: docs/formats/collection.md.
  std::string Encode() const;
  static Result<RobotsRecord> Decode(std::string_view bytes);
};

// The rules of the origins of a tablet: the files as fetched lie in the tablet's database, the compiled rules
// of the origins in use in memory, within a budget.  Thread-safe.
class RobotsKeeper {
 public:
  struct Options {
    std::string agent = "crivello";
    uint64_t memory_bytes = 16 << 20;
  };
  // The database outlives the keeper.
  RobotsKeeper(const kv::Database& db, kv::Family family, Options options);

  struct Rules {
    RobotsRecord record;  // without its text
    web::Robots robots;
  };
  // The rules of "https://example.org" (or of whatever URL they were kept under); null if there are none.
  // They may have expired: the record says.
  Result<std::shared_ptr<const Rules>> Find(std::string_view origin);

  // The record as it lies on the disk, with its text.
  Result<std::optional<RobotsRecord>> Load(std::string_view origin) const;

  // Reads every record, and tells those that are damaged.
  Status Check(const std::function<void(std::string sentence)>& note) const;

  // Drops what was kept of the origins that are `wanted`: from memory now, from the disk by the batch.
  Status Forget(const std::function<bool(std::string_view origin)>& wanted, kv::Batch* batch);
  kv::Family family() const { return family_; }

  // Keeps the answer of a server; it shows to Find() at once, and lasts when the batch is written.
  std::shared_ptr<const Rules> Keep(std::string_view origin, const RobotsRecord& record, kv::Batch* batch);

 private:
  struct Entry {
    std::string origin;
    std::shared_ptr<const Rules> rules;
    uint64_t bytes;
  };
  std::shared_ptr<const Rules> Compile(RobotsRecord record) const;
  void Insert(std::string_view origin, std::shared_ptr<const Rules> rules, uint64_t bytes) CRV_REQUIRES(mu_);

  const kv::Database& db_;
  const kv::Family family_;
  const Options options_;
  Mutex mu_;
  std::list<Entry> recent_ CRV_GUARDED_BY(mu_);  // the most recently used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> index_ CRV_GUARDED_BY(mu_);
  uint64_t bytes_ CRV_GUARDED_BY(mu_) = 0;
};

// An answer to a request for robots.txt.
struct RobotsReply {
  int status =
      0;  // of HTTP, 0 if there was no answer; a redirect that is not followed any further means no file
  std::string_view text = {};
  std::optional<int64_t> fresh_seconds = {};  // as its fields say (web::FreshSeconds())
};

// What it means (RFC 9309), and how long it serves: a day, or as its fields say if that is less, but at least
// web::kRobotsMinAgeMinutes.  A failure is asked about sooner, and meanwhile what the server said before
// holds for a day.  `before` is what was known, with its text, if anything.
RobotsRecord JudgeRobots(const RobotsReply& reply, const RobotsRecord* before, int64_t now);

}  // namespace crivello::collection
