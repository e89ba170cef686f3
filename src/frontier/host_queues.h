// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "frontier/host_state.h"
#include "frontier/queue_block.h"
#include "frontier/url_record.h"
#include "kv/database.h"

namespace crivello::frontier {

// How far a reader has read the queue of a host, class by class.
struct QueueCursor {
  std::array<QueuePlace, kPriorityClasses> next = {};
};

// The counts of one tablet.
struct HostQueuesStats {
  uint64_t hosts = 0;     // known
  uint64_t waiting = 0;   // of those, with items
  uint64_t given_up = 0;  // of those known
  uint64_t items = 0;     // queued
  uint64_t enqueued = 0;  // total number of items so far
  uint64_t awake = 0;     // hosts, in this process
};

// The queues and states of all hosts of a tablet, on disk: four families of the tablet's database.  Memory
// holds only the hosts that are awake (some 200 bytes each) and the counts.
//
// A host's queue consists of up to eight FIFOs, one per priority class.  Each is a sequence of blocks of
// items with consecutive numbers, and the host's state has the first and the last number.  So reads go to
// known keys, and never scan deleted ones.  While a host sleeps, new items are appended to its last block
// until it is full: a host that is mentioned now and then has few blocks, not one for each time.
//
// A host with items is in one list, on disk, ordered by when it may be visited next (HostState::wake).
// TakeSleeping() wakes the first ones, but only in this process: after a crash all are asleep, in the same
// order.
//
// The states of awake hosts change with every visit.  A Change writes those that it modifies as one record of
// a journal.  They go to their own keys when their host falls asleep, or when the journal has become several
// times as long as they are: writing each after every visit would cost more than everything else.  Open()
// replays the journal.
//
// Crash safety: a Change, with the rest of its batch, is written completely or not at all.  An item popped in
// a written Change does not come back.
//
// Thread-safe: any number of threads may read during a change; Begin() waits for the previous Change to end.
// Format: docs/formats/host-queues.md.
class HostQueues {
 public:
  // The families that the database must have for it, with consecutive numbers.
  static std::vector<kv::FamilyOptions> Families();

  // `db` must outlive it; `first` is the number of its first family.  Reads one record and the journal,
  // whatever the number of hosts.  If the database is read-only, hosts in the journal count as awake.
  static Result<std::unique_ptr<HostQueues>> Open(kv::Database& db, kv::Family first);
  ~HostQueues();

  // Reading.  A call costs one database lookup, or one per block.

  // The state as last written; nullopt if the host is unknown.
  Result<std::optional<HostState>> Load(uint64_t host) const;

  // The start of the queue, for a reader.
  static QueueCursor Start(const HostState& state);
  // The next `limit` items, lowest class first, in order of arrival within a class.  Moves the cursor past
  // them. If there are fewer, or none, the queue has no more.  REQUIRES: the host is awake, and nothing was
  // popped that the cursor has not yet read.
  Result<std::vector<QueueItem>> Read(uint64_t host, QueueCursor& cursor, size_t limit) const;

  // Calls `visit` for each host, ordered by hash, until it returns false.
  Status ForEachHost(const std::function<bool(uint64_t host, const HostState& state)>& visit) const;

  // Waking.

  struct Woken {
    uint64_t host = 0;
    HostState state = {};
  };
  // Up to `limit` hosts with items that may be visited by `now`, the longest-waiting first.  They are awake,
  // and not returned again, until a Change puts them to sleep.
  Result<std::vector<Woken>> TakeSleeping(size_t limit, WallTime now);
  // The same for one host, whatever its time and whether or not it has items; nullopt if it is unknown or
  // awake.
  Result<std::optional<Woken>> Wake(uint64_t host);
  // Whether it is awake.  A sleeping host stays asleep while a Change is in progress.
  bool IsAwake(uint64_t host) const;
  // When the first sleeping host may be visited, if there is one.  Cached until hosts fall asleep or
  // wake.
  Result<std::optional<WallTime>> NextWake() const;

  // Makes hosts available whose waiting time is impossibly long
  // (HostState::ForgetImpossibleTimes); returns how many there were.  REQUIRES: no host is
  // awake.
  Result<uint64_t> WakeFromImpossibleTimes(WallTime now);

  // Changing.

  // Whether a URL may enter the queue of this host, and whether it counts in its `enqueued`.  May change the
  // caller's part of the state.
  enum class Entry : uint8_t { kRefused, kCounted, kUncounted };
  using Admit = std::function<Entry(HostState& state, const UrlRecord& record)>;

  // An awake host, and the number of new items in its queue.
  struct Refill {
    uint64_t host = 0;
    uint32_t items = 0;
  };

  // A set of changes, written together with the rest of batch().  No reader sees any of them until Write()
  // returns Ok; without Write(), nothing changes.  If Write() fails: see Recover(). One thread at a time,
  // which must not call Wake() or TakeSleeping() meanwhile.
  class Change {
   public:
    ~Change();
    Change(Change&&) noexcept;

    kv::Batch& batch();  // until Write()

    // Appends the records that `admit` accepts (all, if it is empty) to the queues of their hosts, each at
    // the end of its class, in their order.  Large spans are best: records of a host share blocks, and each
    // host costs a lookup and a rewrite of its state.  Skips records whose URL is not canonical or is
    // longer than kMaxItemBytes, and those of a host whose hash equals that of another host.  `now` is the
    // earliest time at which a host that had no items can be woken.  REQUIRES: it is the last change before
    // Write().
    struct EnqueueResult {
      uint64_t enqueued = 0;
      uint64_t refused = 0;  // by admit
      uint64_t unfit = 0;    // skipped for other reasons
      std::vector<Refill> refills = {};
    };
    Result<EnqueueResult> Enqueue(std::span<const UrlRecord> records, WallTime now, const Admit& admit = {});

    // Consumes the item, as returned by Read(); does nothing if it was consumed already.  InvalidArgument if
    // it is not the first of its class.
    Status Pop(uint64_t host, const QueueItem& item);
    // Moves an item, with its number of attempts, to the end of its class, to be retried.
    Status PutBack(uint64_t host, const QueueItem& item);
    // Consumes all items.
    Status Drop(uint64_t host);
    // Replaces the items of the host by these, in their order.  REQUIRES: the host is asleep, and they come
    // from its queue.
    Status Replace(uint64_t host, std::span<const QueueItem> items);

    // Stores the caller's part of the state.  InvalidArgument if the host is unknown.
    Status Store(uint64_t host, const HostState& state);
    // Puts the host to sleep; if it has items, it may be woken from `until` on.
    Status Sleep(uint64_t host, WallTime until);

    // REQUIRES: called once.
    Status Write(kv::Database::WriteOptions options);

   private:
    friend class HostQueues;
    struct State;
    explicit Change(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };
  Change Begin();

  // Call this after a Write() failed and the database has resumed; until then no other Write() succeeds.
  // True if that Change is there after all (its log record was written, only its sync failed), as if Write()
  // had returned Ok.  False if it is not there and nothing has changed, or if no Write() has failed.
  Result<bool> Recover();

  HostQueuesStats counts() const;
  uint64_t memory_bytes() const;

  static constexpr size_t kMaxItemBytes = 64 << 10;

 private:
  // A host in memory.
  struct Awake {
    std::string record = {};
    bool in_journal = false;  // the state on disk is older
  };
  using AwakeHosts = std::unordered_map<uint64_t, Awake>;

  // What a written Change does in memory.
  struct Effects {
    uint64_t change = 0;  // its number
    HostQueuesStats counts = {};
    // Awake hosts, and where in `journal` their new records are; empty: they are asleep now.  Each host
    // occurs once; its node does not move, because only a Change removes it, and there is one at a time.
    struct AwakeRecord {
      AwakeHosts::value_type* host = nullptr;
      size_t begin = 0;
      size_t size = 0;
    };
    std::vector<AwakeRecord> awake = {};
    std::string journal = {};
    std::string_view record_of(const AwakeRecord& a) const {
      return std::string_view(journal).substr(a.begin, a.size);
    }
    bool checkpoint = false;                        // the contents of the journal are now in the states
    std::optional<std::string> first_sleeper = {};  // of the hosts that it added to the list
  };

  HostQueues(kv::Database& db, kv::Family first);

  kv::Family states() const { return first_; }
  kv::Family blocks() const { return first_ + 1; }
  kv::Family sleepers() const { return first_ + 2; }
  kv::Family journal() const { return first_ + 3; }

  Status LoadCounts() CRV_EXCLUDES(mu_);
  Status ReplayJournal() CRV_EXCLUDES(mu_);
  // The state of a host if it is awake.
  std::optional<HostState> LoadAwake(uint64_t host) const CRV_EXCLUDES(mu_);
  AwakeHosts::value_type* FindAwake(uint64_t host) CRV_EXCLUDES(mu_);
  Result<std::vector<std::optional<std::string>>> GetBlocks(uint64_t host, int priority, uint32_t from,
                                                            uint32_t count) const;
  Status ReadClass(const HostState& state, uint64_t host, int priority, QueuePlace& next, size_t limit,
                   std::vector<QueueItem>& items) const;
  void MarkAwake(uint64_t host, std::string record) CRV_REQUIRES(mu_);
  void SleepersChanged() CRV_REQUIRES(mu_) {
    next_wake_.reset();
    sleepers_changes_++;
  }
  void Apply(Effects& effects) CRV_EXCLUDES(mu_);
  // Keeps the batch of a finished Change for the next one, to reuse its memory.
  void LeaveBatch(kv::Batch& batch) CRV_EXCLUDES(mu_);

  kv::Database& db_;
  const kv::Family first_;

  // Held by a Change, and while hosts are woken, so no state changes between being read and waking.
  Mutex change_mu_;
  // Held only briefly, never during database access.
  mutable Mutex mu_;
  HostQueuesStats counts_ CRV_GUARDED_BY(mu_);
  uint64_t changes_ CRV_GUARDED_BY(mu_) = 0;       // total number written
  uint64_t journal_from_ CRV_GUARDED_BY(mu_) = 0;  // the first change whose journal record is valid
  uint64_t journal_bytes_ CRV_GUARDED_BY(mu_) = 0;
  AwakeHosts awake_ CRV_GUARDED_BY(mu_);
  uint64_t awake_bytes_ CRV_GUARDED_BY(mu_) = 0;
  // No sleeping host is before this key in the list, so that deleted keys there are not scanned
  // again.
  std::string first_sleeper_ CRV_GUARDED_BY(mu_);
  // The cached result of NextWake(), if still valid.
  mutable std::optional<std::optional<WallTime>> next_wake_ CRV_GUARDED_BY(mu_);
  uint64_t sleepers_changes_ CRV_GUARDED_BY(mu_) = 0;    // events in this process that may have changed it
  std::unique_ptr<Effects> failed_ CRV_GUARDED_BY(mu_);  // of the Change whose Write() failed
  kv::Batch spare_batch_ CRV_GUARDED_BY(mu_);            // empty, for the next Change
};

}  // namespace crivello::frontier
