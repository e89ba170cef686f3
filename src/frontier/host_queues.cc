// SPDX-License-Identifier: Apache-2.0
#include "frontier/host_queues.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "frontier/host_queues_format.h"

namespace crivello::frontier {
namespace {

// About the size of a node of the map of awake hosts, without the record.
constexpr uint64_t kAwakeNodeBytes = 96;
// Blocks that one call of Read() looks up at a time.
constexpr uint32_t kBlocksPerLookup = 64;

}  // namespace

std::vector<kv::FamilyOptions> HostQueues::Families() {
  return {{.name = "host-states", .rewritten = true},
          {.name = "host-blocks", .point_lookups_hit = true, .appends = true, .rewritten = true},
          {.name = "host-sleepers", .rewritten = true},
          {.name = "host-journal", .short_lived = true}};
}

HostQueues::HostQueues(kv::Database& db, kv::Family first) : db_(db), first_(first) {}
HostQueues::~HostQueues() = default;

Result<std::unique_ptr<HostQueues>> HostQueues::Open(kv::Database& db, kv::Family first) {
  std::unique_ptr<HostQueues> queues(new HostQueues(db, first));
  CRV_TRY(queues->LoadCounts());
  CRV_TRY(queues->ReplayJournal());
  return queues;
}

Status HostQueues::ReplayJournal() {
  uint64_t from = 0;
  CountsRecord counts;
  {
    MutexLock lock(mu_);
    from = journal_from_;
    counts = {changes_, changes_ + 1, counts_};
  }
  std::unordered_map<uint64_t, std::string> last;
  {
    kv::Cursor cursor = db_.Scan(journal(), JournalKey(from));
    for (; cursor.valid(); cursor.Next()) {
      const bool good = ReadJournal(cursor.value(),
                                    [&last](uint64_t host, std::string_view record) { last[host] = record; });
      if (!good) return Status::Corruption("host queues: the journal is damaged");
    }
    CRV_TRY(cursor.status());
  }
  if (last.empty()) return Status::Ok();
  if (db_.read_only()) {
    MutexLock lock(mu_);
    for (auto& [host, record] : last) {
      if (!record.empty()) MarkAwake(host, std::move(record));
    }
    return Status::Ok();
  }
  kv::Batch batch;
  for (const auto& [host, record] : last) {
    if (!record.empty()) batch.Put(states(), StateKey(host), record);
  }
  batch.Put(states(), kCountsKey, EncodeCounts(counts));
  batch.DeleteRange(journal(), JournalKey(0), JournalKey(counts.journal_from));
  CRV_TRY(db_.Write(batch, {.sync = true}));
  MutexLock lock(mu_);
  journal_from_ = counts.journal_from;
  return Status::Ok();
}

Status HostQueues::LoadCounts() {
  CRV_ASSIGN(const auto bytes, db_.Get(states(), kCountsKey));
  CountsRecord record;
  if (bytes) {
    const auto decoded = DecodeCounts(*bytes);
    if (!decoded) return Status::Corruption("host queues: the record of counts is damaged");
    record = *decoded;
  }
  MutexLock lock(mu_);
  changes_ = record.changes;
  journal_from_ = record.journal_from;
  counts_ = record.counts;
  return Status::Ok();
}

std::optional<HostState> HostQueues::LoadAwake(uint64_t host) const {
  MutexLock lock(mu_);
  const auto found = awake_.find(host);
  if (found == awake_.end()) return std::nullopt;
  std::optional<HostState> state = DecodeHostState(found->second.record);
  assert(state);  // it was read before, or written by this object
  return state;
}

HostQueues::AwakeHosts::value_type* HostQueues::FindAwake(uint64_t host) {
  MutexLock lock(mu_);
  const auto found = awake_.find(host);
  return found == awake_.end() ? nullptr : &*found;
}

bool HostQueues::IsAwake(uint64_t host) const {
  MutexLock lock(mu_);
  return awake_.contains(host);
}

Result<std::optional<HostState>> HostQueues::Load(uint64_t host) const {
  if (auto state = LoadAwake(host)) return state;
  CRV_ASSIGN(const auto record, db_.Get(states(), StateKey(host)));
  if (!record) return std::optional<HostState>();
  std::optional<HostState> state = DecodeHostState(*record);
  if (!state) return Damaged(host, "its state is damaged");
  return state;
}

QueueCursor HostQueues::Start(const HostState& state) {
  QueueCursor cursor;
  for (size_t i = 0; i < state.queues.size(); i++) cursor.next[i] = state.queues[i].head;
  return cursor;
}

Result<std::vector<QueueItem>> HostQueues::Read(uint64_t host, QueueCursor& cursor, size_t limit) const {
  CRV_ASSIGN(const auto state, Load(host));
  std::vector<QueueItem> items;
  if (!state) return items;
  items.reserve(limit);
  for (int i = 0; i < kPriorityClasses && items.size() < limit; i++) {
    CRV_TRY(ReadClass(*state, host, i, cursor.next[static_cast<size_t>(i)], limit, items));
  }
  return items;
}

Result<std::vector<std::optional<std::string>>> HostQueues::GetBlocks(uint64_t host, int priority,
                                                                      uint32_t from, uint32_t count) const {
  if (count == 1) {  // the common case, with less to do than for several
    CRV_ASSIGN(auto value, db_.Get(blocks(), BlockKey(host, priority, from)));
    std::vector<std::optional<std::string>> values;
    values.push_back(std::move(value));
    return values;
  }
  std::vector<BlockKey> keys;
  for (uint32_t i = 0; i < count; i++) keys.emplace_back(host, priority, from + i);
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  return db_.Get(blocks(), views);
}

Status HostQueues::ReadClass(const HostState& state, uint64_t host, int priority, QueuePlace& next,
                             size_t limit, std::vector<QueueItem>& items) const {
  const ClassQueue& queue = state.queues[static_cast<size_t>(priority)];
  next = std::max(next, queue.head);
  while (next.block < queue.tail && items.size() < limit) {
    // Consecutive numbers: the keys of the blocks that will probably be needed are known, and read at once.
    const uint64_t left = queue.tail - queue.head.block;
    const uint64_t wanted = (limit - items.size()) * left / std::max<uint64_t>(queue.items, 1);
    const auto count = static_cast<uint32_t>(
        std::clamp<uint64_t>(wanted, 1, std::min(queue.tail - next.block, kBlocksPerLookup)));
    CRV_ASSIGN(const auto values, GetBlocks(host, priority, next.block, count));
    for (const auto& value : values) {
      if (!value) return Damaged(host, fmt::format("block {} of class {} is missing", next.block, priority));
      QueueBlockReader reader(*value, state.name);
      QueueItem item;
      bool ended = true;
      while (items.size() < limit && reader.Next(item)) {
        ended = item.last_of_block;
        if (item.place.index < next.index) continue;
        item.priority = static_cast<uint8_t>(priority);
        item.place.block = next.block;
        items.push_back(std::move(item));
      }
      if (!reader.ok()) {
        return Damaged(host, fmt::format("block {} of class {} is damaged", next.block, priority));
      }
      if (!ended) {
        next.index = items.back().place.index + 1;
        break;
      }
      next = {next.block + 1, 0};
      if (items.size() >= limit) break;
    }
  }
  return Status::Ok();
}

Status HostQueues::ForEachHost(
    const std::function<bool(uint64_t host, const HostState& state)>& visit) const {
  kv::Cursor cursor = db_.Scan(states(), StateKey(0));
  for (; cursor.valid(); cursor.Next()) {
    const std::optional<uint64_t> host = StateKey::Parse(cursor.key());
    std::optional<HostState> state;
    if (host) state = LoadAwake(*host);
    if (!state) state = DecodeHostState(cursor.value());
    if (!host || !state) return Damaged(host.value_or(0), "its state is damaged");
    if (!visit(*host, *state)) return Status::Ok();
  }
  return cursor.status();
}

void HostQueues::MarkAwake(uint64_t host, std::string record) {
  awake_bytes_ += kAwakeNodeBytes + record.size();
  assert(!awake_.contains(host));
  awake_.emplace(host, Awake{std::move(record)});
}

Result<std::vector<HostQueues::Woken>> HostQueues::TakeSleeping(size_t limit, WallTime now) {
  const std::unique_lock<Mutex> change(change_mu_);
  std::string from;
  {
    MutexLock lock(mu_);
    from = first_sleeper_;
  }
  std::vector<uint64_t> hosts;
  kv::Cursor cursor = db_.Scan(sleepers(), from, SleeperKey::After(now));
  for (; cursor.valid() && hosts.size() < limit; cursor.Next()) {
    const auto key = SleeperKey::Parse(cursor.key());
    if (!key) return Status::Corruption("host queues: a key of the sleepers is damaged");
    from = cursor.key();
    from.push_back('\0');  // the next possible key
    MutexLock lock(mu_);
    if (!awake_.contains(key->host)) hosts.push_back(key->host);
  }
  CRV_TRY(cursor.status());

  std::vector<Woken> woken;
  std::vector<std::string> records;
  for (size_t begin = 0; begin < hosts.size(); begin += kHostsPerLookup) {
    const size_t end = std::min(hosts.size(), begin + kHostsPerLookup);
    const std::vector<StateKey> keys(hosts.begin() + static_cast<ptrdiff_t>(begin),
                                     hosts.begin() + static_cast<ptrdiff_t>(end));
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    CRV_ASSIGN(auto values, db_.Get(states(), views));
    for (size_t i = 0; i < values.size(); i++) {
      const uint64_t host = hosts[begin + i];
      std::optional<HostState> state;
      if (values[i]) state = DecodeHostState(*values[i]);
      if (!state) return Damaged(host, "its state is missing or damaged");
      woken.push_back({host, *std::move(state)});
      records.push_back(*std::move(values[i]));
    }
  }
  MutexLock lock(mu_);
  for (size_t i = 0; i < woken.size(); i++) MarkAwake(woken[i].host, std::move(records[i]));
  first_sleeper_ = std::move(from);
  SleepersChanged();
  return woken;
}

Result<std::optional<HostQueues::Woken>> HostQueues::Wake(uint64_t host) {
  const std::unique_lock<Mutex> change(change_mu_);
  if (LoadAwake(host)) return std::optional<Woken>();
  CRV_ASSIGN(auto record, db_.Get(states(), StateKey(host)));
  if (!record) return std::optional<Woken>();
  std::optional<HostState> state = DecodeHostState(*record);
  if (!state) return Damaged(host, "its state is damaged");
  MutexLock lock(mu_);
  MarkAwake(host, *std::move(record));
  SleepersChanged();
  return std::optional<Woken>({host, *std::move(state)});
}

Result<uint64_t> HostQueues::WakeFromImpossibleTimes(WallTime now) {
  const std::unique_lock<Mutex> change(change_mu_);
  uint64_t hosts = 0;
  kv::Batch batch;
  kv::Cursor cursor = db_.Scan(sleepers(), SleeperKey::After(now + kLongestRest + std::chrono::minutes(1)));
  for (; cursor.valid(); cursor.Next()) {
    const auto key = SleeperKey::Parse(cursor.key());
    if (!key) return Status::Corruption("host queues: a key of the sleepers is damaged");
    CRV_ASSIGN(const auto record, db_.Get(states(), StateKey(key->host)));
    std::optional<HostState> state;
    if (record) state = DecodeHostState(*record);
    if (!state) return Damaged(key->host, "its state is missing or damaged");
    state->ForgetImpossibleTimes(now);
    state->wake = WallTime(std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()));
    batch.Delete(sleepers(), cursor.key());
    batch.Put(sleepers(), SleeperKey(state->wake, key->host), {});
    batch.Put(states(), StateKey(key->host), EncodeHostState(*state));
    hosts++;
  }
  CRV_TRY(cursor.status());
  if (hosts == 0) return hosts;
  CRV_TRY(db_.Write(batch, {.sync = true}));
  MutexLock lock(mu_);
  first_sleeper_.clear();
  SleepersChanged();
  return hosts;
}

Result<std::optional<WallTime>> HostQueues::NextWake() const {
  std::string from;
  uint64_t changes = 0;
  {
    MutexLock lock(mu_);
    if (next_wake_) return *next_wake_;
    from = first_sleeper_;
    changes = sleepers_changes_;
  }
  std::optional<WallTime> next;
  kv::Cursor cursor = db_.Scan(sleepers(), from);
  for (; cursor.valid() && !next; cursor.Next()) {
    const auto key = SleeperKey::Parse(cursor.key());
    if (!key) return Status::Corruption("host queues: a key of the sleepers is damaged");
    MutexLock lock(mu_);
    if (!awake_.contains(key->host)) next = key->wake;
  }
  CRV_TRY(cursor.status());
  MutexLock lock(mu_);
  if (changes == sleepers_changes_) next_wake_ = next;
  return next;
}

void HostQueues::Apply(Effects& effects) {
  MutexLock lock(mu_);
  changes_ = effects.change;
  counts_ = effects.counts;
  journal_bytes_ += effects.journal.size();
  for (const Effects::AwakeRecord& a : effects.awake) {
    const std::string_view record = effects.record_of(a);
    awake_bytes_ -= kAwakeNodeBytes + a.host->second.record.size();
    if (record.empty()) {
      awake_.erase(a.host->first);
    } else {
      awake_bytes_ += kAwakeNodeBytes + record.size();
      a.host->second.record.assign(record);  // as long as before, or nearly: reuses the memory
      a.host->second.in_journal = true;
    }
  }
  if (effects.checkpoint) {
    journal_from_ = effects.change + 1;
    journal_bytes_ = 0;
    for (auto& [host, awake] : awake_) awake.in_journal = false;
  }
  bool fell_asleep = effects.first_sleeper.has_value();
  for (const Effects::AwakeRecord& a : effects.awake) fell_asleep = fell_asleep || a.size == 0;
  if (fell_asleep) SleepersChanged();
  if (effects.first_sleeper && *effects.first_sleeper < first_sleeper_) {
    first_sleeper_ = *effects.first_sleeper;
  }
}

Result<bool> HostQueues::Recover() {
  const std::unique_lock<Mutex> change(change_mu_);
  std::unique_ptr<Effects> failed;
  {
    MutexLock lock(mu_);
    if (failed_ == nullptr) return false;
    failed = std::move(failed_);
  }
  const Status loaded = LoadCounts();
  bool is_there = false;
  {
    MutexLock lock(mu_);
    is_there = loaded.ok() && changes_ == failed->change;
    if (!loaded.ok()) failed_ = std::move(failed);
  }
  CRV_TRY(loaded);
  if (is_there) Apply(*failed);
  return is_there;
}

HostQueuesStats HostQueues::counts() const {
  MutexLock lock(mu_);
  HostQueuesStats counts = counts_;
  counts.awake = awake_.size();
  return counts;
}

uint64_t HostQueues::memory_bytes() const {
  MutexLock lock(mu_);
  return awake_bytes_ + awake_.bucket_count() * sizeof(void*);
}

}  // namespace crivello::frontier
