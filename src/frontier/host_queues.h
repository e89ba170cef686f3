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

// How far a reader has come in the queue of a host, class by class.
struct QueueCursor {
  std::array<QueuePlace, kPriorityClasses> next = {};
};

// In one tablet.
struct HostQueuesStats {
  uint64_t hosts = 0;     // known
  uint64_t waiting = 0;   // of those, with items
  uint64_t given_up = 0;  // of those known
  uint64_t items = 0;     // queued
  uint64_t enqueued = 0;  // items ever let in
  uint64_t awake = 0;     // hosts, in this process
};

// The queues and states of all hosts of a tablet, on the disk: four families of the tablet's database, in
// memory only what belongs to hosts that are awake (some 200 bytes each) and the counts.
//
// A host's queue is up to eight FIFOs, one for each class of priority.  Each is a run of blocks of items
// under dense numbers, and the host's state has the first and the last of them; so reading goes to known
// keys, and never walks over what was deleted.  While a host sleeps, what comes is appended to its last block
// until that is full: a host that is named now and then has few blocks, not one for each time.
//
// A host with items is in one list, on the disk, ordered by when it may be visited next (HostState::wake).
// TakeSleeping() wakes the first ones, which is a matter of this process alone: after a crash all are asleep,
// in the same order.
//
// The states of hosts that are awake change with every visit.  A Change writes those that it concerns as one
// record of a journal, and they go to their own keys when their host falls asleep, or when the journal has
// become several times as long as they are: a write of its own for each visit would cost more than all the
// rest.  Open() replays the journal.
//
// What holds across a crash: all that a Change wrote, with the rest of its batch, or nothing of it.  An item
// that was popped in a Change that was written does not come back.
//
// Thread-safe: any number of threads reads while one changes; Begin() waits for the Change before it to end.
// Format: docs/formats/host-queues.md.
class HostQueues {
 public:
  // What the database must have for it, at consecutive numbers.
  static std::vector<kv::FamilyOptions> Families();

  // `db` outlives it; `first` is the number of the first of its families.  Reads one record and the journal,
  // whatever the number of hosts.  Of a database that is only read, hosts of the journal count as awake.
  static Result<std::unique_ptr<HostQueues>> Open(kv::Database& db, kv::Family first);
  ~HostQueues();

  // Reading.  A call costs one lookup in the database, or one per block.

  // The state as last written; nothing if the host is not known.
  Result<std::optional<HostState>> Load(uint64_t host) const;

  // Where a reader of the whole queue begins.
  static QueueCursor Start(const HostState& state);
  // The next items, `limit` of them, lowest class first, and in each in order of arrival.  Moves the cursor
  // behind them.  Fewer, or none: that is all there is.  REQUIRES: the host is awake, and what the cursor has
  // yet to read is not popped.
  Result<std::vector<QueueItem>> Read(uint64_t host, QueueCursor& cursor, size_t limit) const;

  // Calls `visit` for each host, in order of hash, until it returns false.
  Status ForEachHost(const std::function<bool(uint64_t host, const HostState& state)>& visit) const;

  // Waking.

  struct Woken {
    uint64_t host = 0;
    HostState state = {};
  };
  // Up to `limit` hosts with items that may be visited by `now`, those that wait longest first.  They are
  // awake, and not given again, until a Change puts them to sleep.
  Result<std::vector<Woken>> TakeSleeping(size_t limit, WallTime now);
  // The same for one host, whatever its time and whether or not it has items; nothing if it is not known or
  // is awake.
  Result<std::optional<Woken>> Wake(uint64_t host);
  // Whether it is awake.  It stays asleep while a Change is under way.
  bool IsAwake(uint64_t host) const;
  // When the first host that is asleep may be visited, if there is one.  Remembered until hosts fall asleep
  // or wake.
  Result<std::optional<WallTime>> NextWake() const;

  // Lets hosts with items that are to wait for a time which nobody can mean
  // (HostState::ForgetImpossibleTimes) be woken from now on; how many there were.  REQUIRES: no host is
  // awake.
  Result<uint64_t> WakeFromImpossibleTimes(WallTime now);

  // Changing.

  // Whether a URL may enter the queue of this host, and is counted in its `enqueued`.  May change the part of
  // the state that is the caller's.
  enum class Entry : uint8_t { kRefused, kCounted, kUncounted };
  using Admit = std::function<Entry(HostState& state, const UrlRecord& record)>;

  // An awake host, and how many items have come to its queue.
  struct Refill {
    uint64_t host = 0;
    uint32_t items = 0;
  };

  // A set of changes, written together with what else is in batch().  Until Write() returns Ok no reader sees
  // any of them; without Write(), nothing has changed.  If Write() fails: see Recover().
  // One thread at a time; it must not call Wake() or TakeSleeping() meanwhile.
  class Change {
   public:
    ~Change();
    Change(Change&&) noexcept;

    kv::Batch& batch();  // until Write()

    // Appends the records that `admit` lets in (all, if it is empty) to the queues of their hosts, each at
    // the end of its class, in their order.  Best in large spans: the records of a host share blocks, and
    // each host in it costs a lookup and a rewriting of its state.  Records whose URL is not canonical or is
    // longer than kMaxItemBytes are left out, as are those of a host whose hash is that of another.
    // `now` is the earliest that a host which had no items can be woken.
    // REQUIRES: it is the last change before Write().
    struct EnqueueResult {
      uint64_t enqueued = 0;
      uint64_t refused = 0;  // by admit
      uint64_t unfit = 0;    // left out for other reasons
      std::vector<Refill> refills = {};
    };
    Result<EnqueueResult> Enqueue(std::span<const UrlRecord> records, WallTime now, const Admit& admit = {});

    // Consumes the item, as Read() gave it; nothing if it is consumed already.  InvalidArgument if it is
    // not the first of its class.
    Status Pop(uint64_t host, const QueueItem& item);
    // Puts an item at the end of its class, with its number of attempts, to be tried again.
    Status PutBack(uint64_t host, const QueueItem& item);
    // Consumes all items.
    Status Drop(uint64_t host);
    // Makes these the items of the host, in their order, in place of those that it has.  REQUIRES: the host
    // is asleep, and they are of its queue.
    Status Replace(uint64_t host, std::span<const QueueItem> items);

    // Stores the caller's part of the state.  InvalidArgument if the host is not known.
    Status Store(uint64_t host, const HostState& state);
    // The host is awake no more, and if it has items it may be woken from `until` on.
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

  // After a Write() failed, and the database has resumed; until then no other succeeds.  Tells whether that
  // Change is there after all (its log record was written, its sync failed), and all is as if Write() had
  // returned Ok, or is not, and all is as before it.  False if no Write() has failed.
  Result<bool> Recover();

  HostQueuesStats counts() const;
  uint64_t memory_bytes() const;

  static constexpr size_t kMaxItemBytes = 64 << 10;

 private:
  // A host in memory.
  struct Awake {
    std::string record = {};
    bool in_journal = false;  // the state on the disk is older
  };
  using AwakeHosts = std::unordered_map<uint64_t, Awake>;

  // What a Change does to the memory once it is written.
  struct Effects {
    uint64_t change = 0;  // its number
    HostQueuesStats counts = {};
    // Hosts that are awake, and where in `journal` their new records stand; empty: they are asleep now.  Each
    // host once; its node stays where it is, since only a Change takes it away, and there is one at a time.
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
    bool checkpoint = false;                        // what was in the journal stands in the states
    std::optional<std::string> first_sleeper = {};  // of those it put on the list
  };

  HostQueues(kv::Database& db, kv::Family first);

  kv::Family states() const { return first_; }
  kv::Family blocks() const { return first_ + 1; }
  kv::Family sleepers() const { return first_ + 2; }
  kv::Family journal() const { return first_ + 3; }

  Status LoadCounts() CRV_EXCLUDES(mu_);
  Status ReplayJournal() CRV_EXCLUDES(mu_);
  // A host that is awake, if it is.
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
  // A batch that a Change is done with, to the next one: it need not grow anew.
  void LeaveBatch(kv::Batch& batch) CRV_EXCLUDES(mu_);

  kv::Database& db_;
  const kv::Family first_;

  // Held by a Change, and while hosts are woken: so no state changes between its reading and its waking.
  Mutex change_mu_;
  // Held for moments, never while the database is asked.
  mutable Mutex mu_;
  HostQueuesStats counts_ CRV_GUARDED_BY(mu_);
  uint64_t changes_ CRV_GUARDED_BY(mu_) = 0;       // written, ever
  uint64_t journal_from_ CRV_GUARDED_BY(mu_) = 0;  // the first change whose record in the journal counts
  uint64_t journal_bytes_ CRV_GUARDED_BY(mu_) = 0;
  AwakeHosts awake_ CRV_GUARDED_BY(mu_);
  uint64_t awake_bytes_ CRV_GUARDED_BY(mu_) = 0;
  // No host that is asleep stands before this key in the list: what was deleted there is not walked over
  // again.
  std::string first_sleeper_ CRV_GUARDED_BY(mu_);
  // What NextWake() found, if it still holds.
  mutable std::optional<std::optional<WallTime>> next_wake_ CRV_GUARDED_BY(mu_);
  uint64_t sleepers_changes_ CRV_GUARDED_BY(mu_) = 0;    // what may have changed it, in this process
  std::unique_ptr<Effects> failed_ CRV_GUARDED_BY(mu_);  // of the Change whose Write() failed
  kv::Batch spare_batch_ CRV_GUARDED_BY(mu_);            // empty, for the next Change
};

}  // namespace crivello::frontier
