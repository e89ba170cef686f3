// SPDX-License-Identifier: Apache-2.0
#include "collection/robots_keeper.h"

#include <algorithm>
#include <utility>

#include "base/record.h"

namespace crivello::collection {
namespace {

constexpr uint64_t kRecordVersion = 1;
constexpr int64_t kHour = 3600;
constexpr int64_t kDay = 24 * kHour;
// After a failure, the next request comes sooner than after an answer: first after a minute, then after as
// long as the failure has lasted.
constexpr int64_t kLeastRetry = 60;
// A server that forbids caching would be asked for its rules before each page.
constexpr int64_t kShortest = int64_t{web::kRobotsMinAgeMinutes} * 60;
// The memory of compiled rules, besides their text.
constexpr uint64_t kRobotsEntryBytes = 512;

}  // namespace

std::string RobotsRecord::Encode() const {
  RecordWriter writer;
  writer.Number(kRecordVersion);
  writer.Number(static_cast<uint64_t>(access));
  writer.Signed(status);
  writer.Signed(fetched);
  writer.Signed(expires);
  writer.Signed(unreachable_since);
  writer.Raw(text);
  return std::move(writer).bytes();
}

Result<RobotsRecord> RobotsRecord::Decode(std::string_view bytes) {
  RecordReader reader(bytes);
  RobotsRecord record;
  const uint64_t version = reader.Number();
  if (reader.ok() && version != kRecordVersion) {
    return Status::Corruption("a robots record of version " + std::to_string(version) +
                              ", which this program does not know");
  }
  record.access = static_cast<web::RobotsAccess>(
      reader.NumberAtMost(static_cast<uint64_t>(web::RobotsAccess::kDisallowAll)));
  record.status = static_cast<int>(reader.Signed());
  record.fetched = reader.Signed();
  record.expires = reader.Signed();
  record.unreachable_since = reader.Signed();
  record.text = reader.Rest();
  if (!reader.ok()) return Status::Corruption("truncated robots record");
  return record;
}

RobotsKeeper::RobotsKeeper(const kv::Database& db, kv::Family family, Options options)
    : db_(db), family_(family), options_(std::move(options)) {}

std::shared_ptr<const RobotsKeeper::Rules> RobotsKeeper::Compile(RobotsRecord record) const {
  auto rules = std::make_shared<Rules>();
  switch (record.access) {
    case web::RobotsAccess::kParse:
      // Paths come in canonical form, where what need not be escaped is not.
      rules->robots = web::Robots::Parse(record.text, options_.agent, {.decode_unreserved = true});
      break;
    case web::RobotsAccess::kAllowAll:
      rules->robots = web::Robots::AllowAll();
      break;
    case web::RobotsAccess::kFollowRedirect:
    case web::RobotsAccess::kDisallowAll:
      rules->robots = web::Robots::DisallowAll();
      break;
  }
  record.text.clear();
  record.text.shrink_to_fit();
  rules->record = std::move(record);
  return rules;
}

Result<std::shared_ptr<const RobotsKeeper::Rules>> RobotsKeeper::Find(std::string_view origin) {
  {
    MutexLock lock(mu_);
    if (const auto found = index_.find(origin); found != index_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      return found->second->rules;
    }
  }
  // Reading and compiling need no lock.  Rarely, two threads do the same work.
  CRV_ASSIGN(std::optional<RobotsRecord> record, Load(origin));
  if (!record) return std::shared_ptr<const Rules>();
  const uint64_t bytes = record->text.size();
  auto rules = Compile(*std::move(record));
  MutexLock lock(mu_);
  if (const auto found = index_.find(origin); found != index_.end()) return found->second->rules;
  Insert(origin, rules, bytes);
  return rules;
}

Result<std::optional<RobotsRecord>> RobotsKeeper::Load(std::string_view origin) const {
  CRV_ASSIGN(const std::optional<std::string> bytes, db_.Get(family_, origin));
  if (!bytes) return std::optional<RobotsRecord>();
  Result<RobotsRecord> record = RobotsRecord::Decode(*bytes);
  if (!record.ok()) return record.status().WithContext(origin);
  return std::optional<RobotsRecord>(std::move(record).value());
}

Status RobotsKeeper::Check(const std::function<void(std::string sentence)>& note) const {
  kv::Cursor cursor = db_.Scan(family_);
  for (; cursor.valid(); cursor.Next()) {
    const auto record = RobotsRecord::Decode(cursor.value());
    if (!record.ok()) note("robots.txt of " + std::string(cursor.key()) + ": " + record.status().message());
  }
  return cursor.status();
}

Status RobotsKeeper::Forget(const std::function<bool(std::string_view origin)>& wanted, kv::Batch* batch) {
  kv::Cursor cursor = db_.Scan(family_);
  for (; cursor.valid(); cursor.Next()) {
    if (wanted(cursor.key())) batch->Delete(family_, cursor.key());
  }
  MutexLock lock(mu_);
  for (auto entry = recent_.begin(); entry != recent_.end();) {
    const auto next = std::next(entry);
    if (wanted(entry->origin)) {
      bytes_ -= entry->bytes;
      index_.erase(entry->origin);
      recent_.erase(entry);
    }
    entry = next;
  }
  return cursor.status();
}

std::shared_ptr<const RobotsKeeper::Rules> RobotsKeeper::Keep(std::string_view origin,
                                                              const RobotsRecord& record, kv::Batch* batch) {
  batch->Put(family_, origin, record.Encode());
  auto rules = Compile(record);
  MutexLock lock(mu_);
  if (const auto found = index_.find(origin); found != index_.end()) {
    bytes_ -= found->second->bytes;
    recent_.erase(found->second);
    index_.erase(found);
  }
  Insert(origin, rules, record.text.size());
  return rules;
}

void RobotsKeeper::Insert(std::string_view origin, std::shared_ptr<const Rules> rules, uint64_t bytes) {
  // Compiled rules take about twice their text.
  recent_.push_front({std::string(origin), std::move(rules), 2 * bytes + kRobotsEntryBytes});
  index_.emplace(recent_.front().origin, recent_.begin());
  bytes_ += recent_.front().bytes;
  while (bytes_ > options_.memory_bytes && recent_.size() > 1) {
    bytes_ -= recent_.back().bytes;
    index_.erase(recent_.back().origin);
    recent_.pop_back();
  }
}

RobotsRecord JudgeRobots(const RobotsReply& reply, const RobotsRecord* before, int64_t now) {
  RobotsRecord record;
  record.status = reply.status;
  record.fetched = now;
  const int64_t failing_since =
      before != nullptr && before->unreachable_since != 0 ? before->unreachable_since : now;
  record.access = web::RobotsAccessFor({.status = reply.status,
                                        .redirects = web::kRobotsMaxRedirects + 1,
                                        .days_unreachable = static_cast<int>((now - failing_since) / kDay)});
  if (record.access == web::RobotsAccess::kParse) record.text = reply.text.substr(0, web::kRobotsMaxBytes);
  const bool failed = reply.status == 0 || reply.status == 429 || reply.status >= 500;
  constexpr int64_t kLongest = web::kRobotsMaxAgeHours * kHour;
  if (!failed) {
    record.expires = now + std::clamp(reply.fresh_seconds.value_or(kLongest), kShortest, kLongest);
    return record;
  }
  record.unreachable_since = failing_since;
  record.expires = now + std::clamp(now - failing_since, kLeastRetry, kLongest);
  // What a server said before it failed still holds for a day (RFC 9309, section 2.4).
  if (before != nullptr && before->access == web::RobotsAccess::kParse && now < before->fetched + kDay) {
    record.access = before->access;
    record.text = before->text;
    record.fetched = before->fetched;
  }
  return record;
}

}  // namespace crivello::collection
