// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "frontier/agenda.h"
#include "frontier/budget.h"
#include "frontier/exchange.h"
#include "frontier/host_ranks.h"
#include "frontier/politeness.h"
#include "frontier/queue_block.h"
#include "frontier/tablets.h"
#include "frontier/url_record.h"
#include "kv/database.h"

namespace crivello::frontier {

struct FrontierOptions {
  PolitenessOptions politeness = {};
  BudgetOptions budget = {};
  HostRankUse host_ranks = {};
  // For the hosts in memory, including read-ahead of their queues; the other hosts sleep on disk.
  uint64_t memory_bytes = 64 << 20;
  // After this many visits since it woke, a host goes to sleep behind the sleeping hosts, if there are any.
  uint32_t quantum = 128;
  // The maximum number of visits of one host that are taken and not yet committed.
  uint32_t max_uncommitted = 64;
  // Whether robots.txt of an origin is visited before its first page (false for callers without robots).
  bool robots = true;
  // Pump() makes what it moves durable before the sieve drops its copy; a simulation sets this to false.
  bool sync = true;
  // Pump() waits for a flush that it started: for a simulated clock, which would otherwise run ahead of it.
  bool wait_for_sieve = false;
};

// A URL to fetch.  The visit holds the host and its address: nobody else gets a URL of either before
// Fetched() or Skipped().
struct Visit {
  uint64_t ticket = 0;  // identifies it to the frontier
  uint32_t tablet = 0;  // its slot (tablets.h)
  UrlKind kind = UrlKind::kPage;
  uint8_t priority = 0;
  uint32_t depth = 0;
  uint32_t attempt = 1;      // from 1
  std::string url = {};      // canonical; for kRobots that of robots.txt, or where it moved to
  std::string host = {};     // of the URL
  std::string address = {};  // to connect to, as passed to Resolved()
  std::string origin = {};   // for kRobots: the origin it is for, which after a move is not that of the URL
  uint32_t hops = 0;         // redirects of robots.txt so far
  WallTime queued{};         // when the URL was found: a newer row makes the visit unnecessary
  std::string via = {};      // the page where it was found; empty for a seed
};

// What the crawler learnt from a robots.txt file.
struct RobotsNews {
  WallTime until{};        // fetch it again after this; in the past: fetch it again before any page
  Duration crawl_delay{};  // for us; 0: none given
};

// The state of the frontier, and why it is idle if it is.  Counts hosts, unless stated otherwise.
struct FrontierStats {
  uint64_t ready = 0;          // may be fetched from now
  uint64_t host_delay = 0;     // wait for their own delay
  uint64_t address_delay = 0;  // their own time has come, that of their address has not (or it is taken)
  uint64_t resolving = 0;      // wait for their address
  uint64_t robots = 0;         // their robots.txt is being fetched, until RobotsDone()
  uint64_t taken = 0;          // held by visits in progress
  uint64_t uncommitted = 0;    // the maximum of their visits waits for commit
  uint64_t sleeping = 0;       // on disk, with URLs in their queues
  uint64_t given_up = 0;
  uint64_t known = 0;             // total so far
  uint64_t awake = 0;             // in memory
  uint64_t awake_limit = 0;       // the maximum that the memory budget allows
  uint64_t queued_urls = 0;       // in the queues, including those being visited
  uint64_t uncommitted_urls = 0;  // visits not yet committed
  uint64_t scheduled = 0;         // URLs in the agendas, due or not
  uint64_t sieve_waiting = 0;     // URLs offered, and not yet decided
  uint64_t sieve_untaken = 0;     // URLs that came through, and are not yet in a queue
  uint64_t over_budget = 0;       // URLs dropped in this process: per host, directory, depth, links per page
  uint64_t unfit = 0;             // URLs dropped in this process because they are too long
  uint64_t of_given_up = 0;       // URLs dropped in this process because their host was given up
  std::optional<MonotonicTime> next = {};  // when something can be fetched, if nothing can be now
  std::string next_host = {};              // and from which host
  std::optional<WallTime> next_wake = {};  // when the first sleeping host may be woken
  std::optional<WallTime> next_due = {};   // when the first URL of the agendas is due
};

// Which items to remove from the queues (Frontier::Sweep).
struct Sweeper {
  std::function<bool(const QueueItem& item)> goes = {};
  // Adds to the batch that removes the item from its queue; called once for each item.
  std::function<Status(const QueueItem& item, kv::Batch& batch)> note = {};
};

// Decides what is fetched next and when.  It connects sieve, queues, workbench and politeness.
//
//   Offer ────> exchange ─> sieve of the tablet ─> Pump ─> queue of the host (disk) ─> workbench ─> Take
//   Schedule ─> agenda of the tablet, until it is due ──^
//
// Every offered URL comes out of Take() once, except for limits of the budget, hosts that were given up, and
// crashes, after which URLs that were taken and not committed come out again.  A scheduled URL comes out once
// for each time it was scheduled, not before that time, and even if it came out before.  URLs of one host and
// class come out in the order in which they were first offered.
//
// The life of a visit: Take(), then Fetched() or Skipped() as soon as the connection is no longer needed (the
// next visit of the host may then begin after its delay, while this page is being parsed), then
// Commit::Done() together with the page's row.  A visit of robots.txt is not in any queue: after Fetched()
// comes RobotsDone(), and nothing is committed.
//
// Politeness holds across all tablets of the process: one visit at a time per host and per address, and the
// next one only after the delay in PolitenessOptions.  It also holds across a restart, because a host that
// was known before is not visited until its delay has passed since Open().
//
// Memory: hosts with URLs sleep on disk until fetchers run out of work; then Pump() wakes as many as
// memory_bytes allows.  Everything else that grows with the crawl is on disk.
//
// Thread-safe: any number of threads may take, finish and offer.  Take, Fetched and Skipped hold one lock for
// about a microsecond; once in some dozen visits, Take also reads a block of a queue, without the lock.  Only
// one thread at a time runs Pump(), which does all other reading.  Time comes from the clock given to Open().
class Frontier {
 public:
  // The tablets and the exchange must outlive the frontier.
  static Result<std::unique_ptr<Frontier>> Open(const Tablets& tablets, Exchange& exchange,
                                                const Clock& clock, const FrontierOptions& options);
  virtual ~Frontier() = default;

  // URLs in.

  // Offers the URLs of one page (or seeds), in their order.  They are durable after SyncOffers(), which must
  // come before the commit of the page where they were found.  May wait for a busy sieve.  URLs of tablets
  // in other processes are added to `elsewhere`; if that is null, they are sent, too.
  virtual Status Offer(std::span<const UrlRecord> urls, std::vector<OutgoingUrl>* elsewhere) = 0;
  Status Offer(std::span<const UrlRecord> urls) { return Offer(urls, nullptr); }
  virtual Status SyncOffers() = 0;
  // Has URLs visited at a given time or later; the next Pump() queues those that are due.  This is how URLs
  // are revisited.  Limits on URLs (per host, depth) do not apply, and a host that was given up gets another
  // chance when one of its URLs is due.  Durable when it returns.  Unavailable if the tablet of a URL belongs
  // to another process.
  virtual Status Schedule(std::span<const Appointment> appointments) = 0;

  // Steering.

  // While held, Take() and Fetched() return no visits; everything else continues.  Queues, delays and
  // addresses stay as they are.
  virtual void Hold(bool hold) = 0;
  // The limits may change at any time.  Past usage counts; URLs that were dropped stay dropped.
  virtual void SetBudget(const BudgetOptions& budget) = 0;
  virtual BudgetOptions budget() const = 0;
  // Removes URLs from the queues of some hosts of a tablet, while visits continue.  A host that is awake
  // cannot be swept: it is told to sleep, which happens after its visits are committed and Pump() is called,
  // and is listed in `busy`; try again.  Reads the queue of a host into memory, and rewrites it if something
  // is removed.
  struct Swept {
    uint64_t urls = 0;
    std::vector<uint64_t> busy = {};
  };
  virtual Result<Swept> Sweep(uint32_t tablet, std::span<const uint64_t> hosts, const Sweeper& sweeper) = 0;

  // Visits out.

  struct Taken {
    std::optional<Visit> visit = {};
    // Without a visit: when to Pump() and ask again, unless a Resolved(), Fetched() or Commit comes first;
    // nullopt: only after one of these.
    std::optional<MonotonicTime> again = {};
    // The limit of the budget that is reached ("max-pages"): there will be no more visits.
    std::optional<std::string_view> spent = {};
  };
  virtual Result<Taken> Take() = 0;

  struct After {
    // What happens to the URL.  kFinish and kGiveUpUrl: it is done.  kRetry: Commit::Done() puts it back in
    // the queue. kGiveUpHost: all URLs of the host are dropped.
    Verdict verdict = Verdict::kFinish;
    // In bursts: the next visit of the host, to be made at once over the same connection.
    std::optional<Visit> next = {};
  };
  // The request has ended.  Frees the host and its address, which can be taken again after their delays.
  virtual Result<After> Fetched(const Visit& visit, const FetchOutcome& outcome) = 0;
  // No request was made (refused by robots, out of scope, the row is newer): this costs no delay.
  virtual void Skipped(const Visit& visit) = 0;

  // No request was made, because none is allowed now, or it was cancelled: undoes the visit.
  struct NotBefore {
    MonotonicTime host = MonotonicTime::min();     // the next visit of its host
    MonotonicTime address = MonotonicTime::min();  // the next one at its address
    bool cancelled = false;  // the server may have seen a request: both also wait for their delays
  };
  virtual void PutBack(const Visit& visit, const NotBefore& not_before) = 0;

  // The caller has no rules for the origin of this page visit (they expired, or an earlier process had them):
  // the URL is put back, and robots.txt is visited first.  Costs no delay; ends the visit.
  virtual void NeedsRobots(const Visit& visit) = 0;
  // The outcome of a robots.txt visit that was Fetched(); pages of the origin may follow.  `news.until` in
  // the past: nothing was learnt, and it will be visited again.
  virtual void RobotsDone(const Visit& visit, const RobotsNews& news) = 0;
  // A robots.txt visit that was Fetched() was redirected.  A polite visit to `url` (canonical, of any host)
  // follows, with the same origin and one more hop; it ends like any robots.txt visit.
  virtual Status RobotsMoved(const Visit& visit, std::string_view url) = 0;

  // Addresses.

  // Host names to resolve, each returned once; it waits for Resolved() or ResolveFailed().
  virtual std::vector<std::string> NeedsAddress(size_t limit) = 0;
  virtual void Resolved(std::string_view host, std::string_view address, WallTime until) = 0;
  struct ResolveFailure {
    std::string why = {};
    bool permanent = false;  // the name does not exist; otherwise it is retried, as after a failed fetch
  };
  virtual void ResolveFailed(std::string_view host, const ResolveFailure& failure) = 0;

  // Maintenance.

  struct Pumped {
    uint64_t queued = 0;  // URLs that moved to their queues from a sieve, or because they became due
    uint64_t woken = 0;   // hosts
    bool more = false;    // there is more to do right now
    // When to call Take() and Pump() again, if nothing else happens; nullopt: not before something happens.
    std::optional<MonotonicTime> again = {};
  };
  // Moves URLs from the sieves and due URLs to the queues, durably; wakes hosts if fetchers lack work;
  // flushes the sieves if the crawl would be idle otherwise.  Call it whenever Take() returns nothing, and
  // some times per second.  If another thread is in it, returns at once.
  virtual Result<Pumped> Pump() = 0;

  // Nothing is queued, due, waiting in a sieve, being visited or to be committed: the crawl is over until
  // something is offered or becomes due.
  virtual bool Finished() const = 0;

  // Tablets that come and go.

  // A tablet was added to the Tablets that Open() got, or is about to be removed from them.  Remove() puts
  // its hosts to sleep.  REQUIRES: no visit of the tablet is in progress, and no other thread is in Pump() or
  // in a call that is about the tablet; nor, while the Tablets change, in Stats() or Finished().
  virtual void Add(uint32_t tablet) = 0;
  virtual void Remove(uint32_t tablet) = 0;

  // Commits.

  // A change to one tablet that completes visits.  What the caller puts into batch() (rows, ledger) and the
  // dequeues of these visits are written atomically.  Blocks other commits and Pump() on the tablet's queues
  // from Begin() until it is destroyed, so gather results first, then begin.
  class Commit {
   public:
    virtual ~Commit() = default;  // without Write(), nothing happened
    virtual kv::Batch& batch() = 0;
    // REQUIRES: the visit belongs to this tablet, is not of robots.txt, and was Fetched() or Skipped().
    virtual void Done(const Visit& visit) = 0;
    // Puts URLs that were visited before into the queues of their hosts, in the same batch.  As in
    // Schedule(), limits on URLs do not apply, and a host that was given up gets another chance.  Returns how
    // many are queued.  REQUIRES: called at most once, in a commit without Done().
    virtual Result<uint64_t> Requeue(std::span<const UrlRecord> urls) = 0;
    // If it fails, nothing was changed: the visits can be put into another commit once there is disk space;
    // after kv::Database::Resume() the frontier must be reopened.
    virtual Status Write(kv::Database::WriteOptions options) = 0;
  };
  virtual std::unique_ptr<Commit> Begin(uint32_t tablet) = 0;

  // After a Write() or Pump() failed because the disk was full: tries to continue.  Unavailable while that is
  // impossible. REQUIRES: the calling thread has no Commit.
  virtual Status Recover() = 0;
  // Whether a visit was taken and is not yet committed.
  virtual bool IsOpen(const Visit& visit) const = 0;

  virtual FrontierStats Stats() const = 0;
  // What the hosts in memory wait for, up to `limit` of them, the longest-waiting last.
  struct HostStanding {
    std::string host = {};
    std::string address = {};
    std::string waits_for =
        {};  // "nothing", "its delay", "its address", "an answer", "resolution", "robots.txt", "a commit"
    std::optional<MonotonicTime> until = {};
    uint64_t queued = 0;
    uint32_t failures = 0;
  };
  virtual std::vector<HostStanding> Standings(size_t limit) const = 0;
  virtual uint64_t memory_bytes() const = 0;
};

}  // namespace crivello::frontier
