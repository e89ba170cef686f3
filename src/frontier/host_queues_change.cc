// SPDX-License-Identifier: Apache-2.0
// The part of the host queues that makes changes.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

#include "frontier/host_queues_format.h"
#include "web/url/signature.h"

namespace crivello::frontier {
namespace {

// A block is full at this size: large enough that its key, lookup and deletion cost little, small enough that
// a reader of some sixteen items reads little of it twice.
constexpr size_t kBlockBytes = 768;
// The size of a record in a large batch, with its share of its host's state: an overestimate.
constexpr size_t kBytesPerRecord = 100;
// Drop() of more blocks than this is one deletion of a range.
constexpr uint32_t kManyBlocks = 32;
// The journal may be this many times as long as the states of the awake hosts, plus some bytes.
constexpr uint64_t kJournalFactor = 16;
constexpr uint64_t kJournalSlack = 1 << 20;
// A larger batch is not kept for reuse: few are so large, and each tablet would hold one.
constexpr uint64_t kMaxSpareBatchBytes = 4 << 20;

WallTime ToMillis(WallTime time) { return std::chrono::floor<std::chrono::milliseconds>(time); }

}  // namespace

struct HostQueues::Change::State {
  // The values that determine the counts and the list of sleepers.
  struct Standing {
    bool known = false;
    bool given_up = false;
    uint64_t queued = 0;
    uint64_t enqueued = 0;
    WallTime wake{};
  };
  // A host that this change modifies.
  struct Touched {
    AwakeHosts::value_type* awake = nullptr;  // if it is awake
    std::string loaded = {};                  // its record, if it is not
    std::string_view was = {};                // the rest of that record
    std::string stored = {};                  // what replaces it, if anything does
    QueuePart queues = {};
    Standing before = {};
    bool sleeps = false;

    std::string_view rest() const { return stored.empty() ? was : std::string_view(stored); }
  };

  explicit State(HostQueues& q) : queues(q), lock(q.change_mu_) {}
  ~State() {
    if (!done) queues.LeaveBatch(batch);
  }

  Result<Touched*> Touch(uint64_t host);
  // Puts a state into the batch, and its consequences: counts, place among the sleepers.
  struct Where {
    AwakeHosts::value_type* awake = nullptr;
    bool sleeps = false;
  };
  void Finish(uint64_t host, const Standing& before, const HostRecord& after, Where where);
  // A host at this place of the list may be woken: the next search must not begin after it.
  void NoteSleeper(WallTime wake, uint64_t host);
  // The size of the last block if it has room for more; 0 if it may have been read, because what a reader
  // knows about a block (that an item is its last) would become wrong.
  static size_t BytesInOpenBlock(const ClassQueue& queue, bool is_read) {
    const bool open = !is_read && queue.head.block < queue.tail && queue.tail_bytes < kBlockBytes;
    return open ? queue.tail_bytes : 0;
  }
  // Moves the contents of the writer to the queue.
  void Append(uint64_t host, int priority, bool is_read, QueueBlockWriter& writer, ClassQueue& queue);
  Status EnqueueHost(std::span<const UrlRecord> records, std::span<const std::pair<uint64_t, uint32_t>> mine,
                     HostState state, WallTime now, const Admit& admit, EnqueueResult& result);

  HostQueues& queues;
  std::unique_lock<Mutex> lock;
  kv::Batch batch;
  std::unordered_map<uint64_t, Touched> touched;
  JournalWriter journal;
  Effects effects;
  std::array<QueueBlockWriter, kPriorityClasses> writers;
  bool enqueued = false;
  bool done = false;
};

HostQueues::Change::Change(std::unique_ptr<State> state) : state_(std::move(state)) {}
HostQueues::Change::~Change() = default;
HostQueues::Change::Change(Change&&) noexcept = default;

HostQueues::Change HostQueues::Begin() {
  auto state = std::make_unique<Change::State>(*this);
  MutexLock lock(mu_);
  state->effects.change = changes_ + 1;
  state->effects.counts = counts_;
  std::swap(state->batch, spare_batch_);
  return Change(std::move(state));
}

void HostQueues::LeaveBatch(kv::Batch& batch) {
  if (batch.capacity_bytes() > kMaxSpareBatchBytes) return;
  batch.Clear();
  MutexLock lock(mu_);
  std::swap(batch, spare_batch_);
}

kv::Batch& HostQueues::Change::batch() { return state_->batch; }

Result<HostQueues::Change::State::Touched*> HostQueues::Change::State::Touch(uint64_t host) {
  assert(!enqueued);
  const auto found = touched.find(host);
  if (found != touched.end()) return &found->second;
  AwakeHosts::value_type* const awake = queues.FindAwake(host);
  std::string loaded;
  if (awake == nullptr) {
    CRV_ASSIGN(auto record, queues.db_.Get(queues.states(), StateKey(host)));
    if (!record) return Status::InvalidArgument(fmt::format("host {:016x} is not known", host));
    if (!DecodeHostState(*record)) return Damaged(host, "its state is damaged");
    loaded = *std::move(record);
  }
  Touched& next = touched[host];
  next.awake = awake;
  next.loaded = std::move(loaded);
  const auto record = SplitHostRecord(awake != nullptr ? awake->second.record : next.loaded);
  next.was = record->rest;
  next.queues = record->queues;
  next.before = {true, ReadHostRestHead(record->rest).given_up, next.queues.queued(), next.queues.enqueued,
                 next.queues.wake};
  return &next;
}

void HostQueues::Change::State::Append(uint64_t host, int priority, bool is_read, QueueBlockWriter& writer,
                                       ClassQueue& queue) {
  const auto bytes = static_cast<uint32_t>(writer.bytes().size());
  if (BytesInOpenBlock(queue, is_read) > 0) {
    batch.Append(queues.blocks(), BlockKey(host, priority, queue.tail - 1), writer.bytes());
    queue.tail_bytes += bytes;
  } else {
    batch.Put(queues.blocks(), BlockKey(host, priority, queue.tail), writer.bytes());
    queue.tail++;
    queue.tail_bytes = bytes;
  }
  queue.items += writer.items();
  writer.Clear();
}

void HostQueues::Change::State::Finish(uint64_t host, const Standing& before, const HostRecord& after,
                                       Where where) {
  std::string record = JoinHostRecord(after);
  if (where.awake == nullptr || where.sleeps) batch.Put(queues.states(), StateKey(host), record);
  if (where.awake != nullptr) {
    if (where.sleeps) record.clear();
    effects.awake.push_back({where.awake, journal.Add(host, record), record.size()});
  }
  const uint64_t had = before.queued;
  const uint64_t has = after.queues.queued();
  const WallTime wake = after.queues.wake;
  const bool moved = had > 0 && has > 0 && before.wake != wake;
  if (had > 0 && (has == 0 || moved)) batch.Delete(queues.sleepers(), SleeperKey(before.wake, host));
  if (has > 0 && (had == 0 || moved)) batch.Put(queues.sleepers(), SleeperKey(wake, host), {});
  if (has > 0 && (had == 0 || moved || where.sleeps)) NoteSleeper(wake, host);
  HostQueuesStats& counts = effects.counts;
  counts.items += has - had;
  counts.waiting += uint64_t{has > 0} - uint64_t{had > 0};
  counts.given_up += uint64_t{ReadHostRestHead(after.rest).given_up} - uint64_t{before.given_up};
  counts.hosts += uint64_t{!before.known};
  counts.enqueued += after.queues.enqueued - before.enqueued;
}

void HostQueues::Change::State::NoteSleeper(WallTime wake, uint64_t host) {
  const SleeperKey key(wake, host);
  if (!effects.first_sleeper || key.view() < *effects.first_sleeper) effects.first_sleeper = key.view();
}

Status HostQueues::Change::Pop(uint64_t host, const QueueItem& item) {
  CRV_ASSIGN(auto* const touched, state_->Touch(host));
  if (item.priority >= kPriorityClasses) return Status::InvalidArgument("an item has an invalid class");
  ClassQueue& queue = touched->queues.queues[item.priority];
  if (item.place < queue.head) return Status::Ok();
  if (item.place != queue.head || queue.items == 0) {
    return Status::InvalidArgument(fmt::format("{} is not the first of its class", item.url));
  }
  queue.items--;
  if (item.last_of_block) {
    state_->batch.Delete(state_->queues.blocks(), BlockKey(host, item.priority, queue.head.block));
    queue.head = {queue.head.block + 1, 0};
  } else {
    queue.head.index++;
  }
  return Status::Ok();
}

Status HostQueues::Change::PutBack(uint64_t host, const QueueItem& item) {
  CRV_ASSIGN(auto* const touched, state_->Touch(host));
  const auto parts = SplitUrl(item.url);
  if (!parts || parts->host != ReadHostRestHead(touched->rest()).name || item.priority >= kPriorityClasses ||
      item.url.size() > kMaxItemBytes) {
    return Status::InvalidArgument(item.url + " is not of this queue");
  }
  QueueBlockWriter& writer = state_->writers[item.priority];
  writer.Add(*parts, {item.kind, item.depth, item.attempts, item.found, Via::Of(item.url, item.via)});
  state_->Append(host, item.priority, /*is_read=*/true, writer, touched->queues.queues[item.priority]);
  return Status::Ok();
}

Status HostQueues::Change::Drop(uint64_t host) {
  CRV_ASSIGN(auto* const touched, state_->Touch(host));
  for (int i = 0; i < kPriorityClasses; i++) {
    ClassQueue& queue = touched->queues.queues[static_cast<size_t>(i)];
    if (queue.tail - queue.head.block > kManyBlocks) {
      state_->batch.DeleteRange(state_->queues.blocks(), BlockKey(host, i, queue.head.block),
                                BlockKey(host, i, queue.tail));
    } else {
      for (uint32_t block = queue.head.block; block < queue.tail; block++) {
        state_->batch.Delete(state_->queues.blocks(), BlockKey(host, i, block));
      }
    }
    queue.head = {queue.tail, 0};
    queue.items = 0;
  }
  return Status::Ok();
}

Status HostQueues::Change::Replace(uint64_t host, std::span<const QueueItem> items) {
  CRV_TRY(Drop(host));
  CRV_ASSIGN(auto* const touched, state_->Touch(host));
  assert(touched->awake == nullptr);
  const auto flush = [&](int priority) {
    const auto c = static_cast<size_t>(priority);
    state_->Append(host, priority, /*is_read=*/false, state_->writers[c], touched->queues.queues[c]);
  };
  for (const QueueItem& item : items) {
    const auto parts = SplitUrl(item.url);
    if (!parts || parts->host != ReadHostRestHead(touched->rest()).name || item.priority >= kPriorityClasses)
      return Status::InvalidArgument(item.url + " is not of this queue");
    QueueBlockWriter& writer = state_->writers[item.priority];
    writer.Add(*parts, {item.kind, item.depth, item.attempts, item.found, Via::Of(item.url, item.via)});
    if (writer.bytes().size() >= kBlockBytes) flush(item.priority);
  }
  for (int i = 0; i < kPriorityClasses; i++) {
    if (state_->writers[static_cast<size_t>(i)].items() > 0) flush(i);
  }
  return Status::Ok();
}

Status HostQueues::Change::Store(uint64_t host, const HostState& state) {
  CRV_ASSIGN(auto* const touched, state_->Touch(host));
  touched->stored = EncodeHostRest(state, ReadHostRestHead(touched->rest()).name);
  return Status::Ok();
}

Status HostQueues::Change::Sleep(uint64_t host, WallTime until) {
  CRV_ASSIGN(auto* const touched, state_->Touch(host));
  touched->queues.wake = ToMillis(until);
  touched->sleeps = true;
  return Status::Ok();
}

Result<HostQueues::Change::EnqueueResult> HostQueues::Change::Enqueue(std::span<const UrlRecord> records,
                                                                      WallTime now, const Admit& admit) {
  assert(!state_->enqueued && records.size() <= std::numeric_limits<uint32_t>::max());
  EnqueueResult result;
  // (host, index in records), by host and then in order of arrival.
  std::vector<std::pair<uint64_t, uint32_t>> order;
  order.reserve(records.size());
  for (size_t i = 0; i < records.size(); i++) {
    const auto parts = SplitUrl(records[i].url);
    if (!parts || records[i].url.size() > kMaxItemBytes || records[i].priority >= kPriorityClasses) {
      result.unfit++;
      continue;
    }
    order.emplace_back(web::HostHash(parts->host), static_cast<uint32_t>(i));
  }
  std::sort(order.begin(), order.end());
  state_->batch.Reserve(order.size() * kBytesPerRecord);

  const std::span<const std::pair<uint64_t, uint32_t>> all = order;
  for (size_t next = 0; next < all.size();) {
    // The next hosts, and where the records of each begin.
    std::vector<StateKey> keys;
    std::vector<size_t> begins;
    while (next < all.size() && keys.size() < kHostsPerLookup) {
      keys.emplace_back(all[next].first);
      begins.push_back(next);
      const uint64_t host = all[next].first;
      while (next < all.size() && all[next].first == host) next++;
    }
    begins.push_back(next);
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    CRV_ASSIGN(const auto values, state_->queues.db_.Get(state_->queues.states(), views));
    for (size_t i = 0; i < keys.size(); i++) {
      const auto mine = all.subspan(begins[i], begins[i + 1] - begins[i]);
      HostState state;
      if (values[i]) {
        auto decoded = DecodeHostState(*values[i]);
        if (!decoded) return Damaged(mine[0].first, "its state is damaged");
        state = *std::move(decoded);
      }
      CRV_TRY(state_->EnqueueHost(records, mine, std::move(state), now, admit, result));
    }
  }
  state_->enqueued = true;
  return result;
}

Status HostQueues::Change::State::EnqueueHost(std::span<const UrlRecord> records,
                                              std::span<const std::pair<uint64_t, uint32_t>> mine,
                                              HostState state, WallTime now, const Admit& admit,
                                              EnqueueResult& result) {
  const uint64_t host = mine[0].first;
  AwakeHosts::value_type* const awake = queues.FindAwake(host);
  const auto overlay = touched.find(host);
  if (overlay != touched.end()) {
    state = *DecodeHostState(JoinHostRecord({overlay->second.rest(), overlay->second.queues}));
  } else if (awake != nullptr) {
    state = *DecodeHostState(awake->second.record);
  }
  const Standing before = {!state.name.empty(), state.given_up, state.queued(), state.enqueued, state.wake};
  if (state.name.empty()) state.name = SplitUrl(records[mine[0].second].url)->host;
  uint32_t entered = 0;
  const bool is_read = awake != nullptr;
  for (const auto& [hash, index] : mine) {
    const UrlRecord& record = records[index];
    const UrlParts parts = *SplitUrl(record.url);
    ClassQueue& queue = state.queues[record.priority];
    constexpr uint32_t kFull = std::numeric_limits<uint32_t>::max() / 2;
    if (parts.host != state.name || queue.tail >= kFull || queue.items >= kFull) {
      result.unfit++;
      continue;
    }
    const Entry entry = admit ? admit(state, record) : Entry::kCounted;
    if (entry == Entry::kRefused) {
      result.refused++;
      continue;
    }
    QueueBlockWriter& writer = writers[record.priority];
    writer.Add(parts, {record.kind, record.depth, 0, record.found, record.via});
    if (entry == Entry::kCounted) state.enqueued++;
    entered++;
    if (BytesInOpenBlock(queue, is_read) + writer.bytes().size() >= kBlockBytes) {
      Append(host, record.priority, is_read, writer, queue);
    }
  }
  if (entered == 0) return Status::Ok();
  for (int i = 0; i < kPriorityClasses; i++) {
    QueueBlockWriter& writer = writers[static_cast<size_t>(i)];
    if (writer.items() > 0) Append(host, i, is_read, writer, state.queues[static_cast<size_t>(i)]);
  }
  if (before.queued == 0) {
    state.ForgetImpossibleTimes(now);
    state.wake = ToMillis(std::max(now, state.next_fetch));
  }
  result.enqueued += entered;
  if (awake != nullptr) result.refills.push_back({host, entered});
  const QueuePart part = state.queue_part();
  std::string rest = EncodeHostRest(state, state.name);
  if (overlay != touched.end()) {
    overlay->second.queues = part;
    overlay->second.stored = std::move(rest);
  } else {
    Finish(host, before, {rest, part}, {.awake = awake});
  }
  return Status::Ok();
}

Status HostQueues::Change::Write(kv::Database::WriteOptions options) {
  assert(!state_->done);
  State& s = *state_;
  s.done = true;
  HostQueues& queues = s.queues;
  CountsRecord counts = {.changes = s.effects.change};
  {
    MutexLock lock(queues.mu_);
    if (queues.failed_ != nullptr) return Status::Unavailable("host queues: Recover() after a failed write");
    counts.journal_from = queues.journal_from_;
    s.effects.checkpoint = queues.journal_bytes_ > kJournalFactor * queues.awake_bytes_ + kJournalSlack;
    if (s.effects.checkpoint) {
      // The records that this change itself writes follow, and override these.
      for (const auto& [host, awake] : queues.awake_) {
        if (awake.in_journal) s.batch.Put(queues.states(), StateKey(host), awake.record);
      }
    }
  }
  for (auto& [host, touched] : s.touched) {
    if (touched.sleeps) {
      // No reader has a position in an empty queue, so it can restart from zero, which keeps the state short.
      for (ClassQueue& queue : touched.queues.queues) {
        if (queue.items == 0) queue = {};
      }
    }
    s.Finish(host, touched.before, {touched.rest(), touched.queues},
             {.awake = touched.awake, .sleeps = touched.sleeps});
  }
  s.effects.journal = std::move(s.journal).bytes();
  if (s.effects.checkpoint) {
    for (const Effects::AwakeRecord& a : s.effects.awake) {
      if (a.size > 0) s.batch.Put(queues.states(), StateKey(a.host->first), s.effects.record_of(a));
    }
    counts.journal_from = s.effects.change + 1;
    s.batch.DeleteRange(queues.journal(), JournalKey(0), JournalKey(counts.journal_from));
  } else if (!s.effects.journal.empty()) {
    s.batch.Put(queues.journal(), JournalKey(s.effects.change), s.effects.journal);
  }
  counts.counts = s.effects.counts;
  s.batch.Put(queues.states(), kCountsKey, EncodeCounts(counts));
  const Status status = queues.db_.Write(s.batch, options);
  if (status.ok()) {
    queues.Apply(s.effects);
  } else {
    MutexLock lock(queues.mu_);
    queues.failed_ = std::make_unique<Effects>(std::move(s.effects));
  }
  queues.LeaveBatch(s.batch);
  s.lock.unlock();
  return status;
}

}  // namespace crivello::frontier
