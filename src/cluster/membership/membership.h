// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/status.h"
#include "cluster/membership/bus.h"
#include "cluster/membership/cluster_records.h"
#include "cluster/membership/member_view.h"

namespace crivello::cluster {

// The shares of a lease at which something happens, on the clock of whoever counts.
struct LeaseShares {
  double renew = 1.0 / 3;      // the owner renews
  double stop = 0.6;           // the owner stops fetching and confirming
  double close = 0.8;          // the owner closes the tablet
  double exit = 1.0;           // the owner ends itself if the tablet is still not closed
  double closing = 1.0;        // a tablet that is given away keeps its lease for so long; then closing hangs
  double expiry = 1.1;         // others take the tablet over: clocks may differ by a tenth
  double new_bucket = 1.1;     // nobody takes a tablet for so long after a bucket was lost
  double next_in_chain = 0.5;  // each further agent of the chain waits that much longer
  double poll = 0.1;           // the bucket is read
  double beat = 0.2;           // an agent shows that it is alive
  double answer = 0.2;         // a request without an answer counts as unknown
  double retry = 0.5;          // after a failed opening
  double look = 0.5;           // the owner looks whether another one has claimed a higher epoch
  double stable = 2;           // no tablet moves before the agents have been the same for so long
};

struct MembershipOptions {
  std::string name = {};                  // of this agent
  uint64_t process = 0;                   // random, another one at each start
  std::vector<std::string> tablets = {};  // of the collection, the same list in all agents
  Duration lease = std::chrono::seconds(15);
  std::string version = "0";
  double epsilon = 0.1;   // of AssignTablets()
  uint32_t openings = 4;  // take-overs at the same time
  LeaseShares shares = {};
};

// What the state machine wants from the bus.  Answers may come in any order, late, or never.
struct BusRequest {
  enum class Kind : uint8_t { kReadAll, kPut, kUpdate };
  uint64_t id = 0;
  Kind kind = Kind::kReadAll;
  std::string key = {};
  std::string value = {};
  uint64_t revision = 0;  // kUpdate: that the key must have
};
struct BusReply {
  uint64_t id = 0;
  UpdateOutcome outcome = UpdateOutcome::kUnknown;
  uint64_t revision = 0;
  std::vector<BusEntry> entries = {};  // kReadAll
};

// What the state machine wants from its process.
struct TabletOrder {
  enum class Kind : uint8_t {
    kLook,   // find the highest epoch in the tablet's folder, open or not: OnLooked() or OnFailed()
    kOpen,   // take over an epoch above `epoch` and open: OnOpened() or OnFailed()
    kClose,  // stop the opening or close what is open: OnClosed()
  };
  Kind kind = Kind::kLook;
  std::string tablet = {};
  uint64_t epoch = 0;     // kOpen
  uint64_t sequence = 0;  // kOpen: of the last commit that is known; a tablet that ends before it is refused
  std::string expired = {};  // kOpen: the agent whose lease ran out; empty if the tablet was free
};

// One agent of a cluster: who else is alive, and which tablets this agent has.
//
// It saves work and gives no safety; that comes from the epochs on the shared file system (takeover.h).  So
// everything on the bus may be lost or wrong.  What it does is:
//
//   - It writes its own record now and then, and reads all others.
//   - A tablet has a lease on the bus.  Its owner renews it at a third of the lease by compare-and-set.  The
//     age of a lease counts for the owner from the moment in which it began its last successful renewal; for
//     others, from the moment in which they saw the revision first, on their own clock, times 1.1.
//   - A tablet whose lease ran out is taken by the agent that the assignment chooses among those that are
//     alive, or a little later by the next one in the chain.  The epoch is above that of the lease and above
//     the highest one on the file system.
//   - If the bucket is new (another incarnation) or went back to an older revision, nobody takes a tablet
//     before one lease has passed: owners write their leases again in that time.
//   - A tablet whose folder has a higher epoch than its lease was taken by an agent of which the bucket does
//     not know any more.  It is left alone for one lease, counted from the moment in which the epoch was seen
//     first.
//   - An owner whose compare-and-set found another revision fetches nothing before a renewal succeeds, and an
//     owner that has just opened a tablet neither.
//   - An owner looks for a higher epoch even if it has nothing to acknowledge: a process that was paused in
//     the middle of a take-over may have claimed one.
//   - When the agents have been the same for two leases, tablets move to the agents that the assignment
//     chooses, one tablet of each agent at a time, closed by the old owner and then opened by the new one.
//
// A pure state machine: the process calls Tick() many times per lease, executes requests and orders, and
// reports what came of them.  Times are of a clock that continues while the machine is suspended.  One thread
// at a time.
class Membership {
 public:
  explicit Membership(MembershipOptions options);

  void Tick(MonotonicTime now);
  // Each is returned once.
  std::vector<BusRequest> TakeRequests();
  std::vector<TabletOrder> TakeOrders();

  void OnReply(const BusReply& reply, MonotonicTime now);
  void OnLooked(const std::string& tablet, uint64_t highest_epoch, MonotonicTime now);
  void OnOpened(const std::string& tablet, uint64_t epoch, uint64_t sequence, MonotonicTime now);
  // The order could not be executed.  Others may try at once; this agent tries again soon if the reason will
  // pass, and later and later if it lies in the tablet, because each attempt makes an epoch.
  void OnFailed(const std::string& tablet, bool will_pass, MonotonicTime now);
  void OnClosed(const std::string& tablet, MonotonicTime now);
  // The file system says that another agent has the tablet.  It is ordered to be closed.
  void OnLost(const std::string& tablet, MonotonicTime now);
  // Commits of an open tablet were acknowledged up to `sequence`.
  void SetProgress(const std::string& tablet, uint64_t sequence, uint64_t lag_urls);
  void SetMemory(uint64_t bytes) { memory_bytes_ = bytes; }

  // Asked before each request to a host, and before each confirmation of a commit or of URLs: whether the
  // tablet may do so at this moment.  A tablet that is being closed fetches no more, but confirms what is on
  // its way.
  bool MayFetch(const std::string& tablet, MonotonicTime now) const;
  bool MayConfirm(const std::string& tablet, MonotonicTime now) const;
  // The agent that has a tablet, as far as is known; empty: nobody.
  std::string OwnerOf(const std::string& tablet) const;
  // The tablet is open here.
  bool IsOpen(const std::string& tablet) const;
  // A tablet could not be closed before others may take it: the process must end now.
  bool MustExit(MonotonicTime now) const;
  // Another process with the same name is alive: InvalidArgument.
  Status name_status() const { return name_status_; }

  // Gives all tablets back, and takes none from now on.  left() once that is done.
  void Leave();
  bool left() const;

  const MemberView& view() const { return view_; }
  uint64_t incarnation() const { return incarnation_; }

 private:
  enum class Stage : uint8_t {
    kNone,
    kLooking,   // for the highest epoch
    kClaiming,  // the lease
    kOpening,
    kOpen,
    kClosing,
    kGiving,  // closed; the lease is being given back
  };
  struct Slot {
    std::string name = {};
    // What the bus says.
    std::optional<LeaseRecord> record = {};
    uint64_t revision = 0;
    MonotonicTime seen = {};
    // What the file system says: an epoch above that of the record.
    uint64_t unknown_epoch = 0;
    MonotonicTime unknown_since = {};
    std::optional<MonotonicTime> looked = {};  // when the last look was ordered
    bool looking = false;                      // while it is open
    // What this process has of it.
    Stage stage = Stage::kNone;
    uint64_t epoch = 0;
    uint64_t sequence = 0;
    uint64_t lag_urls = 0;
    uint64_t held_revision = 0;  // that the next compare-and-set expects
    MonotonicTime renewed = {};  // the last successful renewal began
    uint64_t request = 0;        // that has no answer yet
    LeaseRecord written = {};    // by that request
    bool contested = false;      // nobody knows what the bus has; the next reading decides
    MonotonicTime contested_since = {};
    // Writes that may have been done although no answer came: when each began, by attempt.
    std::map<uint64_t, MonotonicTime> attempts = {};
    bool renew_now = false;
    bool doubted = false;  // another process may have it: nothing is fetched before a renewal succeeds
    bool lost = false;
    LeaseState give_back = LeaseState::kReleased;
    MonotonicTime closing_since = {};
    std::string expired = {};       // of the claim: whose lease ran out
    MonotonicTime not_before = {};  // of the next claim
    int failures = 0;               // to open it, one after the other
  };
  struct Pending {
    BusRequest::Kind kind = BusRequest::Kind::kReadAll;
    size_t slot = 0;  // kNoSlot: none
    MonotonicTime sent = {};
    uint64_t attempt = 0;
  };
  static constexpr size_t kNoSlot = SIZE_MAX;

  Duration Share(double share) const {
    return Duration(static_cast<int64_t>(share * static_cast<double>(options_.lease.count())));
  }
  const LeaseShares& shares() const { return options_.shares; }
  size_t SlotOf(const std::string& tablet) const;
  uint64_t Send(BusRequest request, Pending pending);
  void ReadNow(MonotonicTime now);
  void Beat(MonotonicTime now);
  void TakeIncarnation(const std::vector<BusEntry>& entries, MonotonicTime now);
  void TakeEntries(const std::vector<BusEntry>& entries, MonotonicTime sent, MonotonicTime now);
  void TakeMember(const MemberRecord& record, uint64_t revision, MonotonicTime now);
  void Settle(Slot& slot, MonotonicTime now);
  void OnUpdated(Slot& slot, const Pending& pending, const BusReply& reply, MonotonicTime now);

  void TickSlot(size_t index, MonotonicTime now);
  bool Claimable(size_t index, MonotonicTime now) const;
  // When a tablet whose folder has a higher epoch than its record may be taken.
  MonotonicTime UnknownUntil(const Slot& slot) const;
  void Look(Slot& slot, MonotonicTime now);
  void Claim(Slot& slot, uint64_t highest_epoch, MonotonicTime now);
  void Write(Slot& slot, LeaseState state, uint64_t expected, MonotonicTime now);
  void Renewed(Slot& slot, uint64_t revision, MonotonicTime began, MonotonicTime now);
  void Close(Slot& slot, bool lost, MonotonicTime now);
  void Contest(Slot& slot, MonotonicTime now);
  void Drop(Slot& slot);
  void DropUnanswered(MonotonicTime now);
  void MoveOne(MonotonicTime now);
  size_t Count(std::initializer_list<Stage> stages) const;
  static bool Holds(const Slot& slot) {
    return slot.stage == Stage::kOpening || slot.stage == Stage::kOpen || slot.stage == Stage::kClosing;
  }
  bool IsMine(const LeaseRecord& record) const {
    return record.process == options_.process && record.owner == options_.name;
  }

  const MembershipOptions options_;
  MemberView view_;
  std::vector<Slot> slots_;
  std::map<std::string, size_t> by_name_;
  std::map<uint64_t, Pending> pending_;
  std::vector<BusRequest> requests_;
  std::vector<TabletOrder> orders_;
  uint64_t last_id_ = 0;
  uint64_t attempts_ = 0;
  uint64_t beats_ = 0;
  uint64_t memory_bytes_ = 0;
  bool joined_ = false;  // the name is ours
  Status name_status_;
  uint64_t other_process_ = 0;  // with this name
  uint64_t other_beat_ = 0;     // the last one that was seen
  int other_beats_ = 0;         // how many were seen
  bool leaving_ = false;
  uint64_t incarnation_ = 0;             // 0: not known yet
  MonotonicTime incarnation_seen_ = {};  // or since the bucket went back to an older revision
  uint64_t highest_revision_ = 0;
  MonotonicTime next_read_ = {};
  MonotonicTime next_beat_ = {};
  uint64_t reading_ = 0;     // the request
  bool read_again_ = false;  // as soon as that one is answered
  size_t moving_ = kNoSlot;  // a slot that was given to another agent
  MonotonicTime moving_since_ = {};
};

}  // namespace crivello::cluster
