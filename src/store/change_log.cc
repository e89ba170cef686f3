// SPDX-License-Identifier: Apache-2.0
#include "store/change_log.h"

#include <algorithm>
#include <optional>
#include <string>

namespace crivello::store {
namespace {

// Big-endian, so that keys sort by number.
std::string KeyOf(uint64_t sequence) {
  std::string key(8, '\0');
  for (int i = 7; i >= 0; i--, sequence >>= 8) key[static_cast<size_t>(i)] = static_cast<char>(sequence);
  return key;
}

uint64_t SequenceOf(std::string_view key) {
  uint64_t sequence = 0;
  for (const char byte : key.substr(0, 8)) sequence = sequence << 8 | static_cast<uint8_t>(byte);
  return sequence;
}

}  // namespace

kv::Family ChangeLog::AddTo(std::vector<kv::FamilyOptions>* families) {
  families->push_back({.name = "changes"});
  return static_cast<kv::Family>(families->size() - 1);
}

Result<std::unique_ptr<ChangeLog>> ChangeLog::Open(kv::Database& database, kv::Family family) {
  CRV_ASSIGN(const std::optional<std::string> last, database.LastKey(family));
  return std::unique_ptr<ChangeLog>(new ChangeLog(database, family, last ? SequenceOf(*last) : 0));
}

void ChangeLog::Note(std::string_view row_key, kv::Batch* batch) {
  batch->Put(family_, KeyOf(last_.fetch_add(1) + 1), row_key);
}

uint64_t ChangeLog::Reader::sequence() const { return SequenceOf(cursor_.key()); }

void ChangeLog::Reader::Next() {
  expected_ = sequence() + 1;
  cursor_.Next();
}

ChangeLog::Reader ChangeLog::After(uint64_t sequence) const {
  const uint64_t settled = settled_;  // read before the scan, which still has what is dropped later
  return Reader(database_.Scan(family_, KeyOf(sequence + 1)), settled, sequence + 1);
}

Result<bool> ChangeLog::CanBeFollowedFrom(uint64_t sequence) const {
  if (sequence > last()) return false;
  const kv::Cursor first = database_.Scan(family_, KeyOf(0));
  CRV_TRY(first.status());
  return !first.valid() || SequenceOf(first.key()) <= sequence + 1;
}

Result<uint64_t> ChangeLog::Settled() const {
  uint64_t settled = settled_;
  if (settled > 0) settled--;  // Forget() counts one change that it keeps, which may not be written yet
  Reader changes = After(settled);
  for (; changes.valid(); changes.Next()) settled = changes.sequence();
  CRV_TRY(changes.status());
  return settled;
}

Status ChangeLog::Forget(uint64_t sequence) {
  const uint64_t end = std::min(sequence + 1, last());
  if (end <= 1) return Status::Ok();
  kv::Batch batch;
  batch.DeleteRange(family_, KeyOf(0), KeyOf(end));
  CRV_TRY(database_.Write(batch, {}));
  uint64_t settled = settled_;
  while (settled < end && !settled_.compare_exchange_weak(settled, end)) {
  }
  return Status::Ok();
}

}  // namespace crivello::store
