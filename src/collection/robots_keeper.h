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
  int64_t unreachable_since = 0;  // the start of an unbroken run of failures; 0 if the last request succeeded
  std::string text;               // for kParse

  // Nothing may be fetched now, because the rules are not known; this can change.
  bool unreachable() const { return access == web::RobotsAccess::kDisallowAll && unreachable_since != 0; }

  // Format: docs/formats/collection.md.
  std::string Encode() const;
  static Result<RobotsRecord> Decode(std::string_view bytes);
};

// The rules of the origins of a tablet.  The tablet's database has the files as they were fetched; memory has
// the compiled rules of the origins in use, within a budget.  Thread-safe.
class RobotsKeeper {
 public:
  struct Options {
    std::string agent = "crivello";
    uint64_t memory_bytes = 16 << 20;
  };
  // The database must outlive the keeper.
  RobotsKeeper(const kv::Database& db, kv::Family family, Options options);

  struct Rules {
    RobotsRecord record;  // without its text
    web::Robots robots;
  };
  // The rules of "https://example.org" (or of whatever URL they were kept under); null if there are none.
  // They may have expired: the record says.
  Result<std::shared_ptr<const Rules>> Find(std::string_view origin);

  // The stored record, with its text.
  Result<std::optional<RobotsRecord>> Load(std::string_view origin) const;

  // Reads every record and reports the damaged ones.
  Status Check(const std::function<void(std::string sentence)>& note) const;

  // Drops the records of the origins that are `wanted`: from memory now, from the disk by the batch.
  Status Forget(const std::function<bool(std::string_view origin)>& wanted, kv::Batch* batch);
  kv::Family family() const { return family_; }

  // Stores the answer of a server.  Find() returns it at once; it is durable when the batch is written.
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

// What the answer means (RFC 9309), and how long it is valid: a day, or less if its fields say so, but at
// least web::kRobotsMinAgeMinutes.  After a failure, the next request comes sooner, and meanwhile the earlier
// answer stays valid for a day.  `before` is the earlier record with its text, if there is one.
RobotsRecord JudgeRobots(const RobotsReply& reply, const RobotsRecord* before, int64_t now);

}  // namespace crivello::collection
